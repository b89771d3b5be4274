// Whether the feeds of a table have the events that its items ask for, each once and without gaps.

import * as z from 'zod/mini';
import { FeedEvent } from '#shared/events/event-types.ts';
import { tenantNameOf } from '#shared/table/keys.ts';
import { prefixOfSchema } from '#shared/tenants/domain-names.ts';
import type { RawItem } from './item-kinds.ts';
import { unless } from './violations.ts';

const Page = z.object({
  pk: z.string(),
  first: z.int(),
  recordedAt: z.string(),
  events: z.array(FeedEvent),
});

const pagesIn = (items: readonly RawItem[]) =>
  Map.groupBy(
    items.filter(({ sk }) => String(sk).startsWith('PAGE#')).map((item) => Page.parse(item)),
    ({ pk }) => pk,
  );

const gapsIn = (pages: readonly z.infer<typeof Page>[]): string[] => {
  const inOrder = pages.toSorted((one, other) => one.first - other.first);
  let next = 1;
  return inOrder.flatMap(({ pk, first, events }) => {
    const violations = unless(first === next, `${pk} has no event ${next}, but ${first}`);
    next = first + events.length;
    return violations;
  });
};

const countsOf = (events: readonly FeedEvent[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { type, data } of events) {
    const subject = `${data.tenant_domain_url} ${data.journal_entry_id ?? ''}`;
    const key = `${type} ${subject}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/** The events that an item must have exactly once. */
const eventsOf = (item: RawItem): string[] => {
  const { kind, sk, status, accrualDate, createdAt, postedAt } = item;
  if (kind === 'tenant') return ['tenant.created'];
  if (kind !== 'entry' || !/^ENTRY#[\d-]+#MJ#\d+$/.test(String(sk))) return [];
  const last = `journal_entry.${status}`;
  // An entry with an accrual date in the past is posted at once.
  const wasScheduled = accrualDate !== null && status !== 'scheduled' && postedAt !== createdAt;
  return wasScheduled ? ['journal_entry.scheduled', last] : [last];
};

/** The gaps of all feeds, and the events that are missing or there twice. */
export const feedViolations = (items: readonly RawItem[]): string[] => {
  const pages = pagesIn(items);
  const events = [...pages.values()].flat().flatMap((page) => page.events);
  const counts = countsOf(events);
  const wrong = items.flatMap((item) => {
    const tenant = tenantNameOf({ pk: String(item.pk) });
    if (tenant === undefined) return [];
    const subject = `${prefixOfSchema(tenant.schemaName)} ${item.entryId ?? ''}`;
    return eventsOf(item).flatMap((type) => {
      const count = counts.get(`${type} ${subject}`) ?? 0;
      return unless(count === 1, `${type} of ${subject} is in the feed ${count} times`);
    });
  });
  const ids = new Set(events.map(({ id }) => id));
  return [
    ...[...pages.values()].flatMap(gapsIn),
    ...unless(ids.size === events.length, 'two events have one id'),
    ...wrong,
  ];
};
