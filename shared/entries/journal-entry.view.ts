// A journal entry in a reply.

import * as z from 'zod/mini';
import { type StuckWork, stuckReasons } from '../background/stuck-work.ts';
import { replayedField } from '../endpoint/replay.view.ts';
import { RateSource } from '../rates/exchange-rates.ts';
import { contentOf } from './entry-hash.ts';
import { amountText, currencyText, TransactionLine } from './entry-line.view.ts';
import type { JournalEntry } from './journal-entry.ts';

const dateText = z.string().check(z.meta({ format: 'date' }));
const momentText = z.string().check(z.meta({ format: 'date-time' }));
const entryIdText = z.string().check(z.meta({ format: 'uuid' }));

/** The series of journal numbers says the type. */
export const entryType = z.enum([
  'Manual Journal',
  'Imported Journal',
  'Platform Balance',
  'Revaluation',
]);

const StuckView = z.object({
  reason: z
    .enum(stuckReasons)
    .check(
      z.describe(
        '`date_full`: the posting date has no room for more accounts. ' +
          '`entry_unreadable`: an entry of the date is damaged; the others are posted. ' +
          '`entry_altered`: an entry of the date differs from its hash; the others are posted. ' +
          '`internal_error`: a fault in this service.',
      ),
    ),
  since: momentText.check(z.describe('When posting failed for the first time (UTC).')),
  attempts: z.int().check(z.meta({ minimum: 1, description: 'Number of failed attempts.' })),
  next_attempt_at: momentText.check(z.describe('When posting is tried again (UTC).')),
});
z.globalRegistry.add(StuckView, {
  id: 'StuckPosting',
  description: 'Why scheduled entries are not posted although their date has come.',
});

