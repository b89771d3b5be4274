// A journal entry as replies show it.

import * as z from 'zod/mini';
import { contentOf } from '../domain/entries/entry-content.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { type StuckWork, stuckReasons } from '../domain/stuck-work.ts';

/** What a reply says in full of texts that all have one form. */
const dateText = z.string().check(z.meta({ format: 'date' }));
const currencyText = z.string().check(z.meta({ pattern: '^[A-Z]{3}$' }));
const momentText = z.string().check(z.meta({ format: 'date-time' }));
const entryIdText = z.string().check(z.meta({ format: 'uuid' }));
const amountText = z.string().check(z.meta({ pattern: '^\\d+\\.\\d{2}$' }));

/** How an entry came to be; its number says the same. */
export const entryType = z.enum(['Manual Journal', 'Imported Journal']);

const TransactionLine = z.object({
  line_number: z.int().check(z.meta({ minimum: 1, description: 'Place in the entry, from 1.' })),
  account: z.string().check(z.describe('Account code.')),
  account_name: z.string().check(z.describe('Name of the account when the entry was created.')),
  description: z.string().check(z.describe('What the line is for; may be empty.')),
  debit: amountText.check(z.describe('Debit in the transaction currency.')),
  credit: amountText.check(z.describe('Credit in the transaction currency.')),
  reporting_debit: amountText.check(
    z.describe('Share of the line in `reporting_amount`, where the line is a debit.'),
  ),
  reporting_credit: amountText.check(
    z.describe('Share of the line in `reporting_amount`, where the line is a credit.'),
  ),
  book_debit: amountText.check(
    z.describe("Debit in the currency of the tenant's books; reports add these up."),
  ),
  book_credit: amountText.check(z.describe("Credit in the currency of the tenant's books.")),
});
z.globalRegistry.add(TransactionLine, {
  id: 'JournalEntryLine',
  description: 'A line of an entry that is recorded.',
});

const StuckView = z.object({
  reason: z
    .enum(stuckReasons)
    .check(
      z.describe(
        '`date_full`: the posting date has no room for the accounts of its entries. ' +
          '`entry_unreadable`: an entry of that date is damaged; the others are posted. ' +
          '`internal_error`: a fault of the service.',
      ),
    ),
  since: momentText.check(z.describe('When posting failed first (UTC).')),
  attempts: z.int().check(z.meta({ minimum: 1, description: 'How often it has failed.' })),
  next_attempt_at: momentText.check(z.describe('When it is tried again (UTC).')),
});
z.globalRegistry.add(StuckView, {
  id: 'StuckPosting',
  description: 'Why the scheduled entries of a date are not posted although the date has come.',
});

