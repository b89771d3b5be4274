// The filter of a list of entries: which entries match, and on which dates some may.

import { mayHaveFiled, type NamedSheet } from '../../sheets/day-sheet.ts';
import { type EntryBlock, namesIn, type RecordingTime } from '../../sheets/entry-blocks.ts';
import { rowNamesOf } from '../../sheets/row-text.ts';
import type { MetadataPair } from '../../tenants/indexed-metadata.ts';
import { entryTypeOf, type JournalEntry } from '../journal-entry.ts';

/** What happened to entries: they were created, posted after they were scheduled, or cancelled. */
export type EntryChange = 'creation' | 'posting' | 'cancellation';

export type EntryFilter = {
  status?: JournalEntry['status'] | undefined;
  entryType?: JournalEntry['entryType'] | undefined;
  /** Only entries with a line on this account. */
  account?: string | undefined;
  /** The number of this account, if it has one. */
  accountNumber?: number | undefined;
  /** Only entries with this change; by default their creation. */
  change?: EntryChange | undefined;
  /** Only entries with the change at or after this time, in milliseconds since 1970. */
  recordedFrom?: number | undefined;
  /** Only entries with this metadata. */
  metadata?: MetadataPair | undefined;
};

export type FilteredFields = Pick<
  JournalEntry,
  'status' | 'entryType' | 'createdAt' | 'postedAt' | 'cancelledAt' | 'metadata'
> & {
  lines: readonly Pick<JournalEntry['lines'][number], 'account'>[];
};

const isFrom = ({ recordedFrom = 0 }: EntryFilter, time: string | null): boolean =>
  time !== null && Date.parse(time) >= recordedFrom;

/** The time of the change; null if it did not happen. */
const timeOfChange = (
  { change = 'creation' }: EntryFilter,
  { createdAt, postedAt, cancelledAt }: FilteredFields,
): string | null => {
  if (change === 'cancellation') return cancelledAt;
  if (change === 'posting') return postedAt === createdAt ? null : postedAt;
  return createdAt;
};

export const isMatch = (filter: EntryFilter, entry: FilteredFields): boolean => {
  const { status, entryType, account, metadata } = filter;
  return (
    (status === undefined || entry.status === status) &&
    (entryType === undefined || entry.entryType === entryType) &&
    (account === undefined || entry.lines.some((line) => line.account === account)) &&
    isFrom(filter, timeOfChange(filter, entry)) &&
    (metadata === undefined || entry.metadata[metadata.key] === metadata.value)
  );
};

/** Whether day sheets can exclude entries. Most dates have posted entries. */
export const isOfSomeDates = (filter: EntryFilter): boolean =>
  filter.entryType !== undefined || isOfSomeBlocks(filter);

/** Whether blocks can exclude entries. */
export const isOfSomeBlocks = ({ account, recordedFrom }: EntryFilter): boolean =>
  account !== undefined || recordedFrom !== undefined;

const mayBeRecordedFrom = (
  { recordedFrom = 0 }: EntryFilter,
  { recordedUntil }: RecordingTime,
): boolean => recordedUntil === undefined || recordedUntil >= recordedFrom;

/** Whether entries filed on a sheet can match. */
export const mayMatchOn = (filter: EntryFilter, sheet: Omit<NamedSheet, 'date'>): boolean => {
  const { entryType, account, accountNumber } = filter;
  return (
    sheet.lastSequence > 0 &&
    mayBeRecordedFrom(filter, sheet) &&
    (entryType === undefined || entryType === entryTypeOf[sheet.series]) &&
    (account === undefined || mayHaveFiled(sheet, { code: account, number: accountNumber }))
  );
};

/** A function that returns whether an entry of a block can match. */
export const blockFilterOf = (filter: EntryFilter): ((block: EntryBlock) => boolean) => {
  const { account, accountNumber } = filter;
  const names = rowNamesOf({ code: account ?? '', number: accountNumber });
  const hasAccount = ({ accounts }: EntryBlock): boolean =>
    account === undefined || namesIn(accounts).some((name) => names.includes(name));
  return (block) => mayBeRecordedFrom(filter, block) && hasAccount(block);
};

/** The fields of an item that names an entry. Those of earlier versions have fewer. */
type NamingItem = {
  accounts?: unknown;
  createdAt?: unknown;
  postedAt?: unknown;
  cancelledAt?: unknown;
  isPostedAtOnce?: unknown;
};

/** Whether an item that names an entry may name a match. */
export const mayMatchName = (filter: EntryFilter, item: NamingItem): boolean => {
  const { account, entryType, change } = filter;
  const { accounts } = item;
  const time = item.createdAt ?? item.postedAt ?? item.cancelledAt;
  return (
    (entryType === undefined || entryType === 'Manual Journal') &&
    (change !== 'posting' || item.isPostedAtOnce === undefined) &&
    (typeof time !== 'string' || isFrom(filter, time)) &&
    (account === undefined ||
      typeof accounts !== 'string' ||
      accounts.split('\n').includes(account))
  );
};
