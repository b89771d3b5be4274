// The filter of a list of entries: which entries match, and on which dates some may.

import { mayHaveFiled, type NamedSheet } from '../../sheets/day-sheet.ts';
import { type EntryBlock, namesIn, type RecordingTime } from '../../sheets/entry-blocks.ts';
import { rowNamesOf } from '../../sheets/row-text.ts';
import type { MetadataPair } from '../../tenants/indexed-metadata.ts';
import { entryTypeOf, type JournalEntry } from '../journal-entry.ts';

export type EntryFilter = {
  status?: JournalEntry['status'] | undefined;
  entryType?: JournalEntry['entryType'] | undefined;
  /** Only entries with a line on this account. */
  account?: string | undefined;
  /** The number of this account, if it has one. */
  accountNumber?: number | undefined;
  /** Only entries that were recorded at or after this time, in milliseconds since 1970. */
  recordedFrom?: number | undefined;
  /** Only entries with this metadata. */
  metadata?: MetadataPair | undefined;
};

export type FilteredFields = Pick<
  JournalEntry,
  'status' | 'entryType' | 'createdAt' | 'metadata'
> & {
  lines: readonly Pick<JournalEntry['lines'][number], 'account'>[];
};

const isRecordedFrom = (
  { recordedFrom }: Pick<EntryFilter, 'recordedFrom'>,
  { createdAt }: Pick<JournalEntry, 'createdAt'>,
): boolean => recordedFrom === undefined || Date.parse(createdAt) >= recordedFrom;

export const isMatch = (
  { status, entryType, account, recordedFrom, metadata }: EntryFilter,
  entry: FilteredFields,
): boolean =>
  (status === undefined || entry.status === status) &&
  (entryType === undefined || entry.entryType === entryType) &&
  (account === undefined || entry.lines.some((line) => line.account === account)) &&
  isRecordedFrom({ recordedFrom }, entry) &&
  (metadata === undefined || entry.metadata[metadata.key] === metadata.value);

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

/** Whether an item that names an entry may name a match. Some have no accounts or no time. */
export const mayMatchName = (
  { account, entryType, recordedFrom }: EntryFilter,
  { accounts, createdAt }: { accounts?: unknown; createdAt?: unknown },
): boolean =>
  (entryType === undefined || entryType === 'Manual Journal') &&
  (typeof createdAt !== 'string' || isRecordedFrom({ recordedFrom }, { createdAt })) &&
  (account === undefined || typeof accounts !== 'string' || accounts.split('\n').includes(account));
