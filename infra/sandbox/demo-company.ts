// What a demo company of the sandbox has, in no platform's words: each dialect words it in its own.

import type { Account } from '#shared/accounts/accounts.ts';

/** What platforms tell apart within a type; an account without a kind is an ordinary one. */
export type AccountKind =
  | 'bank'
  | 'cash'
  | 'receivable'
  | 'inventory'
  | 'fixed_asset'
  | 'payable'
  | 'credit_card'
  | 'tax'
  | 'loan'
  | 'other_income'
  | 'cost_of_sales';

/** Not every account has a code, and two accounts can have the same. */
export type DemoAccount = {
  code: string | null;
  /** Its own name, without those of the accounts above it. */
  name: string;
  type: Account['type'];
  status: Account['status'];
  kind?: AccountKind;
  /** The place in the company's `accounts` of the one above it, which comes before it. */
  parent?: number;
  /** What the platform's record of it lacks, as records of real books do. */
  hole?: 'name' | 'type';
  /** When it was last changed, as in 2026-03-31T00:00:00.000Z; `booksMadeAt` where it never was. */
  modifiedAt?: string;
};

export type TaxRate = { name: string; percent: number };

export type DemoLine = {
  /** A place in the company's `accounts`. */
  account: number;
  description: string;
  /** One side of a line is zero. */
  debit: string;
  credit: string;
  /** Comes on top of the line's amount, on its side, and belongs to the account of kind `tax`. */
  tax?: TaxRate & { amount: string };
  /** That the platform's record of it does not say by id which account it is on. */
  hole?: 'account';
};

export type DemoJournal = {
  /** As in 2026-03-31. */
  date: string;
  memo: string;
  /** What is deleted is in no list of what there is; platforms that tell of changes may name it. */
  status: 'posted' | 'draft' | 'deleted';
  /** They balance with their taxes. */
  lines: DemoLine[];
  currency: string;
  /** What one unit of `currency` is in the company's; `null` where it is the company's own. */
  exchangeRate: string | null;
  /** When it was last changed or deleted, as in 2026-03-31T00:00:00.000Z. */
  modifiedAt: string;
  /** What the platform's record of it lacks, as records of real books do. */
  hole?: 'date';
};

export type DemoCompany = {
  /** What the consent page's form and scripts choose the company by. */
  id: string;
  name: string;
  currency: string;
  /** The month that its fiscal year begins with, from 1 to 12. */
  fiscalYearStart: number;
  /** Where a platform with several data centers keeps the company. */
  dataCenter: string;
  /** Whose it is: some platforms' consents reach all companies of one user. */
  owner: string;
  /** Whether its platform still keeps its books open. */
  isActive: boolean;
  /** The rates of tax that its journals know. */
  taxRates: readonly TaxRate[];
  accounts: readonly DemoAccount[];
  journalCount: number;
  /** The journal at this place, counted from 0. Computed, so that journals cost no memory. */
  journalAt: (index: number) => DemoJournal;
};

/** When all companies began to keep their books at their platforms. */
export const booksMadeAt = '2025-01-01T00:00:00.000Z';

/** A moment so many days before today, since platforms tell only of changes that are recent. */
export const daysAgo = (days: number): string => {
  const day = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  return `${day}T09:30:00.000Z`;
};
