// The common parts of financial statements: accounts with their amounts, totals and periods.

import * as z from 'zod/mini';
import { calendarDate, domainUrl } from '../fields.ts';
import type { AmountFormat } from '../money/amounts.ts';
import type { RetainedEarnings } from './balance-sheet.ts';
import { accountFields, signedAmount } from './report.view.ts';
import {
  type ColumnChoice,
  columnLengths,
  comparisons,
  maximumMonths,
} from './statement-columns.ts';
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

export const retainedEarningsFields = {
  opening: signedAmount('All profits before the period, less all distributions.'),
  profit: signedAmount('Profit of the period; a loss is negative.'),
  distributions: signedAmount('Movement of the subtype `distributions`; usually negative.'),
  other_movements: signedAmount('Movement of the subtype `retained_earnings`.'),
  closing: signedAmount('Sum of the figures above.'),
};

export const retainedEarningsViewOf = (
  retained: Omit<RetainedEarnings, 'posted'>,
  format: AmountFormat,
) => ({
  opening: format(retained.opening),
  profit: format(retained.profit),
  distributions: format(retained.distributions),
  other_movements: format(retained.otherMovements),
  closing: format(retained.closing),
});

/** The request fields for the columns of a statement. */
export const columnChoiceFields = {
  compare: z.optional(
    z
      .enum(comparisons)
      .check(
        z.describe(
          'Adds the figures of another period: the same dates a year earlier, or the period ' +
            'before. Whole months are compared with as many whole months.',
        ),
      ),
  ),
  columns: z.optional(
    z
      .enum(columnLengths)
      .check(
        z.describe(`Adds the figures of each month, at most ${maximumMonths}, in their order.`),
      ),
  ),
};

/**
 * The fields of a statement's figures, and of the same figures in its other columns.
 * @param column.id the name of a column in the reference
 */
export const statementFields = <Figures extends Record<string, z.core.$ZodType>>(
  figures: Figures,
  { id }: { id: string },
) => {
  const Column = z.object(figures);
  z.globalRegistry.add(Column, {
    id,
    description: 'A column of the statement. All columns have the same accounts.',
  });
  return {
    ...figures,
    comparison: z
      .optional(Column)
      .check(z.describe('The figures of the other period. Only with `compare`.')),
    columns: z
      .optional(z.array(Column))
      .check(z.describe('The figures of each month. Only with `columns`.')),
  };
};

/** @param views the figures of the columns: of the statement, its comparison, its months */
export const columnsViewOf = <View extends object>(
  views: readonly View[],
  { compare, columns }: ColumnChoice,
) => {
  const [figures, ...others] = views as [View, ...View[]];
  const months = compare === undefined ? others : others.slice(1);
  return {
    ...figures,
    ...(compare !== undefined && { comparison: others[0] as View }),
    ...(columns !== undefined && { columns: months }),
  };
};

/** The request fields of a statement of a period. */
export const periodStatementFields = {
  domain_url: domainUrl,
  from: z.optional(
    calendarDate.check(
      z.describe(
        'First posting date. Defaults to the first day of the fiscal year that contains `to`.',
      ),
    ),
  ),
  to: z.optional(calendarDate.check(z.describe('Last posting date. Defaults to today (UTC).'))),
  ...columnChoiceFields,
};
