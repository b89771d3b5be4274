// Converts companies and journal entries of QuickBooks Online. The fields are from Finance.xsd in
// github.com/intuit/QuickBooks-V3-Java-SDK.

import Big from 'big.js';
import * as z from 'zod/mini';
import { isCurrency } from '../../money/amounts.ts';
import { isCalendarDate } from '../../money/dates.ts';
import { sidesOf } from '../../money/sides.ts';
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
  /** Units of the company's currency for one unit of the entry's currency. */
  ExchangeRate: z.nullish(Decimal),
  HomeCurrencyAdjustment: z.nullish(z.boolean()),
  EnteredInHomeCurrency: z.nullish(z.boolean()),
  Line: z.nullish(z.array(Line)),
  TxnTaxDetail: z.nullish(TxnTaxDetail),
});
type QuickBooksJournalEntry = z.output<typeof QuickBooksJournalEntry>;

/**
 * Drops lines without an amount and lines of other kinds, such as `DescriptionOnly`. They post
 * nothing. Amounts are usually positive; a negative amount belongs on the other side.
 */
const linesFrom = (line: z.output<typeof Line>): TaxableLine[] => {
  const { Amount: amount, JournalEntryLineDetail: detail } = line;
  if (!amount || !detail) return [];
  const isDebit = detail.PostingType === 'Debit';
  const tax = detail.TaxAmount ?? new Big(0);
  return [
    {
      line: {
        account: { id: detail.AccountRef.value },
        description: line.Description?.trim() ?? '',
        ...sidesOf(isDebit ? amount : amount.neg()),
        reportingAmount: null,
      },
      tax: isDebit ? tax : tax.neg(),
    },
  ];
};

/** The taxes at the end of an entry: one per rate, or only their total. */
const taxesOf = ({ TxnTaxDetail: detail }: QuickBooksJournalEntry): Big[] => {
  const taxes = (detail?.TaxLine ?? []).flatMap(({ Amount }) => Amount ?? []);
  return taxes.length > 0 || !detail?.TotalTax ? taxes : [detail.TotalTax];
};

/** Exchange rate adjustments state their amounts in the company's currency. */
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

/** A deleted or voided record in a list of changes (EntityStatusEnum). */
export const RemovedEntity = z.object({
  Id: QuickBooksId,
  status: z.enum(['Deleted', 'Voided']),
});

export const CompanyInfoReply = z.object({
  CompanyInfo: z.object({
    CompanyName,
    /**
     * A month's name. Read leniently, because an unknown year is no reason to refuse the company.
     */
    FiscalYearStartMonth: z.optional(z.unknown()),
    /** "Country name to which the company belongs for financial calculations": `US`, `FR`. */
    Country: z.optional(z.unknown()),
  }),
});

export const PreferencesReply = z.object({
  Preferences: z.object({
    CurrencyPrefs: z.object({
      HomeCurrency: z.object({ value: z.string().check(z.refine(isCurrency)) }),
    }),
  }),
});
