// A journal entry as the ledger keeps it: one that was posted by request, or one that was imported.

import * as z from 'zod/mini';
import { isCalendarDate } from '../dates.ts';
import { RateSource } from '../exchange-rates.ts';

export const JournalLine = z.object({
  lineNumber: z.int(),
  account: z.string(),
  accountName: z.string(),
  description: z.string(),
  debit: z.string(),
  credit: z.string(),
  reportingDebit: z.string(),
  reportingCredit: z.string(),
  bookDebit: z.string(),
  bookCredit: z.string(),
  /** Whether its account is cash or a cash equivalent, which an account stays for ever. */
  isCash: z.boolean(),
});
export type JournalLine = z.infer<typeof JournalLine>;

/**
 * What every entry has. Amounts are decimal text with two decimals. Book amounts are those in the
 * tenant's currency, in which its books are kept: the reporting ones where that is the same.
 */
const EntryFields = z.object({
  entryId: z.string(),
  journalNumber: z.string(),
  date: z.string(),
  memo: z.string(),
  status: z.enum(['posted', 'scheduled', 'cancelled']),
  /** The date on which it counts: that of its accrual where it has one, else its own. */
  postingDate: z.string(),
  /** Its place among what counts on that date; `null` until it is posted, as is the hash. */
  postingSequence: z.nullable(z.int()),
  hash: z.nullable(z.string()),
  accrualDate: z.nullable(z.string()),
  externalId: z.nullable(z.string()),
  transactionCurrency: z.string(),
  transactionAmount: z.string(),
  reportingCurrency: z.string(),
  reportingAmount: z.string(),
  exchangeRate: z.string(),
  exchangeRateDate: z.string(),
  bookCurrency: z.string(),
  bookAmount: z.string(),
  /** Units of the book currency for one unit of the transaction currency, eleven decimals. */
  bookExchangeRate: z.string(),
  lines: z.array(JournalLine),
  /** What its application keeps with it. */
  metadata: z.record(z.string(), z.string()),
  /** The id of the entry that it reverses, and that of the entry by which it is reversed. */
  reverses: z.nullable(z.string()),
  reversedBy: z.nullable(z.string()),
  createdAt: z.string(),
  postedAt: z.nullable(z.string()),
  cancelledAt: z.nullable(z.string()),
});

/** An entry that an application asked for, with the key that it used. */
export const ApiEntry = z.extend(EntryFields, {
  entryType: z.literal('Manual Journal'),
  /** That of an imported journal is taken over by its reversal. */
  exchangeRateSource: z.union([RateSource, z.literal('platform')]),
  createdWithKey: z.string(),
  /** The user who posted it, where the application says so. */
  userId: z.nullable(z.string()),
});
export type ApiEntry = z.infer<typeof ApiEntry>;

/** An entry that came from a platform; `platformReference` is the platform's own id of it. */
export const ImportedJournal = z.extend(EntryFields, {
  entryType: z.literal('Imported Journal'),
  exchangeRateSource: z.enum(['platform', 'same_currency']),
  createdWithKey: z.null(),
  userId: z.null(),
  platformReference: z.string(),
});
export type ImportedJournal = z.infer<typeof ImportedJournal>;

export const JournalEntry = z.discriminatedUnion('entryType', [ApiEntry, ImportedJournal]);
export type JournalEntry = z.infer<typeof JournalEntry>;

/** An entry before it has its number, and with it its id, and before it counts. */
export type UnnumberedEntry<Entry extends JournalEntry> = Omit<
  Entry,
  'entryId' | 'journalNumber' | 'postingSequence' | 'hash' | 'status'
> & { status: 'posted' | 'scheduled' };

/** The prefix of a number says which series it counts: manual or imported journals. */
export const journalSeries = ['IJ', 'MJ'] as const;
export type JournalSeries = (typeof journalSeries)[number];

const Place = z.object({
  series: z.enum(journalSeries),
  date: z.string().check(z.refine(isCalendarDate)),
  sequence: z.coerce.number().check(z.positive()),
});

/** Where an entry is filed: its date, and its sequence within tenant, series and date. */
export type EntryPlace = z.infer<typeof Place>;

/** `MJ-20260131-0001`: series, entry date, sequence within tenant, series and date. */
export const journalNumber = ({ series, date, sequence }: EntryPlace): string =>
  `${series}-${date.replaceAll('-', '')}-${String(sequence).padStart(4, '0')}`;

/** Where the entry of this number is filed; `undefined` where no entry can have it. */
export const readJournalNumber = (text: string): EntryPlace | undefined => {
  const [, series, year, month, day, sequence] =
    /^(IJ|MJ)-(\d{4})(\d\d)(\d\d)-(\d{4,9})$/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  const place = Place.safeParse({ series, date, sequence }).data;
  return place && journalNumber(place) === text ? place : undefined;
};
