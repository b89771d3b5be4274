// The statement of profit and loss for a period.

import { type AccountSubtype, classificationOf } from '../accounts/accounts.ts';
import { type AccountAmounts, amountsOf, type StatementAccount } from './statement-sums.ts';

/** Revenue and income are positive for a credit, costs and expenses for a debit. */
export type ProfitAndLoss = {
  revenue: AccountAmounts;
  costOfSales: AccountAmounts;
  grossProfit: bigint;
  operatingExpenses: AccountAmounts;
  operatingProfit: bigint;
  otherIncome: AccountAmounts;
  otherExpenses: AccountAmounts;
  financeCosts: AccountAmounts;
  profitBeforeTax: bigint;
  incomeTax: AccountAmounts;
  profit: bigint;
};

/** @param sums all accounts; only `within` is used */
export const profitAndLossOf = (sums: readonly StatementAccount[]): ProfitAndLoss => {
  const sectionOf = (subtype: AccountSubtype, sign: bigint): AccountAmounts => {
    const ofSubtype = sums.filter(({ account }) => classificationOf(account).subtype === subtype);
    return amountsOf(ofSubtype, ({ within }) => sign * within);
  };
  const revenue = sectionOf('operating_revenue', 1n);
  const costOfSales = sectionOf('cost_of_sales', -1n);
  const grossProfit = revenue.total - costOfSales.total;
  const operatingExpenses = sectionOf('operating_expense', -1n);
  const operatingProfit = grossProfit - operatingExpenses.total;
  const otherIncome = sectionOf('other_income', 1n);
  const otherExpenses = sectionOf('other_expense', -1n);
  const financeCosts = sectionOf('finance_cost', -1n);
  const profitBeforeTax =
    operatingProfit + otherIncome.total - otherExpenses.total - financeCosts.total;
  const incomeTax = sectionOf('income_tax', -1n);
  return {
    revenue,
    costOfSales,
    grossProfit,
    operatingExpenses,
    operatingProfit,
    otherIncome,
    otherExpenses,
    financeCosts,
    profitBeforeTax,
    incomeTax,
    profit: profitBeforeTax - incomeTax.total,
  };
};