export const JournalEntryView = z.object({
  journal_entry_id: z.string().check(z.meta({ format: 'uuid', description: 'Id of the entry.' })),
  journal_number: z.string().check(
    z.meta({
      pattern: '^(MJ|IJ)-\\d{8}-\\d{4,}$',
      description:
        'MJ (IJ where it was imported), the date of the entry, and a sequence within tenant and ' +
        'date that has no gaps. A scheduled entry has its number from the start.',
    }),
  ),
  date: dateText.check(z.describe('Date of the entry, under which it is numbered and listed.')),
  posting_date: dateText.check(
    z.describe('Date on which it counts in reports: `accrual_date` where it has one, else `date`.'),
  ),
  posting_sequence: z.nullable(z.int()).check(
    z.meta({
      minimum: 1,
      description:
        'Place among the entries of its series that count on its posting date, in the order in ' +
        'which they came to count; null until it is posted.',
    }),
  ),
  memo: z.string().check(z.describe('What the entry is for.')),
  entry_type: entryType,
  status: z
    .enum(['posted', 'scheduled', 'cancelled'])
    .check(
      z.describe(
        '`scheduled` until the accrual date has come, then `posted`; `cancelled` where it was ' +
          'cancelled before that. Only what is posted counts.',
      ),
    ),
  accrual_date: z
    .nullable(dateText)
    .check(z.describe('Day on which the entry posts, as it was asked for.')),
  external_id: z.nullable(z.string()).check(z.describe("The caller's own id of the entry.")),
  user_id: z
    .nullable(z.string())
    .check(z.describe('The user who posted it, where the request said so.')),
  transaction_currency: currencyText.check(
    z.describe('ISO 4217 code of the currency in which the entry is recorded.'),
  ),
  transaction_amount: amountText.check(
    z.describe('Total debits, which equal total credits, in the transaction currency.'),
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
    .check(
      z.describe(
        'Whether the entry has a positive amount that comes to 0.00 in the reporting currency.',
      ),
    ),
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
      'Day of the reference rates that were used: the last one published on or before `date`, so ' +
        'an earlier day at weekends and on holidays. A reversal has the rates of its original.',
    ),
  ),
  exchange_rate_source: z
    .enum(['ecb_published', 'ecb_derived', 'operator_corrected', 'same_currency', 'platform'])
    .check(
      z.describe(
        '`ecb_published`: the reference rate itself (from euro to another currency). ' +
          '`ecb_derived`: calculated from reference rates of the day (into euro, or between two ' +
          'other currencies). `operator_corrected`: either of them, at a rate that the operator ' +
          'of the service put in the place of a wrong one. `same_currency`: nothing ' +
          'was exchanged, the rate is 1. `platform`: as the accounting platform stated it, in an ' +
          'imported entry or its reversal.',
      ),
    ),
  book_currency: currencyText.check(
    z.describe("The tenant's currency, in which its books are kept."),
  ),
  book_amount: amountText.check(
    z.describe(
      'transaction_amount in the currency of the books, rounded like `reporting_amount`, which ' +
        "it equals where the entry is reported in the tenant's currency. An amount too small for " +
        'the currency of the books is 0.00, and in reports by currency alone.',
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
    .check(z.describe('What its application keeps with it; empty where that is nothing.')),
  reverses: z
    .nullable(entryIdText)
    .check(z.describe('Id of the entry that it reverses; null where it is no reversal.')),
  reversed_by: z
    .nullable(entryIdText)
    .check(
      z.describe('Id of the entry by which it is reversed, posted or scheduled; null without one.'),
    ),
  created_at: momentText.check(z.describe('When it was created (UTC).')),
  posted_at: z
    .nullable(momentText)
    .check(z.describe('When it was posted (UTC); null where it was not, or not yet.')),
  cancelled_at: z
    .nullable(momentText)
    .check(z.describe('When it was cancelled (UTC); null where it was not.')),
  hash: z.nullable(z.string()).check(
    z.meta({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of what the entry says, but what may still change (`status`, `posted_at`, ' +
        '`cancelled_at`, `reversed_by`), chained to the hash of the entry before it in ' +
        '`posting_sequence`; null until it is posted. The guide says how to recompute it.',
    }),
  ),
  transactions: z
    .array(TransactionLine)
    .check(z.describe('The lines, in the order of the request.')),
  bank_reconciliation_id: z.null().check(z.describe('Always null in an entry created here.')),
  stuck: z
    .optional(z.nullable(StuckView))
    .check(
      z.describe(
        'In a scheduled entry only: why it is not posted although its date has come. Null if ' +
          'nothing holds it up. Posting is tried again by itself; you can also cancel the entry.',
      ),
    ),
});
z.globalRegistry.add(JournalEntryView, {
  id: 'JournalEntry',
  description: 'An entry that is posted or scheduled, or was cancelled.',
});
export type JournalEntryView = z.output<typeof JournalEntryView>;

/** How a reply shows an entry. Only a scheduled one has the field `stuck`. */
export const viewOf = (
  entry: JournalEntry,
  { stuck }: { stuck?: StuckWork | undefined } = {},
): JournalEntryView => ({
  ...contentOf(entry),
  status: entry.status,
  reversed_by: entry.reversedBy,
  posted_at: entry.postedAt,
  cancelled_at: entry.cancelledAt,
  hash: entry.hash,
  ...(entry.status === 'scheduled' && { stuck: stuck ? stuckViewOf(stuck) : null }),
});

const stuckViewOf = ({ nextAttemptAt, ...stuck }: StuckWork) => ({
  ...stuck,
  next_attempt_at: nextAttemptAt,
});

/** An entry as a request that makes one answers it: a dry run has made none. */
export const CreatedEntryView = z.extend(JournalEntryView, {
  journal_entry_id: z.nullable(JournalEntryView.shape.journal_entry_id),
  journal_number: z.nullable(JournalEntryView.shape.journal_number),
  created_at: z.nullable(momentText).check(z.describe('When it was created (UTC).')),
});
z.globalRegistry.add(CreatedEntryView, {
  id: 'MadeJournalEntry',
  description: 'An entry that was made; after a dry run, one that would be, without id and number.',
});
export type CreatedEntryView = z.output<typeof CreatedEntryView>;

/** How a reply shows an entry that would be made. */
export const previewOf = (entry: JournalEntry): CreatedEntryView => ({
  ...viewOf(entry),
  ...{ journal_entry_id: null, journal_number: null, posting_sequence: null, hash: null },
  ...{ created_at: null, posted_at: null },
});

/** How a reply shows an entry that was made now or before, or would be by a dry run. */
export const createdViewOf = (
  { entry, replayed }: { entry: JournalEntry; replayed: boolean },
  { isDryRun }: { isDryRun: boolean },
): CreatedEntryView => (isDryRun && !replayed ? previewOf(entry) : viewOf(entry));
