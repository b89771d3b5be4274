// A journal entry as the ledger keeps it: one that was posted by request, or one that was imported.

import * as z from 'zod/mini';
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
});
export type JournalLine = z.infer<typeof JournalLine>;

/** What every entry has. Amounts are decimal text with two decimals. */
const EntryFields = z.object({
  entryId: z.string(),
  journalNumber: z.string(),
  date: z.string(),
  memo: z.string(),
  status: z.enum(['posted', 'scheduled']),
  accrualDate: z.nullable(z.string()),
  externalId: z.nullable(z.string()),
  transactionCurrency: z.string(),
  transactionAmount: z.string(),
  reportingCurrency: z.string(),
  reportingAmount: z.string(),
  exchangeRate: z.string(),
  exchangeRateDate: z.string(),
  lines: z.array(JournalLine),
  createdAt: z.string(),
  postedAt: z.nullable(z.string()),
});

/** An entry that an application asked for, with the key that it used. */
export const ManualJournal = z.extend(EntryFields, {
  entryType: z.literal('Manual Journal'),
  exchangeRateSource: RateSource,
  createdWithKey: z.string(),
  /** The user who posted it, where the application says so. */
  userId: z.nullable(z.string()),
});
export type ManualJournal = z.infer<typeof ManualJournal>;

/** An entry that came from a platform; `platformReference` is the platform's own id of it. */
export const ImportedJournal = z.extend(EntryFields, {
  entryType: z.literal('Imported Journal'),
  exchangeRateSource: z.enum(['platform', 'same_currency']),
  createdWithKey: z.null(),
  userId: z.null(),
  platformReference: z.string(),
});
export type ImportedJournal = z.infer<typeof ImportedJournal>;

export const JournalEntry = z.discriminatedUnion('entryType', [ManualJournal, ImportedJournal]);
export type JournalEntry = z.infer<typeof JournalEntry>;

/** The prefix of a number says which series it counts: manual or imported journals. */
export type JournalSeries = 'MJ' | 'IJ';

/** `MJ-20260131-0001`: series, entry date, sequence within tenant, series and date. */
export const journalNumber = ({
  series,
  date,
  sequence,
}: {
  series: JournalSeries;
  date: string;
  sequence: number;
}): string => `${series}-${date.replaceAll('-', '')}-${String(sequence).padStart(4, '0')}`;
