// The common parts of financial statements: accounts with their amounts, totals and periods.

import * as z from 'zod/mini';
import { calendarDate } from '../fields.ts';
import type { AmountFormat } from '../money/thousandths.ts';
import { type FlowSection, type SeparateItem, separateItems } from './cash-flow.ts';
import { accountFields, signedAmount } from './report.view.ts';
import type { AccountAmounts } from './statement-sums.ts';

export const namedAccountFields = {
  account: accountFields.account,
  account_name: accountFields.account_name,
};

const AccountAmount = z.object({
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

const SeparateItems = z.object(
  Object.fromEntries(separateItems.map((item) => [item, z.optional(AccountAmountsView)])) as Record<
    SeparateItem,
    z.ZodMiniOptional<typeof AccountAmountsView>
  >,
);
z.globalRegistry.add(SeparateItems, {
  id: 'SeparateItems',
  description:
    'Cash flows that a statement shows on lines of their own (IAS 7.31, 7.35), by the subtypes of ' +
    'their accounts. Items without accounts are omitted.',
});

export const separateItemsField = SeparateItems.check(
  z.describe('Interest, dividends and income taxes.'),
);

export const flowSectionFields = {
  accounts: z
    .array(AccountAmount)
    .check(z.describe('The other accounts of the section, ordered by code.')),
  separate_items: separateItemsField,
  total: signedAmount('Sum of the amounts and of the separate items.'),
};

const FlowSectionView = z.object(flowSectionFields);
z.globalRegistry.add(FlowSectionView, {
  id: 'FlowSection',
  description: 'The flows of a section, by account.',
});

/** A section of cash flows. */
export const flowSectionOf = (description: string) =>
  FlowSectionView.check(z.describe(description));

export const separateItemsOf = (
  items: FlowSection['separate'],
  format: AmountFormat,
): z.output<typeof SeparateItems> =>
  Object.fromEntries(items.map(({ item, ...amounts }) => [item, amountsViewOf(amounts, format)]));

export const flowSectionViewOf = ({ separate, ...amounts }: FlowSection, format: AmountFormat) => {
  const { accounts, total } = amountsViewOf(amounts, format);
  return { accounts, separate_items: separateItemsOf(separate, format), total };
};

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
