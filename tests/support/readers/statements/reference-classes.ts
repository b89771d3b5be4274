// The classification of accounts in statements, written from the API reference.

import type { Account } from '#shared/accounts/accounts.ts';

export const isAccumulated = ({ subtype, normalBalance }: Account): boolean =>
  normalBalance === 'credit' && (subtype === 'fixed_asset' || subtype === 'intangible_asset');

export const isOfProfit = ({ type }: Account): boolean => type === 'revenue' || type === 'expense';

/** What an account is to the statement of cash flows, by the API reference. */
export const lineClassOf = (account: Account): string => {
  const { type, subtype, role } = account;
  const cashFlow = account.cashFlow ?? (subtype === 'retained_earnings' ? 'financing' : null);
  if (cashFlow === 'cash') return 'cash';
  if (role === 'fx_gain_loss') return 'exchange_difference';
  if (isAccumulated(account)) return 'accumulated';
  if (cashFlow === null) return 'unclassified';
  if (isOfProfit(account)) {
    if (subtype === 'disposal_result') return subtype;
    return cashFlow === 'operating' ? 'profit' : `${cashFlow}_profit`;
  }
  if (type === 'liability' && cashFlow === 'investing') return 'investing_liability';
  if (type !== 'equity' || cashFlow !== 'financing') return cashFlow;
  return subtype === 'contributed_capital' ? 'capital' : 'equity';
};

/** The section of the cash-flow statement for an account. */
export const cashSectionOf = (account: Account): string => {
  const lineClass = lineClassOf(account).replace(/_(profit|liability)$/, '');
  if (lineClass === 'profit') return 'operating';
  if (['accumulated', 'disposal_result'].includes(lineClass)) return 'investing';
  if (['capital', 'equity'].includes(lineClass)) return 'financing';
  return lineClass;
};

const itemsOfSubtypes: Partial<Record<NonNullable<Account['subtype']>, string>> = {
  finance_cost: 'interest_paid',
  interest_income: 'interest_received',
  distributions: 'dividends_paid',
  retained_earnings: 'dividends_paid',
  dividends_payable: 'dividends_paid',
  income_tax: 'income_taxes_paid',
  income_tax_liability: 'income_taxes_paid',
  income_tax_asset: 'income_taxes_paid',
};

/** Interest, dividends and income taxes have lines of their own. */
export const itemOf = (account: Account): string | undefined =>
  /^(operating|investing|financing)$/.test(cashSectionOf(account))
    ? itemsOfSubtypes[account.subtype ?? 'cash']
    : undefined;
