// The statement of profit and loss for a period.
//
// By default operating profit has all income and expenses that are not of investing, financing or
// income taxes (IFRS 18.52), so also disposals and exchange differences. A tenant can show them,
// and other income and expenses, below operating profit instead.

import { type Account, classificationOf } from '../accounts/accounts.ts';
import { isDisposalResult, isExchangeDifference, isOfProfit } from '../accounts/line-classes.ts';
import type { Tenant } from '../tenants/tenants.ts';
import { type AccountAmounts, amountsOf, type StatementAccount } from './statement-sums.ts';

/** The sections with their signs: income is positive for a credit, costs are for a debit. */
const signs = {
  revenue: 1n,
  costOfSales: -1n,
  operatingExpenses: -1n,
  otherIncome: 1n,
  otherExpenses: -1n,
  exchangeDifferences: 1n,
  disposalResults: 1n,
  interestAndDividendIncome: 1n,
  financeCosts: -1n,
  incomeTax: -1n,
} as const;
type SectionName = keyof typeof signs;

export type ProfitAndLoss = Record<SectionName, AccountAmounts> & {
  grossProfit: bigint;
  operatingProfit: bigint;
  profitBeforeTax: bigint;
  profit: bigint;
};

const sectionNames = Object.keys(signs) as SectionName[];

/** The section of a revenue or expense account. */
const sectionNameOf = (account: Account): SectionName => {
  if (isExchangeDifference(account)) return 'exchangeDifferences';
  if (isDisposalResult(account)) return 'disposalResults';
  const { subtype } = classificationOf(account);
  if (subtype === 'other_income') return 'otherIncome';
  if (subtype === 'interest_income' || subtype === 'dividend_income') {
    return 'interestAndDividendIncome';
  }
  if (subtype === 'cost_of_sales') return 'costOfSales';
  if (subtype === 'other_expense') return 'otherExpenses';
  if (subtype === 'finance_cost') return 'financeCosts';
  if (subtype === 'income_tax') return 'incomeTax';
  return account.type === 'revenue' ? 'revenue' : 'operatingExpenses';
};

/** @param sums all accounts; only `within` is used */
export const profitAndLossOf = (
  sums: readonly StatementAccount[],
  { profitLayout = 'ifrs_18' }: Pick<Tenant, 'profitLayout'> = {},
): ProfitAndLoss => {
  const ofProfit = sums.filter(({ account }) => isOfProfit(account));
  const sections = Object.fromEntries(
    sectionNames.map((name) => {
      const accounts = ofProfit.filter(({ account }) => sectionNameOf(account) === name);
      return [name, amountsOf(accounts, ({ within }) => signs[name] * within)];
    }),
  ) as Record<SectionName, AccountAmounts>;
  const resultOf = (...names: SectionName[]) =>
    names.reduce((sum, name) => sum + signs[name] * sections[name].total, 0n);
  const grossProfit = resultOf('revenue', 'costOfSales');
  const others = resultOf('otherIncome', 'otherExpenses', 'exchangeDifferences', 'disposalResults');
  const ofOperations = grossProfit + resultOf('operatingExpenses');
  const operatingProfit = ofOperations + (profitLayout === 'ifrs_18' ? others : 0n);
  const profitBeforeTax =
    ofOperations + others + resultOf('interestAndDividendIncome', 'financeCosts');
  const profit = profitBeforeTax + resultOf('incomeTax');
  return { ...sections, grossProfit, operatingProfit, profitBeforeTax, profit };
};
