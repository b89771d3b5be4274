// What a demo company of the sandbox has, in no platform's words: each dialect words it in its own.

import type { Account } from '#shared/domain/accounts.ts';

/** Not every account has a code, and two accounts can have the same. */
export type DemoAccount = {
  code: string | null;
  name: string;
  type: Account['type'];
  status: Account['status'];
};

export type DemoJournal = {
  /** As in 2026-03-31. */
  date: string;
  memo: string;
  status: 'posted' | 'draft';
  /** `account` is a place in the company's `accounts`. One side of a line is zero. */
  lines: { account: number; description: string; debit: string; credit: string }[];
  currency: string;
  /** What one unit of `currency` is in the company's; `null` where it is the company's own. */
  exchangeRate: string | null;
};

export type DemoCompany = {
  /** What the consent page's form and scripts choose the company by. */
  id: string;
  name: string;
  currency: string;
  /** Where a platform with several data centers keeps the company. */
  dataCenter: string;
  accounts: readonly DemoAccount[];
  journalCount: number;
  /** The journal at this place, counted from 0. Computed, so that journals cost no memory. */
  journalAt: (index: number) => DemoJournal;
};
