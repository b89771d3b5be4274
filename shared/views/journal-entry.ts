// A journal entry as replies show it.

import Big from 'big.js';
import * as z from 'zod/mini';
import type { JournalEntry, JournalLine } from '../domain/entries/journal-entry.ts';

/** What a reply says in full of texts that all have one form. */
const dateText = z.string().check(z.meta({ format: 'date' }));
const currencyText = z.string().check(z.meta({ pattern: '^[A-Z]{3}$' }));
const amountText = z.string().check(z.meta({ pattern: '^\\d+\\.\\d{2}$' }));

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
});
z.globalRegistry.add(TransactionLine, {
  id: 'JournalEntryLine',
  description: 'A line of an entry that is recorded.',
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
  date: dateText.check(z.describe('Date of the entry.')),
  memo: z.string().check(z.describe('What the entry is for.')),
  entry_type: z.enum(['Manual Journal', 'Imported Journal']),
  status: z
    .enum(['posted', 'scheduled'])
    .check(z.describe('`scheduled` until the accrual date has come, then `posted`.')),
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
        'an earlier day at weekends and on holidays.',
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
          'imported entry.',
      ),
    ),
  transactions: z
    .array(TransactionLine)
    .check(z.describe('The lines, in the order of the request.')),
  bank_reconciliation_id: z.null().check(z.describe('Always null in an entry created here.')),
});
z.globalRegistry.add(JournalEntryView, {
  id: 'JournalEntry',
  description: 'An entry that is posted or scheduled.',
});
export type JournalEntryView = z.output<typeof JournalEntryView>;

const isPositive = (amount: string): boolean => new Big(amount).gt(0);

const lineViewOf = (line: JournalLine): JournalEntryView['transactions'][number] => ({
  line_number: line.lineNumber,
  account: line.account,
  account_name: line.accountName,
  description: line.description,
  debit: line.debit,
  credit: line.credit,
  reporting_debit: line.reportingDebit,
  reporting_credit: line.reportingCredit,
});

/** How a reply shows an entry. */
export const viewOf = (entry: JournalEntry): JournalEntryView => ({
  journal_entry_id: entry.entryId,
  journal_number: entry.journalNumber,
  date: entry.date,
  memo: entry.memo,
  entry_type: entry.entryType,
  status: entry.status,
  accrual_date: entry.accrualDate,
  external_id: entry.externalId,
  user_id: entry.userId,
  transaction_currency: entry.transactionCurrency,
  transaction_amount: entry.transactionAmount,
  reporting_currency: entry.reportingCurrency,
  reporting_amount: entry.reportingAmount,
  reporting_amount_rounded_to_zero:
    isPositive(entry.transactionAmount) && !isPositive(entry.reportingAmount),
  exchange_rate: entry.exchangeRate,
  exchange_rate_date: entry.exchangeRateDate,
  exchange_rate_source: entry.exchangeRateSource,
  transactions: entry.lines.map(lineViewOf),
  bank_reconciliation_id: null,
});
