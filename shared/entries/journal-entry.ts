// A recorded journal entry: created through the API or imported from a platform.

import * as z from 'zod/mini';
import { lineClasses } from '../accounts/line-classes.ts';
import { isCalendarDate } from '../money/dates.ts';
import { RateSource } from '../rates/exchange-rates.ts';

/** The limits of texts, for requests and for imported journals. */
export const maximumMemoLength = 1_000;
export const maximumDescriptionLength = 255;
export const maximumExternalIdLength = 255;

export const JournalLine = z.object({
  lineNumber: z.int(),
  account: z.string(),
  /** The number of the account, its name on sheets; `undefined` if it had none. */
  accountNumber: z.optional(z.int()),
  accountName: z.string(),
  description: z.string(),
  debit: z.string(),
  credit: z.string(),
  reportingDebit: z.string(),
  reportingCredit: z.string(),
  bookDebit: z.string(),
  bookCredit: z.string(),
  lineClass: z.enum(lineClasses),
  /** The currency whose book amount the line adjusts. Only in revaluations and their reversals. */
  revaluedCurrency: z.optional(z.string()),
});
export type JournalLine = z.infer<typeof JournalLine>;

/** Swaps the sides of a line in all three currencies. */
export const reversedLine = (line: JournalLine): JournalLine => ({
  ...line,
  debit: line.credit,
  credit: line.debit,
  reportingDebit: line.reportingCredit,
  reportingCredit: line.reportingDebit,
  bookDebit: line.bookCredit,
  bookCredit: line.bookDebit,
});

/**
 * The common fields of all entries. Amounts are text with the decimals that replies show for their
 * currency. Book amounts are in the tenant's currency; they equal the reporting amounts if the
 * currencies are the same.
 */
const EntryFields = z.object({
  entryId: z.string(),
  journalNumber: z.string(),
  date: z.string(),
  memo: z.string(),
  status: z.enum(['posted', 'scheduled', 'cancelled']),
  /** The date on which the entry counts: the accrual date if set, otherwise the entry date. */
  postingDate: z.string(),
  /** The position among the entries that count on the posting date. Null until posted. */
  postingSequence: z.nullable(z.int()),
  /** Null for a scheduled entry of a format before 6. */
  hash: z.nullable(z.string()),
  hashVersion: z.union([z.literal(1), z.literal(2)]),
  accrualDate: z.nullable(z.string()),
  externalId: z.nullable(z.string()),
  transactionCurrency: z.string(),
  transactionAmount: z.string(),
  reportingCurrency: z.string(),
  reportingAmount: z.string(),
  exchangeRate: z.string(),
  exchangeRateDate: z.string(),
  /** The service's rate at the time, null if it had none. Only if the rate is the caller's. */
  knownExchangeRate: z.optional(z.nullable(z.string())),
  bookCurrency: z.string(),
  bookAmount: z.string(),
  /** Units of the book currency for one unit of the transaction currency, eleven decimals. */
  bookExchangeRate: z.string(),
  lines: z.array(JournalLine),
  metadata: z.record(z.string(), z.string()),
  /** The metadata keys that list the entry. */
  indexed: z.optional(z.array(z.string())),
  /** The id of the entry that this entry reverses. */
  reverses: z.nullable(z.string()),
  /** The id of the reversal of this entry. */
  reversedBy: z.nullable(z.string()),
  createdAt: z.string(),
  postedAt: z.nullable(z.string()),
  cancelledAt: z.nullable(z.string()),
  /** The id of the API key; missing if the entry was not cancelled, or by an earlier version. */
  cancelledWithKey: z.optional(z.string()),
});

/** An entry that an application created through the API. */
export const ApiEntry = z.extend(EntryFields, {
  entryType: z.enum(['Manual Journal', 'Revaluation']),
  /** `platform` only in the reversal of an imported journal. */
  exchangeRateSource: z.union([RateSource, z.literal('platform')]),
  /** The id of the API key. */
  createdWithKey: z.string(),
  /** The user who posted the entry; null if the request named none. */
  userId: z.nullable(z.string()),
});
export type ApiEntry = z.infer<typeof ApiEntry>;

/** An entry imported from a platform. `platformReference` is the platform's id. */
export const ImportedJournal = z.extend(EntryFields, {
  entryType: z.literal('Imported Journal'),
  exchangeRateSource: z.enum(['platform', 'same_currency']),
  createdWithKey: z.null(),
  userId: z.null(),
  platformReference: z.string(),
});
export type ImportedJournal = z.infer<typeof ImportedJournal>;

/**
 * The difference between a platform's trial balance and the books, which an import posts. Its
 * metadata names the report of the platform.
 */
export const PlatformBalance = z.extend(EntryFields, {
  entryType: z.literal('Platform Balance'),
  exchangeRateSource: z.literal('same_currency'),
  createdWithKey: z.null(),
  userId: z.null(),
});
export type PlatformBalance = z.infer<typeof PlatformBalance>;

export const JournalEntry = z.discriminatedUnion('entryType', [
  ApiEntry,
  ImportedJournal,
  PlatformBalance,
]);
export type JournalEntry = z.infer<typeof JournalEntry>;

/** An entry before it gets its number and id, and before it counts. */
export type UnnumberedEntry<Entry extends JournalEntry> = Omit<
  Entry,
  'entryId' | 'journalNumber' | 'postingSequence' | 'hash' | 'hashVersion' | 'status'
> & { status: 'posted' | 'scheduled' };

/** The prefixes of journal numbers, and the entries that they number. */
export const entryTypeOf = {
  IJ: 'Imported Journal',
  MJ: 'Manual Journal',
  PB: 'Platform Balance',
  RV: 'Revaluation',
} as const satisfies Record<string, JournalEntry['entryType']>;
export type JournalSeries = keyof typeof entryTypeOf;

export const journalSeries = ['IJ', 'MJ', 'PB', 'RV'] as const satisfies JournalSeries[];

const Place = z.object({
  series: z.enum(journalSeries),
  date: z.string().check(z.refine(isCalendarDate)),
  sequence: z.coerce.number().check(z.positive()),
});

/** The place of an entry. The sequence is unique within tenant, series and date. */
export type EntryPlace = z.infer<typeof Place>;

/** For example `MJ-20260131-0001`: series, entry date, sequence. */
export const journalNumber = ({ series, date, sequence }: EntryPlace): string =>
  `${series}-${date.replaceAll('-', '')}-${String(sequence).padStart(4, '0')}`;

/** The place in a journal number; `undefined` if no entry can have this number. */
export const readJournalNumber = (text: string): EntryPlace | undefined => {
  const [, series, year, month, day, sequence] =
    /^(IJ|MJ|PB|RV)-(\d{4})(\d\d)(\d\d)-(\d{4,9})$/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  const place = Place.safeParse({ series, date, sequence }).data;
  return place && journalNumber(place) === text ? place : undefined;
};
