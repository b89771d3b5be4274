// What the page can show of a tenant's books: each view asks the API and returns elements.

import { account } from './account.js';
import { entry } from './entry.js';
import { accounts, entries } from './lists.js';
import { balanceSheet, cashFlow, profitAndLoss } from './statements.js';
import { trialBalance } from './trial-balance.js';

/** The views by the first part of the address behind `#/`. */
export const views = {
  'trial-balance': trialBalance,
  'balance-sheet': balanceSheet,
  'profit-and-loss': profitAndLoss,
  'cash-flow': cashFlow,
  accounts,
  entries,
  entry,
  account,
};
