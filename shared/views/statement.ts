// What financial statements show in one form: accounts with an amount each, and their total.

import * as z from 'zod/mini';
import { calendarDate } from '../domain/fields.ts';
import { formatHundredths } from '../domain/hundredths.ts';
import type { AccountAmounts } from '../domain/reports/statement-sums.ts';
import { accountFields, signedAmount } from './report.ts';

/** The fields by which an account is named in a statement. */
export const namedAccountFields = {
  account: accountFields.account,
  account_name: accountFields.account_name,
};

const AccountAmount = z.object({
  ...namedAccountFields,
  amount: signedAmount('With the sign of the section that it is in.'),
});
z.globalRegistry.add(AccountAmount, {
  id: 'AccountAmount',
  description: 'An account in a statement; one of which there is nothing to show is left out.',
});

export const amountsFields = {
  accounts: z.array(AccountAmount).check(z.describe('In the order of their codes.')),
  total: signedAmount('The sum of their amounts.'),
};

export const AccountAmountsView = z.object(amountsFields);
z.globalRegistry.add(AccountAmountsView, {
  id: 'AccountAmounts',
  description: 'Accounts of a statement with an amount each, and their total.',
});

export const amountsViewOf = ({ accounts, total }: AccountAmounts) => ({
  accounts: accounts.map(({ account: { code, name }, amount }) => ({
    account: code,
    account_name: name,
    amount: formatHundredths(amount),
  })),
  total: formatHundredths(total),
});

/** The ends of a statement's period, as a request gives them. */
export const periodFields = {
  from: z.optional(
    calendarDate.check(
      z.describe(
        'First posting date. Without it, the first day of the fiscal year that `to` is in.',
      ),
    ),
  ),
  to: z.optional(calendarDate.check(z.describe('Last posting date; today (UTC) without it.'))),
};
