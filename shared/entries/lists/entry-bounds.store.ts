// Between which sort keys the entries of a list are, and from where it goes on.

import type { SheetName } from '../../sheets/day-sheets.store.ts';
import {
  entriesFrom,
  entryKey,
  entryPrefix,
  type Key,
  postingDateKeys,
  scheduledPrefix,
  type TenantName,
} from '../../table/keys.ts';
import type { EntryPlace } from '../journal-entry.ts';

/** An entry in a list: the date that puts it there, and where it is filed. */
export type ListPosition = { date: string; place: EntryPlace };

/** The dates of a list, both included, and the entry behind which it goes on. */
export type ListRange = {
  from?: string | undefined;
  to?: string | undefined;
  order: 'asc' | 'desc';
  after?: ListPosition | undefined;
};

/** The first and the last sort key, both included; there is none where the first is greater. */
export type SortBounds = { first: string; last: string };

/** Comes after all items of the entry with this sort key, and before what follows them. */
const behind = (sort: string): string => `${sort}#~`;

const boundsOf = (
  { prefix, sortOf }: { prefix: string; sortOf: (position: ListPosition) => string },
  { from = '', to, order, after }: ListRange,
): SortBounds => {
  const first = `${prefix}${from}`;
  const last = to === undefined ? `${prefix}~` : behind(`${prefix}${to}`);
  if (after === undefined) return { first, last };
  if (order === 'asc') {
    const next = behind(sortOf(after));
    return { first: next > first ? next : first, last };
  }
  // The items of an entry begin with its own key: what comes before that ends with the one before.
  const { date, place } = after;
  const next = behind(sortOf({ date, place: { ...place, sequence: place.sequence - 1 } }));
  return { first, last: next < last ? next : last };
};

/** Of a tenant's entries by the dates under which they are filed, with all their lines. */
export const filedBounds = (tenant: TenantName, range: ListRange): SortBounds =>
  boundsOf({ prefix: entryPrefix, sortOf: ({ place }) => entryKey(tenant, place).sk }, range);

const scheduledSort = (tenant: TenantName, { date, place }: ListPosition): string =>
  postingDateKeys(entryKey(tenant, place), date).scheduled.sk;

/** Of the items that name a tenant's scheduled entries by their posting dates. */
export const scheduledBounds = (tenant: TenantName, range: ListRange): SortBounds =>
  boundsOf(
    { prefix: scheduledPrefix, sortOf: (position) => scheduledSort(tenant, position) },
    range,
  );

/** The posting date of the scheduled entry that such an item names. */
export const scheduledDateOf = ({ sk }: Pick<Key, 'sk'>): string =>
  sk.slice(scheduledPrefix.length, sk.indexOf('#', scheduledPrefix.length));

/** The last character there is: it comes after whatever begins with the text before it. */
const last = '\u{10ffff}';

/**
 * The entries of a date and series, or those from its first one to the one before another's first;
 * where one of these is left out, from the very first or to the very last.
 */
export type EntryRange =
  | { of: SheetName }
  | { from?: SheetName | undefined; to?: SheetName | undefined };

/** The first and the last sort key of a range of entries. */
export const rangeBounds = (range: EntryRange): { from: string; to: string } => {
  if ('of' in range) {
    const from = entriesFrom(range.of);
    return { from, to: `${from}${last}` };
  }
  return {
    from: range.from ? entriesFrom(range.from) : entryPrefix,
    to: range.to ? entriesFrom(range.to) : `${entryPrefix}${last}`,
  };
};
