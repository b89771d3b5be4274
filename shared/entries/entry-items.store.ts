// Divides an entry into items, and reads it from them.

import * as z from 'zod/mini';
import { batchesOf } from '../table/batches.ts';
import { replaceAction } from '../table/field-updates.ts';
import { furtherLinesKey, type Key } from '../table/keys.ts';
import { metadataEntryKey } from '../table/list-keys.ts';
import { type Action, type Item, ifNotExists } from '../table/table.ts';
import { JournalEntry, JournalLine, type JournalLine as Line } from './journal-entry.ts';
import type { FilteredFields } from './lists/entry-filter.ts';

/** With the longest texts, 100 lines stay well below the maximum of an item, 400 KB. */
export const maximumLinesPerItem = 100;

const zero = '0.00';
/** Zeros are not stored. Each line has one on one of its sides. */
const amountOrZero = z._default(z.string(), zero);

/**
 * Derivable values are not stored, so that an entry of two lines fits into the 1,024 bytes of one
 * write unit. Book amounts are stored only if they differ from the reporting amounts.
 */
const StoredLine = z.extend(JournalLine, {
  debit: amountOrZero,
  credit: amountOrZero,
  reportingDebit: amountOrZero,
  reportingCredit: amountOrZero,
  bookDebit: z.optional(z.string()),
  bookCredit: z.optional(z.string()),
  lineClass: z.optional(JournalLine.shape.lineClass),
  /** In entries of formats before 6, instead of a class. */
  isCash: z.optional(z.literal(true)),
});
type StoredLine = z.input<typeof StoredLine>;

const StoredHeader = z.object({
  date: z.string(),
  accrualDate: z.nullable(z.string()),
  reportingCurrency: z.string(),
  reportingAmount: z.string(),
  exchangeRate: z.string(),
  hash: z._default(z.nullable(z.string()), null),
  lines: z.array(StoredLine),
  lineCount: z.int(),
});

const FurtherLines = z.object({ lines: z.array(StoredLine) });

const unlessZero = (amounts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== zero));

const storedLine = (
  { debit, credit, reportingDebit, reportingCredit, bookDebit, bookCredit, ...others }: Line,
  { isBooked }: { isBooked: boolean },
): StoredLine => {
  const { lineClass, ...line } = others;
  return {
    ...line,
    // Most lines are operating, so this class is not stored.
    ...(lineClass !== 'operating' && { lineClass }),
    ...unlessZero({ debit, credit, reportingDebit, reportingCredit }),
    ...(isBooked ? {} : { bookDebit, bookCredit }),
  };
};

/**
 * Hashes of version 1 are stored as hexadecimal digits. Those of version 2 are stored in base64,
 * which is shorter and so tells the version.
 */
const storedHash = ({ hash, hashVersion }: { hash: string; hashVersion: 1 | 2 }): string =>
  hashVersion === 1 ? hash : Buffer.from(hash, 'hex').toString('base64url');

const hexLength = 64;

const readHash = (stored: string | null): Pick<JournalEntry, 'hash' | 'hashVersion'> =>
  stored === null || stored.length === hexLength
    ? { hash: stored, hashVersion: 1 }
    : { hash: Buffer.from(stored, 'base64url').toString('hex'), hashVersion: 2 };

