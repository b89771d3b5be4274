// The views of the page. Each view calls the API and returns elements.

import { account } from './account.js';
import { accounts } from './accounts.js';
import { balanceCheck } from './balance-check.js';
import { entries } from './entries.js';
import { entry } from './entry.js';
import { events } from './events.js';
import { revaluation } from './revaluation.js';
import { balanceSheet, cashFlow, changesInEquity, profitAndLoss } from './statements.js';
import { trialBalance } from './trial-balance.js';

/** The views by the first part of the address after `#/`. */
export const views = {
  'trial-balance': trialBalance,
  'balance-sheet': balanceSheet,
  'profit-and-loss': profitAndLoss,
  'cash-flow': cashFlow,
  'changes-in-equity': changesInEquity,
  revaluation,
  'platform-check': balanceCheck,
  accounts,
  entries,
  entry,
  events,
  account,
};
