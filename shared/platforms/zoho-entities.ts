// What the accounts and journals of Zoho Books mean to the ledger. Their fields are those of its
// OpenAPI document (www.zoho.com/books/api/v3/openapi-all.zip).

import * as z from 'zod/mini';
import {
  type Account,
  maximumAccountCodeLength,
  maximumAccountNameLength,
  type PlatformAccount,
} from '../domain/accounts.ts';
import { isCalendarDate } from '../domain/dates.ts';
import { truncate } from '../domain/texts.ts';
import type { PlatformJournal, PlatformJournalLine } from './platform.ts';
import { Decimal } from './replies.ts';

/** Ids are whole numbers of up to 64 bits, as text. */
export const ZohoId = z.string().check(z.regex(/^\d{1,20}$/));

/** Zoho's types of accounts: those that it documents, in its own order of classes. */
const documentedTypes = {
  other_asset: 'asset',
  other_current_asset: 'asset',
  intangible_asset: 'asset',
  right_to_use_asset: 'asset',
  financial_asset: 'asset',
  contingent_asset: 'asset',
  contract_asset: 'asset',
  cash: 'asset',
  bank: 'asset',
  fixed_asset: 'asset',
  accounts_receivable: 'asset',
  other_current_liability: 'liability',
  contract_liability: 'liability',
  refund_liability: 'liability',
  credit_card: 'liability',
  long_term_liability: 'liability',
  loans_and_borrowing: 'liability',
  lease_liability: 'liability',
  employee_benefit_liability: 'liability',
  contingent_liability: 'liability',
  financial_liability: 'liability',
  other_liability: 'liability',
  accounts_payable: 'liability',
  equity: 'equity',
  income: 'revenue',
  finance_income: 'revenue',
  other_comprehensive_income: 'revenue',
  other_income: 'revenue',
  expense: 'expense',
  manufacturing_expense: 'expense',
  impairment_expense: 'expense',
  depreciation_expense: 'expense',
  employee_benefit_expense: 'expense',
  lease_expense: 'expense',
  finance_expense: 'expense',
  tax_expense: 'expense',
  cost_of_goods_sold: 'expense',
  other_expense: 'expense',
} as const;

/** Types that Zoho does not document, but that other people found in its replies: unverified. */
const otherTypes = {
  stock: 'asset',
  payment_clearing: 'asset',
  input_tax: 'asset',
  long_term_asset: 'asset',
  deferred_tax_asset: 'asset',
  capital_work_in_progress: 'asset',
  intangible_assets_under_development: 'asset',
  output_tax: 'liability',
  overseas_tax_payable: 'liability',
  deferred_tax_liability: 'liability',
} as const;

const typeByZohoType = { ...documentedTypes, ...otherTypes } satisfies Record<
  string,
  Account['type']
>;

export const ZohoAccount = z.object({
  account_id: ZohoId,
  account_name: z.string().check(z.minLength(1)),
  account_code: z.nullish(z.string()),
  account_type: z.enum(Object.keys(typeByZohoType) as (keyof typeof typeByZohoType)[]),
  is_active: z.boolean(),
});

export const accountFrom = (account: z.output<typeof ZohoAccount>): PlatformAccount => {
  const code = account.account_code?.trim() ?? '';
  return {
    accountId: account.account_id,
    code: code === '' || code.length > maximumAccountCodeLength ? null : code,
    name: truncate(maximumAccountNameLength, account.account_name.trim()),
    type: typeByZohoType[account.account_type],
    status: account.is_active ? 'active' : 'archived',
  };
};

/**
 * A journal in a list: without its lines, and by the documentation without its status.
 *
 * Unverified: that lists state the status all the same, as other people's programs rely on.
 */
export const ZohoJournalHead = z.object({
  journal_id: ZohoId,
  status: z.nullish(z.string()),
});

/** Journals are drafts before they are published, which is what Zoho calls posting them. */
export const isPosted = ({ status }: z.output<typeof ZohoJournal>): boolean =>
  status === 'published';

/** A head that does not say what it is may be that of a draft: its journal tells. */
export const mayBePosted = ({ status }: z.output<typeof ZohoJournalHead>): boolean =>
  (status ?? 'published') === 'published';

const Line = z.object({
  account_id: ZohoId,
  description: z.nullish(z.string()),
  debit_or_credit: z.enum(['debit', 'credit']),
  amount: Decimal,
});

export const ZohoJournal = z.object({
  journal_id: ZohoId,
  journal_date: z.string().check(z.refine(isCalendarDate)),
  entry_number: z.nullish(z.string()),
  reference_number: z.nullish(z.string()),
  notes: z.nullish(z.string()),
  currency_code: z.nullish(z.string()),
  /** Units of the company's own currency for one unit of the journal's. */
  exchange_rate: z.nullish(Decimal),
  status: z.string(),
  line_items: z.array(Line),
});

/** Amounts are positive as a rule; one below zero belongs on the other side. */
const lineFrom = (line: z.output<typeof Line>): PlatformJournalLine => {
  const { amount } = line;
  const zero = amount.times(0).abs();
  const isDebit = (line.debit_or_credit === 'debit') === amount.gte(0);
  return {
    account: { id: line.account_id },
    description: line.description?.trim() ?? '',
    debit: isDebit ? amount.abs() : zero,
    credit: isDebit ? zero : amount.abs(),
    reportingAmount: null,
  };
};

/**
 * The journal as its lines have it, in its own currency, which Zoho states for every journal.
 *
 * A line can carry a tax. Zoho posts that to an account which neither the line nor the journal's
 * `taxes` names, so such a journal does not balance here: its tax is missing rather than guessed.
 */
export const journalFrom = (journal: z.output<typeof ZohoJournal>): PlatformJournal => {
  const { journal_id: reference, notes, reference_number, entry_number, exchange_rate } = journal;
  const memo = [notes, reference_number, entry_number].map((text) => text?.trim()).find(Boolean);
  return {
    reference,
    date: journal.journal_date,
    memo: memo ?? `Journal ${reference}`,
    currency: journal.currency_code ?? null,
    exchangeRate: exchange_rate?.gt(0) ? exchange_rate : null,
    lines: journal.line_items.map(lineFrom),
  };
};
