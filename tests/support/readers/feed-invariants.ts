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
  events: z.array(FeedEvent),
});
type Page = z.infer<typeof Page>;

/** The pages of each feed, in their order. */
const pagesIn = (items: readonly RawItem[]): Map<string, Page[]> =>
  Map.groupBy(
    items
      .filter(({ sk }) => String(sk).startsWith('PAGE#'))
      .map((item) => Page.parse(item))
      .toSorted((one, other) => one.first - other.first),
    ({ pk }) => pk,
  );

/** The events of each application, in the order of its feed. */
export const feedsIn = (items: readonly RawItem[]): Map<string, FeedEvent[]> =>
  new Map(
    [...pagesIn(items)].map(([pk, pages]) => [
      pk.split('#')[1] ?? '',
      pages.flatMap(({ events }) => events),
    ]),
  );

const gapsIn = (pages: readonly Page[]): string[] => {
  let next = 1;
  return pages.flatMap(({ pk, first, events }) => {
    const violations = unless(first === next, `${pk} has no event ${next}, but ${first}`);
    next = first + events.length;
    return violations;
  });
};

/** The gaps of all feeds, and the ids that two events have. */
export const feedGaps = (items: readonly RawItem[]): string[] => {
  const pages = [...pagesIn(items).values()];
  const ids = pages.flat().flatMap(({ events }) => events.map(({ id }) => id));
  return [
    ...pages.flatMap(gapsIn),
    ...unless(new Set(ids).size === ids.length, 'two events have one id'),
  ];
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
  const counts = countsOf([...feedsIn(items).values()].flat());
  const wrong = items.flatMap((item) => {
    const tenant = tenantNameOf({ pk: String(item.pk) });
    if (tenant === undefined) return [];
    const subject = `${prefixOfSchema(tenant.schemaName)} ${item.entryId ?? ''}`;
    return eventsOf(item).flatMap((type) => {
      const count = counts.get(`${type} ${subject}`) ?? 0;
      return unless(count === 1, `${type} of ${subject} is in the feed ${count} times`);
    });
  });
  return [...feedGaps(items), ...wrong];
};
