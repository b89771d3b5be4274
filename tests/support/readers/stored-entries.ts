// Entries as stored, read independently of the product: their form, their lines from one item or
// several, and their derived fields.

import * as z from 'zod/mini';
import { type Found, type SortedItems, tenantOfPart } from './item-kinds.ts';
import { unless } from './violations.ts';

const amountText = z.string().check(z.regex(/^\d+\.\d{2,3}$/));
const rateText = z.string().check(z.regex(/^\d+\.\d{11}$/));

/** An empty side is not stored. */
const amountOrNothing = z._default(amountText, '0.00');

const StoredLine = z.strictObject({
  lineNumber: z.int(),
  account: z.string(),
  accountNumber: z.optional(z.int()),
  accountName: z.string(),
  description: z.string(),
  debit: amountOrNothing,
  credit: amountOrNothing,
  reportingDebit: amountOrNothing,
  reportingCredit: amountOrNothing,
  bookDebit: z.optional(amountText),
  bookCredit: z.optional(amountText),
  lineClass: z.optional(z.string()),
  /** In entries of formats before 6. */
  isCash: z.optional(z.literal(true)),
  revaluedCurrency: z.optional(z.string()),
});

const Header = z.object({
  kind: z.literal('entry'),
  entryId: z.string(),
  journalNumber: z.string(),
  date: z.string(),
  memo: z.string(),
  entryType: z.string(),
  status: z.enum(['posted', 'scheduled', 'cancelled']),
  postingSequence: z.optional(z.int().check(z.gte(1))),
  /** Hexadecimal digits in version 1, base64 in version 2. */
  hash: z.optional(z.string().check(z.regex(/^([0-9a-f]{64}|[\w-]{43})$/))),
  accrualDate: z.nullable(z.string()),
  externalId: z.nullable(z.string()),
  platformReference: z.optional(z.string()),
  userId: z.nullable(z.string()),
  transactionCurrency: z.string(),
  transactionAmount: amountText,
  reportingCurrency: z.string(),
  reportingAmount: amountText,
  exchangeRate: rateText,
  exchangeRateDate: z.string(),
  exchangeRateSource: z.string(),
  knownExchangeRate: z.optional(z.nullable(z.string())),
  bookCurrency: z.optional(z.string()),
  bookAmount: z.optional(amountText),
  bookExchangeRate: z.optional(rateText),
  lines: z.array(StoredLine),
  lineCount: z.int(),
  metadata: z.optional(z.record(z.string(), z.string())),
  reverses: z.optional(z.string()),
  reversedBy: z.optional(z.string()),
  cancelledAt: z.optional(z.iso.datetime()),
  cancelledWithKey: z.optional(z.string()),
  createdAt: z.iso.datetime(),
  createdWithKey: z.nullable(z.string()),
  postedAt: z.nullable(z.iso.datetime()),
  due_pk: z.optional(z.string()),
  due_sk: z.optional(z.string()),
});

const FurtherLines = z.object({ lines: z.array(StoredLine) });

type Amounts = { bookDebit: string; bookCredit: string; lineClass: string };
export type Line = Omit<z.infer<typeof StoredLine>, keyof Amounts | 'isCash'> & Amounts;

type Books = { bookCurrency: string; bookAmount: string; bookExchangeRate: string };
/** An entry with its derived fields. */
export type StoredEntry = Omit<z.infer<typeof Header>, 'lines' | keyof Books> &
  Books & {
    found: Found;
    hash?: string | undefined;
    hashVersion: 1 | 2;
    lines: Line[];
    series: string;
    sequence: number;
    postingDate: string;
  };

const readHash = (stored: string | undefined): { hash?: string; hashVersion: 1 | 2 } => {
  if (stored === undefined) return { hashVersion: 1 };
  if (stored.length === 64) return { hash: stored, hashVersion: 1 };
  return { hash: Buffer.from(stored, 'base64url').toString('hex'), hashVersion: 2 };
};

type Read = { entry?: StoredEntry; violations: string[] };

/** The lines of an entry from all of its items. */
const linesOf = (items: SortedItems, found: Found, header: z.infer<typeof Header>) => {
  const parts = items
    .beside(found, 'further lines')
    .filter(({ key }) => key.sk.startsWith(`${found.key.sk}#LINES#`))
    .sort((one, other) => (one.key.sk < other.key.sk ? -1 : 1))
    .map(({ item, parts: [, , , , , part] }) => ({ part: Number(part), item }));
  const lines = [
    ...header.lines,
    ...parts.flatMap(({ item }) => FurtherLines.safeParse(item).data?.lines ?? []),
  ];
  const isWhole =
    lines.length === header.lineCount &&
    parts.every(({ part }, index) => part === index + 1) &&
    lines.every(({ lineNumber }, index) => lineNumber === index + 1);
  return {
    lines,
    violations: unless(isWhole, `has other lines than the ${header.lineCount} it counts`),
  };
};

/** Book amounts are stored if and only if they differ from the reporting amounts. */
const bookViolations = (
  { reportingCurrency, ...header }: z.infer<typeof Header>,
  { lines, currency }: { lines: readonly z.infer<typeof StoredLine>[]; currency: unknown },
): string[] => {
  const { bookCurrency, bookAmount, bookExchangeRate } = header;
  const stored = [
    ...[bookCurrency, bookAmount, bookExchangeRate],
    ...lines.flatMap(({ bookDebit, bookCredit }) => [bookDebit, bookCredit]),
  ];
  const isBooked = reportingCurrency === currency;
  const isRight = stored.every((it) => (it === undefined) === isBooked);
  return [
    ...unless(isRight, isBooked ? 'has book amounts beside the same ones' : 'lacks book amounts'),
    ...unless(isBooked || bookCurrency === currency, `has books in ${bookCurrency}`),
  ];
};

/** Reads an entry. There is none if its form is wrong. */
export const readEntry = (items: SortedItems, found: Found): Read => {
  const parsed = Header.safeParse(found.item);
  if (!parsed.success) {
    return { violations: [`has not the form of an entry: ${parsed.error.message}`] };
  }
  const header = parsed.data;
  const [, , , series = '', sequence] = found.parts;
  const { lines, violations } = linesOf(items, found, header);
  const { currency } = items.at(tenantOfPart(found))?.item ?? {};
  const { bookCurrency = header.reportingCurrency, bookAmount = header.reportingAmount } = header;
  const { bookExchangeRate = header.exchangeRate, accrualDate, date } = header;
  const usual = lines.some(({ isCash }) => isCash) ? 'unknown' : 'operating';
  return {
    violations: [...violations, ...bookViolations(header, { lines, currency })],
    entry: {
      ...header,
      ...readHash(header.hash),
      bookCurrency,
      bookAmount,
      bookExchangeRate,
      found,
      series,
      sequence: Number(sequence),
      postingDate: accrualDate ?? date,
      lines: lines.map(({ isCash, lineClass = usual, bookDebit, bookCredit, ...line }) => ({
        ...line,
        lineClass: isCash ? 'cash' : lineClass,
        bookDebit: bookDebit ?? line.reportingDebit,
        bookCredit: bookCredit ?? line.reportingCredit,
      })),
    },
  };
};

/** The digits of decimal text as a whole number, such as a rate in units of its last decimal. */
export const digitsOf = (text: string): bigint => BigInt(text.replace('.', ''));

/** An amount with up to three decimals, in thousandths. */
export const amountIn = (text: string): bigint => {
  const [, decimals = ''] = text.split('.');
  return digitsOf(text) * 10n ** BigInt(3 - decimals.length);
};
