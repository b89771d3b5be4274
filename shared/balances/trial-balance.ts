// A trial balance of a platform.

import type Big from 'big.js';
import type { AccountType } from '../accounts/accounts.ts';

/** The balance of an account, positive for a debit. `type` is null if the report has none. */
export type TrialBalanceRow = {
  accountId: string;
  name: string;
  type: AccountType | null;
  balance: Big;
};

/**
 * A trial balance at the end of a date, on the accrual basis, in the company's currency.
 *
 * `profitSince` says which movements the accounts of profit and loss have: those of the fiscal year
 * (`fiscal_year`), whose earlier profit is then in the account of retained earnings, or all
 * (`start_of_books`). `total` is the total of each side.
 */
export type TrialBalance = {
  rows: TrialBalanceRow[];
  total: Big;
  profitSince: 'fiscal_year' | 'start_of_books';
};