export const JournalEntryView = z.object({
  journal_entry_id: z.string().check(z.meta({ format: 'uuid', description: 'Id of the entry.' })),
  journal_number: z.string().check(
    z.meta({
      pattern: '^(MJ|IJ|PB|RV)-\\d{8}-\\d{4,}$',
      description:
        '`MJ` (`IJ` if imported, `PB` if a platform balance, `RV` if a revaluation), the date of ' +
        'the entry, and a sequence without gaps per tenant and date. A scheduled entry has a ' +
        'number from the start.',
    }),
  ),
  date: dateText.check(
    z.describe('Date of the entry. It decides the number and the place in lists.'),
  ),
  posting_date: dateText.check(
    z.describe('Date on which reports count the entry: `accrual_date` if set, otherwise `date`.'),
  ),
  posting_sequence: z.nullable(z.int()).check(
    z.meta({
      minimum: 1,
      description:
        'Position among the posted entries of its series and posting date, in the order of ' +
        'posting; null until the entry is posted.',
    }),
  ),
  memo: z.string().check(z.describe('Description of the entry.')),
  entry_type: entryType,
  status: z
    .enum(['posted', 'scheduled', 'cancelled'])
    .check(
      z.describe(
        '`scheduled` until the accrual date, then `posted`. `cancelled` if the entry was ' +
          'cancelled before its accrual date. Reports count only posted entries.',
      ),
    ),
  accrual_date: z
    .nullable(dateText)
    .check(
      z.describe('Date on which the entry posts, from the request; null if the request had none.'),
    ),
  external_id: z.nullable(z.string()).check(z.describe("Your application's own id for the entry.")),
  user_id: z
    .nullable(z.string())
    .check(z.describe('Id of the user who posted the entry; null if the request had none.')),
  transaction_currency: currencyText.check(
    z.describe('ISO 4217 code of the currency of the lines.'),
  ),
  transaction_amount: amountText.check(
    z.describe('Total debits in the transaction currency, equal to total credits.'),
  ),
  reporting_currency: currencyText.check(
    z.describe('ISO 4217 code of the currency in which the entry is reported.'),
  ),
  reporting_amount: amountText.check(
    z.describe(
      'transaction_amount at exchange_rate, rounded half up to the decimals of the reporting ' +
        'currency. Reporting debits, and reporting credits, add up to it exactly.',
    ),
  ),
  reporting_amount_rounded_to_zero: z
    .boolean()
    .check(z.describe('Whether a positive transaction amount is 0.00 in the reporting currency.')),
  exchange_rate: z.string().check(
    z.meta({
      pattern: '^\\d+\\.\\d{11}$',
      description:
        'Units of the reporting currency for one unit of the transaction currency, with eleven ' +
        'decimals. It is fixed when the entry is created.',
    }),
  ),
  exchange_rate_date: dateText.check(
    z.describe(
      'Date of the reference rates: the last one published on or before `date`, so an earlier ' +
        'date at weekends and on holidays. A reversal uses the rates of its original.',
    ),
  ),
  exchange_rate_source: z
    .enum([...RateSource.options, 'platform'])
    .check(
      z.describe(
        '`ecb_published`: a reference rate of the European Central Bank (from euro to another ' +
          'currency). ' +
          '`ecb_derived`: calculated from reference rates of the date (into euro, or between two ' +
          'other currencies). `nbp_published`: a rate of the National Bank of Poland (into PLN). ' +
          '`nbp_derived`: calculated from its rates of the date. `operator_corrected`: like ' +
          'these, with a rate that the ' +
          'operator of the service corrected. `same_currency`: both currencies are the same and ' +
          'the rate is 1. `caller`: `exchange_rate` of the request. `platform`: stated by ' +
          'the accounting platform; only imported entries and their reversals have it.',
      ),
    ),
  known_exchange_rate: z.optional(z.nullable(z.string())).check(
    z.meta({
      pattern: '^\\d+\\.\\d{11}$',
      description:
        "Only if the rate is the caller's: the rate that the service would have used; null if " +
        'it had none to compare with.',
    }),
  ),
  book_currency: currencyText.check(z.describe("ISO 4217 code of the tenant's book currency.")),
  book_amount: amountText.check(
    z.describe(
      'transaction_amount in the book currency, rounded like `reporting_amount`. The two are ' +
        'equal if the reporting currency is the book currency. An amount too small for the book ' +
        'currency is 0.00; it appears only in reports by currency.',
    ),
  ),
  book_exchange_rate: z.string().check(
    z.meta({
      pattern: '^\\d+\\.\\d{11}$',
      description: 'Units of the book currency for one unit of the transaction currency.',
    }),
  ),
  metadata: z
    .record(z.string(), z.string())
    .check(z.describe('Metadata from the request; empty if there is none.')),
  reverses: z
    .nullable(entryIdText)
    .check(z.describe('Id of the entry that this entry reverses; null unless it is a reversal.')),
  reversed_by: z
    .nullable(entryIdText)
    .check(
      z.describe('Id of the posted or scheduled reversal of this entry; null if there is none.'),
    ),
  created_at: momentText.check(z.describe('When the entry was created (UTC).')),
  created_with_key: z
    .nullable(z.string())
    .check(z.describe('Id of the API key that created the entry; null for an imported entry.')),
  posted_at: z
    .nullable(momentText)
    .check(z.describe('When the entry was posted (UTC); null until then.')),
  cancelled_at: z
    .nullable(momentText)
    .check(z.describe('When the entry was cancelled (UTC); null if it was not.')),
  hash: z.nullable(z.string()).check(
    z.meta({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of the entry, without the fields that can change (`status`, `cancelled_at`, ' +
        '`reversed_by`), chained to the hash of the previous entry in `posting_sequence`. An ' +
        'entry that is not posted has a hash of its own, without a previous one, and posts only ' +
        'if this hash is still correct. The guide explains how to recompute it.',
    }),
  ),
  hash_version: z
    .int()
    .check(
      z.describe(
        'What the hash covers. Version 1, of entries posted by versions before 1.3.0, does not ' +
          'cover `posted_at`, `created_with_key` and `line_class`.',
      ),
    ),
  transactions: z
    .array(TransactionLine)
    .check(z.describe('The lines, in the order of the request.')),
  // Some generated clients drop a field that can only be null.
  bank_reconciliation_id: z
    .nullable(z.string())
    .check(z.describe('Always null for entries created here.')),
  stuck: z
    .optional(z.nullable(StuckView))
    .check(
      z.describe(
        'Scheduled entries only: why the entry is not posted although its date has come; null if ' +
          'nothing is wrong. Posting is retried automatically; you can also cancel the entry.',
      ),
    ),
});
z.globalRegistry.add(JournalEntryView, {
  id: 'JournalEntry',
  description: 'A posted, scheduled or cancelled entry.',
});
export type JournalEntryView = z.output<typeof JournalEntryView>;

/** Shows an entry. Only a scheduled entry has the field `stuck`. */
export const viewOf = (
  entry: JournalEntry,
  { stuck }: { stuck?: StuckWork | undefined } = {},
): JournalEntryView => ({
  ...contentOf(entry),
  status: entry.status,
  reversed_by: entry.reversedBy,
  cancelled_at: entry.cancelledAt,
  hash: entry.hash,
  hash_version: entry.hashVersion,
  ...(entry.status === 'scheduled' && { stuck: stuck ? stuckViewOf(stuck) : null }),
});

const stuckViewOf = ({ nextAttemptAt, ...stuck }: StuckWork) => ({
  ...stuck,
  next_attempt_at: nextAttemptAt,
});

/** The reply to a request that creates an entry. After a dry run, id and number are null. */
export const CreatedEntryView = z.extend(JournalEntryView, {
  journal_entry_id: z.nullable(JournalEntryView.shape.journal_entry_id),
  journal_number: z.nullable(JournalEntryView.shape.journal_number),
  created_at: z
    .nullable(momentText)
    .check(z.describe('When the entry was created (UTC); null after a dry run.')),
  replayed: replayedField,
});
z.globalRegistry.add(CreatedEntryView, {
  id: 'CreatedJournalEntry',
  description:
    'A created entry. After a dry run: the entry that would be created, without id and number.',
});
export type CreatedEntryView = z.output<typeof CreatedEntryView>;

/** Shows an entry that a dry run would create. */
const previewOf = (entry: JournalEntry): Omit<CreatedEntryView, 'replayed'> => ({
  ...viewOf(entry),
  journal_entry_id: null,
  journal_number: null,
  posting_sequence: null,
  hash: null,
  created_at: null,
  posted_at: null,
});

/** Shows an entry created by this request or an earlier one, or the preview of a dry run. */
export const createdViewOf = (
  { entry, replayed }: { entry: JournalEntry; replayed: boolean },
  { isDryRun }: { isDryRun: boolean },
): CreatedEntryView => ({
  ...(isDryRun && !replayed ? previewOf(entry) : viewOf(entry)),
  replayed,
});

/** The reply to a request that cancels an entry. */
export const CancelledEntryView = z.extend(JournalEntryView, { replayed: replayedField });
z.globalRegistry.add(CancelledEntryView, {
  id: 'CancelledJournalEntry',
  description: 'A cancelled entry, and whether an earlier request cancelled it.',
});
