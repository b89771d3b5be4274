// A demo company of the sandbox, independent of platforms. Each dialect translates it.

import Big from 'big.js';
import type { Account } from '#shared/accounts/accounts.ts';
import type { BookChange } from './book-change.ts';

/** The kinds of accounts that platforms distinguish within a type. */
export type AccountKind =
  | 'bank'
  | 'cash'
  | 'receivable'
  | 'fixed_asset'
  | 'payable'
  | 'credit_card'
  | 'tax'
  | 'cost_of_sales'
  | 'retained_earnings';

/** Some accounts have no code, and two accounts can share one. */
export type DemoAccount = {
  code: string | null;
  /** Without the names of its parents. */
  name: string;
  type: Account['type'];
  status: Account['status'];
  kind?: AccountKind;
  /** The index of the parent account, which comes earlier in the chart. */
  parent?: number;
  /** The field that the platform's record lacks, as some records of real books do. */
  hole?: 'name' | 'type';
  /** The last change, as in 2026-03-31T00:00:00.000Z. Default: `booksCreatedAt`. */
  modifiedAt?: string;
};

type TaxRate = { name: string; percent: number };

export type DemoLine = {
  /** An index in the company's `accounts`. */
  account: number;
  description: string;
  /** The debit or the credit is zero. */
  debit: string;
  credit: string;
  /** Added to the line's amount, on the same side, and posted to the account of kind `tax`. */
  tax?: TaxRate & { amount: string };
  /** The platform's record of the line lacks the account's id. */
  hole?: 'account';
};

export type DemoJournal = {
  /** As in 2026-03-31. */
  date: string;
  memo: string;
  /** Platforms do not list deleted journals. Some report them as changes. */
  status: 'posted' | 'draft' | 'deleted';
  /** With their taxes, the lines balance. */
  lines: DemoLine[];
  currency: string;
  /** Units of the company's currency for one unit of `currency`; `null` if they are the same. */
  exchangeRate: string | null;
  /** The last change or the deletion, as in 2026-03-31T00:00:00.000Z. */
  modifiedAt: string;
  /** The field that the platform's record lacks. */
  hole?: 'date';
};

/** An invoice, a bill, a payment or a line of a bank statement. Platforms do not list it. */
export type DemoTransaction = {
  date: string;
  /** The amounts of accounts by their index, positive for a debit. */
  amounts: ReadonlyMap<number, Big>;
};

export type DemoCompany = {
  /** The id on the consent page and in requests for test tokens. */
  id: string;
  name: string;
  currency: string;
  /** Only QuickBooks has it. */
  country: string;
  /** The first month of the financial year, from 1 to 12. */
  fiscalYearStart: number;
  /** Only Zoho has several. */
  dataCenter: string;
  /** The company's user. On some platforms a consent covers all companies of a user. */
  owner: string;
  /** False if the platform refuses access to the books. */
  isActive: boolean;
  taxRates: readonly TaxRate[];
  accounts: readonly DemoAccount[];
  journalCount: number;
  /** The journal at this index, computed on demand. */
  journalAt: (index: number) => DemoJournal;
  /** The transactions of the company's books that are no journals, in the order of their dates. */
  transactions: readonly DemoTransaction[];
  /** The number of changes of the books. */
  revision: number;
  change: (change: BookChange, at: Date) => void;
};

/** The creation of all companies. */
export const booksCreatedAt = '2025-01-01T00:00:00.000Z';

const oneDay = 24 * 60 * 60 * 1000;

/** A recent moment, because platforms report only recent changes. */
export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * oneDay).toISOString().replace(/T.*/, 'T09:30:00.000Z');

export const isDebit = ({ debit }: DemoLine): boolean => Number(debit) > 0;

/** The amount of a line without its tax. */
export const amountOf = ({ debit, credit }: DemoLine): Big => new Big(debit).plus(credit);

/** The sum as JSON number. It is exact for the amounts of demo journals. */
export const sumOf = (amounts: readonly Big.BigSource[]): number =>
  Number(amounts.reduce<Big>((sum, amount) => sum.plus(amount), new Big(0)));