/** The stored fields of an entry. */
const storedEntry = (entry: JournalEntry): Item & { lines: StoredLine[] } => {
  const { postingDate, postingSequence, hash, hashVersion, lines, ...further } = entry;
  const { metadata, reverses, reversedBy, cancelledAt, ...header } = further;
  const { bookCurrency, bookAmount, bookExchangeRate, ...unbooked } = header;
  const isBooked = bookCurrency === entry.reportingCurrency;
  return {
    ...(isBooked ? unbooked : header),
    ...(postingSequence !== null && { postingSequence }),
    ...(hash !== null && { hash: storedHash({ hash, hashVersion }) }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(reverses !== null && { reverses }),
    ...(reversedBy !== null && { reversedBy }),
    ...(cancelledAt !== null && { cancelledAt }),
    lines: lines.map((line) => storedLine(line, { isBooked })),
  };
};

/** The actions that put an entry: its header with the first lines, then its further lines. */
export const entryActions = (key: Key, entry: JournalEntry): Action[] => {
  const { lines, ...header } = storedEntry(entry);
  const [firstLines, ...furtherLines] = batchesOf(lines, maximumLinesPerItem);
  const first = { kind: 'entry', ...header, lines: firstLines, lineCount: lines.length };
  return [
    { put: { ...key, ...first }, condition: ifNotExists },
    ...furtherLines.map((more, part) => ({
      put: { ...furtherLinesKey(key, part + 1), lines: more },
      condition: ifNotExists,
    })),
  ];
};

/**
 * The action that replaces the header of a scheduled entry, which posts or is cancelled. Nothing
 * else changes a scheduled entry.
 */
export const replaceScheduledAction = (key: Key, entry: JournalEntry): Action => {
  const [header] = entryActions(key, entry);
  if (header === undefined || !('put' in header)) throw new Error('an entry has no items');
  return replaceAction(header.put, { status: 'scheduled' });
};

/**
 * Reads an entry from its items: the header, then the further lines in order. Returns `undefined`
 * if items are missing, because the items of a transaction become visible one by one.
 */
export const readEntry = ([first, ...further]: readonly Item[]): JournalEntry | undefined => {
  if (first === undefined) return undefined;
  const header = StoredHeader.parse(first);
  const lines = [...header.lines, ...further.flatMap((item) => FurtherLines.parse(item).lines)];
  if (lines.length !== header.lineCount) return undefined;
  const usualClass = lines.some(({ isCash }) => isCash) ? 'unknown' : 'operating';
  return JournalEntry.parse({
    postingDate: header.accrualDate ?? header.date,
    postingSequence: null,
    metadata: {},
    reverses: null,
    reversedBy: null,
    cancelledAt: null,
    bookCurrency: header.reportingCurrency,
    bookAmount: header.reportingAmount,
    bookExchangeRate: header.exchangeRate,
    ...first,
    ...readHash(header.hash),
    lines: lines.map(({ isCash, ...line }) => ({
      bookDebit: line.reportingDebit,
      bookCredit: line.reportingCredit,
      lineClass: isCash ? 'cash' : usualClass,
      ...line,
    })),
  });
};

/** The fields of an entry that lists filter by, from its items, if these are complete. */
export const storedFieldsOf = (items: readonly Item[]): FilteredFields | undefined => {
  const [header] = items;
  const lines = items.flatMap((item) => item.lines as { account: string }[]);
  if (header?.status === undefined || lines.length !== header.lineCount) return undefined;
  const { status, entryType, ...further } = header as Partial<FilteredFields>;
  const { createdAt, postedAt = null, cancelledAt = null, metadata = {} } = further;
  const times = { createdAt, postedAt, cancelledAt };
  return { status, entryType, ...times, metadata, lines } as FilteredFields;
};

/** The keys of the items that list an entry by its metadata. */
export const metadataKeysOf = (
  entry: Key,
  { indexed = [], metadata }: Pick<JournalEntry, 'indexed' | 'metadata'>,
): Key[] => indexed.map((key) => metadataEntryKey(entry, { key, value: metadata[key] ?? '' }));

/** Longer lists are not stored, because the item should take one write unit. */
const maximumNamedAccountsLength = 500;

/**
 * The accounts of a scheduled or cancelled entry, one per line, in its marker. Lists by account
 * then read only matching entries. None if they are too long.
 */
export const namedAccountsOf = ({
  lines,
}: {
  lines: readonly { account: string }[];
}): { accounts?: string } => {
  const accounts = [...new Set(lines.map(({ account }) => account))].join('\n');
  return Buffer.byteLength(accounts) <= maximumNamedAccountsLength ? { accounts } : {};
};
