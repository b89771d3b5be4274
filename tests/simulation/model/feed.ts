// The contract for the feed: each change of the model is an event, once, in the order in which it
// happened, with what the model knows of it.

import { canonicalText } from '../../support/readers/entry-hashes.ts';
import { feedGaps, feedsIn } from '../../support/readers/feed-invariants.ts';
import type { RawItem } from '../../support/readers/item-kinds.ts';
import { unless } from '../../support/readers/violations.ts';
import { isBornScheduled, type SeenEntry } from '../attempts.ts';
import type { SettingsModel } from './settings.ts';

type FeedEvent = NonNullable<ReturnType<ReturnType<typeof feedsIn>['get']>>[number];

/** The events of one tenant. */
type TenantEvents = { place: string; events: readonly FeedEvent[] };

type Known = {
  seen: readonly SeenEntry[];
  settings: SettingsModel;
  /** Whether the feed has followed all changes. */
  isComplete: boolean;
};

const ofEntries = 'journal_entry.';

const entryEventsIn = (events: readonly FeedEvent[]): Map<unknown, FeedEvent[]> =>
  Map.groupBy(
    events.filter(({ type }) => type.startsWith(ofEntries)),
    ({ data }) => data.journal_entry_id,
  );

/** The types of an entry's own events, in their order. Reversals of it come after them. */
const ownTypesOf = ({ attempt, posting, cancelledAt }: SeenEntry): string[] => {
  if (attempt === undefined) return [];
  if (!isBornScheduled(attempt)) return ['posted'];
  if (cancelledAt !== undefined) return ['scheduled', 'cancelled'];
  return posting === undefined ? ['scheduled'] : ['scheduled', 'posted'];
};

const dataViolations = ({ type, at, data }: FeedEvent, entry: SeenEntry): string[] => {
  const { tenant_domain_url: _tenant, reversed_by: _reversal, ...given } = data;
  const name = type.slice(ofEntries.length);
  const meant = {
    journal_entry_id: entry.entryId,
    journal_number: entry.number,
    posting_date: entry.postingDate,
    external_id: entry.externalId,
    status: name === 'reversed' ? 'posted' : name,
  };
  const isAtPosting = name !== 'posted' || (entry.posting ?? at).startsWith(at);
  return [
    ...unless(
      canonicalText(given) === canonicalText(meant),
      `the feed says ${canonicalText(given)}, and not ${canonicalText(meant)}`,
    ),
    ...unless(isAtPosting, `the feed says that ${entry.number} was posted at ${at}`),
  ];
};

/** The events of an entry are what happened to it so far, or the first of that. */
const entryViolations = (
  entry: SeenEntry,
  events: readonly FeedEvent[],
  { seen, isComplete }: Known,
): string[] => {
  const reversals = seen.filter(
    ({ place, content }) => place === entry.place && content.reverses === entry.entryId,
  );
  const meant = [...ownTypesOf(entry), ...reversals.map(() => 'reversed')];
  const given = events.map(({ type }) => type.slice(ofEntries.length));
  const length = isComplete ? meant.length : Math.min(given.length, meant.length);
  const named = events.flatMap(({ data }) => data.reversed_by ?? []);
  const isNamed =
    new Set(named).size === named.length &&
    named.every((id) => reversals.some(({ entryId }) => entryId === id));
  return [
    ...unless(
      given.join() === meant.slice(0, length).join(),
      `the feed says that ${entry.number} was ${given.join()}, and it was ${meant.join()}`,
    ),
    ...unless(isNamed, `the feed says that ${entry.number} is reversed by ${named.join()}`),
    ...events.flatMap((event) => dataViolations(event, entry)),
  ];
};

/** An entry that was there before another was asked for comes first. */
const orderViolations = (inOrder: readonly SeenEntry[]): string[] => {
  let [latest, latestStart]: [SeenEntry | undefined, number] = [undefined, 0];
  return inOrder.flatMap((entry) => {
    const isLate = entry.since < latestStart;
    const startedAt = entry.attempt?.operation.startedAt ?? 0;
    const before = latest?.number;
    if (startedAt > latestStart) [latest, latestStart] = [entry, startedAt];
    return unless(!isLate, `the feed has ${entry.number} after ${before}, which is younger`);
  });
};

