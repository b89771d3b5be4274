// The common parts of financial statements: accounts with their amounts, totals and periods.

import * as z from 'zod/mini';
import { calendarDate } from '../fields.ts';
import type { AmountFormat } from '../money/amounts.ts';
import { accountFields, signedAmount } from './report.view.ts';
import type { AccountAmounts } from './statement-sums.ts';

export const namedAccountFields = {
  account: accountFields.account,
  account_name: accountFields.account_name,
};

export const AccountAmount = z.object({
  ...namedAccountFields,
  amount: signedAmount('Amount of the account, with the sign of the section.'),
});
z.globalRegistry.add(AccountAmount, {
  id: 'AccountAmount',
  description: 'An account in a statement. Accounts with a zero amount are omitted.',
});

export const amountsFields = {
  accounts: z.array(AccountAmount).check(z.describe('The accounts, ordered by code.')),
  total: signedAmount('Sum of the amounts.'),
};

export const AccountAmountsView = z.object(amountsFields);
z.globalRegistry.add(AccountAmountsView, {
  id: 'AccountAmounts',
  description: 'The accounts of a statement with their amounts, and the total.',
});

/** A section of a statement. */
export const sectionOf = (description: string) => AccountAmountsView.check(z.describe(description));

export const amountsViewOf = ({ accounts, total }: AccountAmounts, format: AmountFormat) => ({
  accounts: accounts.map(({ account: { code, name }, amount }) => ({
    account: code,
    account_name: name,
    amount: format(amount),
  })),
  total: format(total),
});

/** The request fields for the period of a statement. */
export const periodFields = {
  from: z.optional(
    calendarDate.check(
      z.describe(
        'First posting date. Defaults to the first day of the fiscal year that contains `to`.',
      ),
    ),
  ),
  to: z.optional(calendarDate.check(z.describe('Last posting date. Defaults to today (UTC).'))),
};
