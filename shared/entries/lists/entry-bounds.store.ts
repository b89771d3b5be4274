// The bounds of lists of entries in the order of their sort keys.

import { lastDate } from '../../money/dates.ts';
import type { SheetName } from '../../sheets/day-sheet.ts';
import {
  entriesFrom,
  entryKey,
  entryPrefix,
  sheetKey,
  sheetPrefix,
  type TenantName,
} from '../../table/keys.ts';
import {
  type MarkedStatus,
  markerKeys,
  markerPrefixes,
  metadataEntryKey,
  metadataPrefix,
} from '../../table/list-keys.ts';
import { lastCharacter } from '../../table/sort-ranges.ts';
import type { MetadataPair } from '../../tenants/indexed-metadata.ts';
import type { EntryPlace } from '../journal-entry.ts';

/** The position of an entry in a list: the date that orders the list, and the entry's place. */
export type ListPosition = { date: string; place: EntryPlace };

/** The first and last dates of a list, and the position that it continues after. */
export type ListRange = {
  from?: string | undefined;
  to?: string | undefined;
  order: 'asc' | 'desc';
  after?: ListPosition | undefined;
};

/** The first and last sort keys, both included. The range is empty if the first is greater. */
export type SortBounds = { first: string; last: string };

/**
 * A part of a list. `bounds` is `undefined` if the filter excludes all of its entries. `end` is the
 * position after it; `undefined` for a whole list.
 */
export type Stretch = {
  bounds: SortBounds | undefined;
  end: ListPosition | undefined;
  isLast: boolean;
};

/** A bound after all items of the entry with this sort key, and before the next entry. */
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
  // The first item of an entry has the lowest key. So the list ends after the previous sequence.
  const { date, place } = after;
  const next = behind(sortOf({ date, place: { ...place, sequence: place.sequence - 1 } }));
  return { first, last: next < last ? next : last };
};

/** The bounds that are in both ranges. */
export const within = (
  one: SortBounds,
  { from, to }: { from: string; to: string },
): SortBounds => ({
  first: one.first > from ? one.first : from,
  last: one.last < to ? one.last : to,
});

/** The bounds of entries by their entry dates, with all their lines. */
export const filedBounds = (tenant: TenantName, range: ListRange): SortBounds =>
  boundsOf({ prefix: entryPrefix, sortOf: ({ place }) => entryKey(tenant, place).sk }, range);

/** The bounds of the sheets of a list by entry dates. The sheet of the position is included. */
export const sheetBounds = (
  tenant: TenantName,
  { from = '', to = lastDate, order, after }: ListRange,
): SortBounds => {
  const first = `${sheetPrefix}${from}`;
  const last = behind(`${sheetPrefix}${to}`);
  if (after === undefined) return { first, last };
  const { sk } = sheetKey(tenant, after.place);
  return order === 'asc'
    ? { first: sk > first ? sk : first, last }
    : { first, last: sk < last ? sk : last };
};

/** The items that name entries: those with a status, or with a pair of metadata. */
export type MarkerKind = MarkedStatus | MetadataPair;

/** The bounds of the items that name entries. */
export const markerBounds = (
  tenant: TenantName,
  kind: MarkerKind,
  range: ListRange,
): SortBounds => {
  const isStatus = typeof kind === 'string';
  const sortOf = ({ date, place }: ListPosition): string => {
    const entry = entryKey(tenant, place);
    return isStatus ? markerKeys(entry, date)[kind].sk : metadataEntryKey(entry, kind).sk;
  };
  return boundsOf(
    { prefix: isStatus ? markerPrefixes[kind] : metadataPrefix(kind), sortOf },
    range,
  );
};

/**
 * The entries of a date and series, or the entries from one date and series up to the first entry
 * of another. Without `from` or `to` the range has no such limit.
 */
export type EntryRange =
  | { of: SheetName }
  | { from?: SheetName | undefined; to?: SheetName | undefined };

/** The bounds of the entries from one place to another of the same date and series. */
export const boundsOfPlaces = (
  tenant: TenantName,
  { first, last }: { first: EntryPlace; last: EntryPlace },
): { from: string; to: string } => ({
  from: entryKey(tenant, first).sk,
  to: behind(entryKey(tenant, last).sk),
});

/** The bounds of a range of entries. */
export const rangeBounds = (range: EntryRange): { from: string; to: string } => {
  if ('of' in range) {
    const from = entriesFrom(range.of);
    return { from, to: `${from}${lastCharacter}` };
  }
  return {
    from: range.from ? entriesFrom(range.from) : entryPrefix,
    to: range.to ? entriesFrom(range.to) : `${entryPrefix}${lastCharacter}`,
  };
};