const entriesViolations = ({ place, events }: TenantEvents, known: Known): string[] => {
  const ofEntry = entryEventsIn(events);
  const entries = known.seen.filter((it) => it.place === place);
  const byId = new Map<unknown, SeenEntry>(entries.map((it) => [it.entryId, it]));
  const inOrder = [...ofEntry.keys()].flatMap((id) => byId.get(id) ?? []);
  return [
    ...[...ofEntry.keys()].flatMap((id) =>
      unless(byId.has(id), `the feed has the entry ${id} of ${place}, which nobody has seen`),
    ),
    ...entries.flatMap((it) => entryViolations(it, ofEntry.get(it.entryId) ?? [], known)),
    // Entries that were imported have no event before somebody reverses them.
    ...orderViolations(inOrder.filter(({ attempt }) => attempt !== undefined)),
  ];
};

const lastOf = (events: readonly FeedEvent[], prefix: string): FeedEvent | undefined =>
  events.findLast(({ type }) => type.startsWith(prefix));

/** The creation, the locks and the connection of a tenant. */
const tenantViolations = (
  tenant: RawItem,
  { place, events }: TenantEvents,
  { settings, isComplete }: Known,
): string[] => {
  const created = events.flatMap(({ type }, index) => (type === 'tenant.created' ? [index] : []));
  const locks = events.filter(({ type }) => type === 'tenant.locked');
  const asked = settings.requested(place, 'lock_date');
  const isConnected = tenant.platform === 'platform_a';
  const meant = tenant.status === 'disconnected' ? /needs_consent|ended/ : /established/;
  const connection = lastOf(events, 'connection.')?.type ?? '';
  return [
    ...unless(
      created.join() === '0' || (!isComplete && events.length === 0),
      `the feed says at ${created.join()} that ${place} was created`,
    ),
    ...locks.flatMap(({ data }) =>
      unless(asked.has(data.lock_date), `the feed locks ${place} until ${data.lock_date}`),
    ),
    ...unless(
      !isComplete || (locks.at(-1)?.data.lock_date ?? null) === (tenant.lockDate ?? null),
      `the feed ends the lock of ${place} at ${locks.at(-1)?.data.lock_date}`,
    ),
    ...unless(
      !isComplete || (isConnected ? meant.test(connection) : connection === ''),
      `the feed has ${connection} at the end, and ${place} is ${tenant.status}`,
    ),
  ];
};

/** Each import has one event, when it has ended. */
const importViolations = (
  items: readonly RawItem[],
  { place, events }: TenantEvents,
  { isComplete }: Known,
): string[] => {
  const ended = events.filter(({ type }) => type.startsWith('import.'));
  const ids = ended.map(({ data }) => data.import_id);
  const expected: Record<string, string> = {
    complete: 'import.completed',
    failed: 'import.failed',
  };
  const last = items.filter(({ kind, status }) => kind === 'import' && `${status}` in expected);
  return [
    ...unless(new Set(ids).size === ids.length, `an import of ${place} has two events`),
    ...last.flatMap(({ importId, status }) => {
      const event = ended.find(({ data }) => data.import_id === importId);
      const isRight = event ? event.type === expected[`${status}`] : !isComplete;
      return unless(
        isRight,
        `the import ${importId} is ${status}, and the feed has ${event?.type}`,
      );
    }),
  ];
};

/** Compares the feeds with what the model knows. */
export const compareFeeds = (items: readonly RawItem[], known: Known): string[] => {
  const byPlace = new Map<string, FeedEvent[]>();
  for (const [applicationId, events] of feedsIn(items)) {
    for (const event of events) {
      const place = `${applicationId} ${event.data.tenant_domain_url}`;
      byPlace.set(place, [...(byPlace.get(place) ?? []), event]);
    }
  }
  const tenants = items.filter(({ sk }) => sk === 'TENANT');
  const places = new Set(tenants.map(({ applicationId, prefix }) => `${applicationId} ${prefix}`));
  return [
    ...feedGaps(items),
    ...[...byPlace.keys()].flatMap((place) =>
      unless(places.has(place), `the feed has events of ${place}, which is not there`),
    ),
    ...tenants.flatMap((tenant) => {
      const place = `${tenant.applicationId} ${tenant.prefix}`;
      const own = { place, events: byPlace.get(place) ?? [] };
      const itsItems = items.filter(({ pk }) => pk === tenant.pk);
      return [
        ...tenantViolations(tenant, own, known),
        ...entriesViolations(own, known),
        ...importViolations(itsItems, own, known),
      ];
    }),
  ];
};
