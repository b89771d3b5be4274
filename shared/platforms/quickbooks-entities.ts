// What companies, accounts and journal entries of QuickBooks Online mean to the ledger. Their
// fields are those of Finance.xsd in github.com/intuit/QuickBooks-V3-Java-SDK.

import Big from 'big.js';
import * as z from 'zod/mini';
import {
  type Account,
  maximumAccountCodeLength,
  maximumAccountNameLength,
  type PlatformAccount,
} from '../domain/accounts.ts';
import { isCurrency } from '../domain/currencies.ts';
import { isCalendarDate } from '../domain/dates.ts';
import { truncate } from '../domain/texts.ts';
import { CompanyName, Decimal } from './http.ts';
import type { PlatformJournal, PlatformJournalLine } from './platform.ts';

const Text = z.string().check(z.minLength(1));
const Reference = z.object({ value: Text });

type AccountKind = { Classification?: string | null | undefined; AccountType: string };

const typeByClassification = new Map<string, Account['type']>([
  ['Asset', 'asset'],
  ['Liability', 'liability'],
  ['Equity', 'equity'],
  ['Revenue', 'revenue'],
  ['Expense', 'expense'],
]);

const typeByAccountType = new Map<string, Account['type']>([
  ['Bank', 'asset'],
  ['Accounts Receivable', 'asset'],
  ['Other Current Asset', 'asset'],
  ['Fixed Asset', 'asset'],
  ['Other Asset', 'asset'],
  ['Accounts Payable', 'liability'],
  ['Credit Card', 'liability'],
  ['Other Current Liability', 'liability'],
  ['Long Term Liability', 'liability'],
  ['Equity', 'equity'],
  ['Income', 'revenue'],
  ['Other Income', 'revenue'],
  ['Cost of Goods Sold', 'expense'],
  ['Expense', 'expense'],
  ['Other Expense', 'expense'],
]);

/** The classification may be absent; it follows from the account's type then. */
const typeOf = ({ Classification, AccountType }: AccountKind): Account['type'] | undefined =>
  typeByClassification.get(Classification ?? '') ?? typeByAccountType.get(AccountType);

const isPosting = ({ AccountType }: AccountKind): boolean => AccountType !== 'Non-Posting';

/** Ids are whole numbers, as text. */
const Id = z.string().check(z.regex(/^\d{1,30}$/));

export const QuickBooksAccount = z
  .object({
    Id,
    /** The names of the accounts above it and its own, with colons between them. */
    FullyQualifiedName: Text,
    /** Users need not give numbers, nor give each only once. */
    AcctNum: z.nullish(z.string()),
    Active: z.boolean(),
    Classification: z.nullish(z.string()),
    AccountType: z.string(),
  })
  .check(z.refine((it) => !isPosting(it) || typeOf(it) !== undefined));

/** No journal can name a non-posting account, so the ledger has no use for it. */
export const accountsFrom = (account: z.output<typeof QuickBooksAccount>): PlatformAccount[] => {
  const type = typeOf(account);
  if (!isPosting(account) || type === undefined) return [];
  const code = account.AcctNum?.trim() ?? '';
  return [
    {
      accountId: account.Id,
      code: code === '' || code.length > maximumAccountCodeLength ? null : code,
      name: truncate(maximumAccountNameLength, account.FullyQualifiedName.trim()),
      type,
      status: account.Active ? 'active' : 'archived',
    },
  ];
};

const Line = z.object({
  Amount: z.nullish(Decimal),
  Description: z.nullish(z.string()),
  JournalEntryLineDetail: z.nullish(
    z.object({ PostingType: z.enum(['Debit', 'Credit']), AccountRef: Reference }),
  ),
});

export const QuickBooksJournalEntry = z.object({
  Id,
  TxnDate: z.string().check(z.refine(isCalendarDate)),
  DocNumber: z.nullish(z.string()),
  PrivateNote: z.nullish(z.string()),
  CurrencyRef: z.nullish(Reference),
  /** Units of the company's own currency for one unit of the entry's. */
  ExchangeRate: z.nullish(Decimal),
  HomeCurrencyAdjustment: z.nullish(z.boolean()),
  EnteredInHomeCurrency: z.nullish(z.boolean()),
  Line: z.nullish(z.array(Line)),
});
type QuickBooksJournalEntry = z.output<typeof QuickBooksJournalEntry>;

/**
 * A line of another kind (`DescriptionOnly`, say) or without an amount posts nothing.
 *
 * Amounts are positive as a rule; one below zero belongs on the other side.
 */
const linesFrom = (line: z.output<typeof Line>): PlatformJournalLine[] => {
  const { Amount: amount, JournalEntryLineDetail: detail } = line;
  if (!amount || !detail) return [];
  const zero = new Big(0);
  const isDebit = (detail.PostingType === 'Debit') === amount.gte(0);
  return [
    {
      account: { id: detail.AccountRef.value },
      description: line.Description?.trim() ?? '',
      debit: isDebit ? amount.abs() : zero,
      credit: isDebit ? zero : amount.abs(),
      reportingAmount: null,
    },
  ];
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

/**
 * The journal as its lines have it.
 *
 * Outside the US a line can carry a tax (`TaxCodeRef`, `TaxAmount`). QuickBooks posts that to an
 * account of the tax agency, which neither the line nor the entry's `TxnTaxDetail` names, so such a
 * journal does not balance here: its tax is missing rather than guessed.
 */
export const journalFrom = (entry: QuickBooksJournalEntry): PlatformJournal => ({
  reference: entry.Id,
  date: entry.TxnDate,
  memo: entry.PrivateNote?.trim() || entry.DocNumber?.trim() || `Journal entry ${entry.Id}`,
  ...moneyOf(entry),
  lines: (entry.Line ?? []).flatMap(linesFrom),
});

export const CompanyInfoReply = z.object({
  CompanyInfo: z.object({ CompanyName }),
});

export const PreferencesReply = z.object({
  Preferences: z.object({
    CurrencyPrefs: z.object({
      HomeCurrency: z.object({ value: z.string().check(z.refine(isCurrency)) }),
    }),
  }),
});
