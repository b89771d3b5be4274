// How an entry of the ledger is divided into items, and read back from them.

import * as z from 'zod/mini';
import { furtherLinesKey, type Key } from '../table/keys.ts';
import { type Action, type Item, ifNotExists } from '../table/table.ts';
import { JournalEntry, JournalLine, type JournalLine as Line } from './journal-entry.ts';

/** An item holds 400 KB at most; a hundred lines of the longest texts stay well below that. */
export const linesPerItem = 100;

const zero = '0.00';
/** An amount that is left out where it is zero, as on one side of every line. */
const amountOrZero = z._default(z.string(), zero);

/**
 * What follows from the rest is not stored: an entry of two lines fits into the 1,024 bytes of one
 * write unit. Book amounts are left out where they are the reporting ones.
 */
const StoredLine = z.extend(JournalLine, {
  debit: amountOrZero,
  credit: amountOrZero,
  reportingDebit: amountOrZero,
  reportingCredit: amountOrZero,
  bookDebit: z.optional(z.string()),
  bookCredit: z.optional(z.string()),
  isCash: z.optional(z.literal(true)),
});
type StoredLine = z.input<typeof StoredLine>;

const StoredHeader = z.object({
  date: z.string(),
  accrualDate: z.nullable(z.string()),
  reportingCurrency: z.string(),
  reportingAmount: z.string(),
  exchangeRate: z.string(),
  lines: z.array(StoredLine),
  lineCount: z.int(),
});

const FurtherLines = z.object({ lines: z.array(StoredLine) });

const unlessZero = (amounts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== zero));

const storedLine = (
  { debit, credit, reportingDebit, reportingCredit, bookDebit, bookCredit, isCash, ...line }: Line,
  { isBooked }: { isBooked: boolean },
): StoredLine => ({
  ...line,
  ...unlessZero({ debit, credit, reportingDebit, reportingCredit }),
  ...(isBooked ? {} : { bookDebit, bookCredit }),
  ...(isCash && { isCash }),
});

/** An entry as its items hold it, less what is left out. */
const storedEntry = (entry: JournalEntry): Item & { lines: StoredLine[] } => {
  const { postingDate, postingSequence, hash, lines, ...further } = entry;
  const { metadata, reverses, reversedBy, cancelledAt, ...header } = further;
  const { bookCurrency, bookAmount, bookExchangeRate, ...unbooked } = header;
  const isBooked = bookCurrency === entry.reportingCurrency;
  return {
    ...(isBooked ? unbooked : header),
    ...(postingSequence !== null && { postingSequence, hash }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(reverses !== null && { reverses }),
    ...(reversedBy !== null && { reversedBy }),
    ...(cancelledAt !== null && { cancelledAt }),
    lines: lines.map((line) => storedLine(line, { isBooked })),
  };
};

/** The actions that put an entry: its header with the first lines, and the lines after them. */
export const entryActions = (key: Key, entry: JournalEntry): Action[] => {
  const { lines, ...header } = storedEntry(entry);
  const parts = Array.from({ length: Math.ceil(lines.length / linesPerItem) }, (_, part) =>
    lines.slice(part * linesPerItem, (part + 1) * linesPerItem),
  );
  const [firstLines, ...furtherLines] = parts;
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
 * The entry of these items, its header first and then its further lines in their order; `undefined`
 * where some are missing, as those of a transaction show up one by one.
 */
export const readEntry = ([first, ...further]: readonly Item[]): JournalEntry | undefined => {
  if (first === undefined) return undefined;
  const header = StoredHeader.parse(first);
  const lines = [...header.lines, ...further.flatMap((item) => FurtherLines.parse(item).lines)];
  if (lines.length !== header.lineCount) return undefined;
  return JournalEntry.parse({
    postingDate: header.accrualDate ?? header.date,
    ...{ postingSequence: null, hash: null },
    metadata: {},
    ...{ reverses: null, reversedBy: null, cancelledAt: null },
    bookCurrency: header.reportingCurrency,
    bookAmount: header.reportingAmount,
    bookExchangeRate: header.exchangeRate,
    ...first,
    lines: lines.map((line) => ({
      ...{ bookDebit: line.reportingDebit, bookCredit: line.reportingCredit, isCash: false },
      ...line,
    })),
  });
};
