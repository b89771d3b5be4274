// What companies and journal entries of QuickBooks Online mean to the ledger. Their fields are
// those of Finance.xsd in github.com/intuit/QuickBooks-V3-Java-SDK.

import Big from 'big.js';
import * as z from 'zod/mini';
import { isCurrency } from '../../money/currencies.ts';
import { isCalendarDate } from '../../money/dates.ts';
import type { PlatformJournal, ReadJournal } from '../platform.ts';
import { CompanyName, Decimal } from '../replies.ts';
import { QuickBooksId } from './quickbooks-accounts.ts';
import { type TaxableLine, withTaxLines } from './quickbooks-taxes.ts';

const Text = z.string().check(z.minLength(1));
const Reference = z.object({ value: Text });

const Line = z.object({
  Amount: z.nullish(Decimal),
  Description: z.nullish(z.string()),
  JournalEntryLineDetail: z.nullish(
    z.object({
      PostingType: z.enum(['Debit', 'Credit']),
      AccountRef: Reference,
      TaxAmount: z.nullish(Decimal),
    }),
  ),
});

const TxnTaxDetail = z.object({
  TotalTax: z.nullish(Decimal),
  TaxLine: z.nullish(z.array(z.object({ Amount: z.nullish(Decimal) }))),
});

export const QuickBooksJournalEntry = z.object({
  Id: QuickBooksId,
  TxnDate: z.string().check(z.refine(isCalendarDate)),
  DocNumber: z.nullish(z.string()),
  PrivateNote: z.nullish(z.string()),
  CurrencyRef: z.nullish(Reference),
  /** Units of the company's own currency for one unit of the entry's. */
  ExchangeRate: z.nullish(Decimal),
  HomeCurrencyAdjustment: z.nullish(z.boolean()),
  EnteredInHomeCurrency: z.nullish(z.boolean()),
  Line: z.nullish(z.array(Line)),
  TxnTaxDetail: z.nullish(TxnTaxDetail),
});
type QuickBooksJournalEntry = z.output<typeof QuickBooksJournalEntry>;

/**
 * A line of another kind (`DescriptionOnly`, say) or without an amount posts nothing.
 *
 * Amounts are positive as a rule; one below zero belongs on the other side.
 */
const linesFrom = (line: z.output<typeof Line>): TaxableLine[] => {
  const { Amount: amount, JournalEntryLineDetail: detail } = line;
  if (!amount || !detail) return [];
  const zero = new Big(0);
  const tax = detail.TaxAmount ?? zero;
  const isDebit = (detail.PostingType === 'Debit') === amount.gte(0);
  return [
    {
      line: {
        account: { id: detail.AccountRef.value },
        description: line.Description?.trim() ?? '',
        debit: isDebit ? amount.abs() : zero,
        credit: isDebit ? zero : amount.abs(),
        reportingAmount: null,
      },
      tax: detail.PostingType === 'Debit' ? tax : tax.neg(),
    },
  ];
};

/** The taxes that an entry states at its end: one for each rate, or their total alone. */
const taxesOf = ({ TxnTaxDetail: detail }: QuickBooksJournalEntry): Big[] => {
  const taxes = (detail?.TaxLine ?? []).flatMap(({ Amount }) => Amount ?? []);
  return taxes.length > 0 || !detail?.TotalTax ? taxes : [detail.TotalTax];
};

/** Adjustments of balances to a new rate state their amounts in the company's own currency. */
const moneyOf = (
  entry: QuickBooksJournalEntry,
): Pick<PlatformJournal, 'currency' | 'exchangeRate'> =>
  entry.HomeCurrencyAdjustment || entry.EnteredInHomeCurrency
    ? { currency: null, exchangeRate: null }
    : {
        currency: entry.CurrencyRef?.value ?? null,
        exchangeRate: entry.ExchangeRate?.gt(0) ? entry.ExchangeRate : null,
      };

export const stateOf = (entry: QuickBooksJournalEntry): ReadJournal => ({
  state: 'posted',
  journal: {
    reference: entry.Id,
    date: entry.TxnDate,
    memo: entry.PrivateNote?.trim() || entry.DocNumber?.trim() || `Journal entry ${entry.Id}`,
    ...moneyOf(entry),
    lines: withTaxLines((entry.Line ?? []).flatMap(linesFrom), taxesOf(entry)),
  },
});

/** What a list of changes has of an entity that is not there any more (EntityStatusEnum). */
export const RemovedEntity = z.object({
  Id: QuickBooksId,
  status: z.enum(['Deleted', 'Voided']),
});

export const CompanyInfoReply = z.object({
  CompanyInfo: z.object({
    CompanyName,
    /** The name of a month. A year that cannot be read is no reason to refuse the company. */
    FiscalYearStartMonth: z.optional(z.unknown()),
  }),
});

export const PreferencesReply = z.object({
  Preferences: z.object({
    CurrencyPrefs: z.object({
      HomeCurrency: z.object({ value: z.string().check(z.refine(isCurrency)) }),
    }),
  }),
});
