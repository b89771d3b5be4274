// The statement of cash flows in a reply.

import * as z from 'zod/mini';
import type { AmountFormat } from '../money/amounts.ts';
import { type CashFlow, type FlowSection, type SeparateItem, separateItems } from './cash-flow.ts';
import { signedAmount } from './report.view.ts';
import {
  AccountAmount,
  AccountAmountsView,
  amountsViewOf,
  namedAccountFields,
  sectionOf,
} from './statement.view.ts';

const SeparateItems = z.object(
  Object.fromEntries(separateItems.map((item) => [item, z.optional(AccountAmountsView)])) as Record<
    SeparateItem,
    z.ZodMiniOptional<typeof AccountAmountsView>
  >,
);
z.globalRegistry.add(SeparateItems, {
  id: 'SeparateItems',
  description:
    'Cash flows that a statement shows on lines of their own (IAS 7.31, 7.35), by the subtypes ' +
    'of their accounts. Items without accounts are omitted.',
});

const separateItemsField = SeparateItems.check(z.describe('Interest, dividends and income taxes.'));

const flowSectionFields = {
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
const flowSectionOf = (description: string) => FlowSectionView.check(z.describe(description));

const separateItemsOf = (
  items: FlowSection['separate'],
  format: AmountFormat,
): z.output<typeof SeparateItems> =>
  Object.fromEntries(items.map(({ item, ...amounts }) => [item, amountsViewOf(amounts, format)]));

const flowSectionViewOf = ({ separate, ...amounts }: FlowSection, format: AmountFormat) => {
  const { accounts, total } = amountsViewOf(amounts, format);
  return { accounts, separate_items: separateItemsOf(separate, format), total };
};

const Direct = z.object({ method: z.literal('direct'), ...flowSectionFields });
z.globalRegistry.add(Direct, {
  id: 'DirectOperatingCashFlows',
  description: 'Operating cash flows by account.',
});

const Indirect = z.object({
  method: z.literal('indirect'),
  profit: signedAmount('Profit of the period, as in its profit and loss.'),
  items_of_other_sections: sectionOf(
    'Removes the parts of profit that are shown elsewhere: revenue and expense accounts of ' +
      'another class or of a separate item, and exchange differences on cash.',
  ),
  movements: sectionOf(
    'Movements of the operating accounts of the balance sheet without separate items, and ' +
      'depreciation. Movements that increase cash are positive: falling receivables, growing ' +
      'payables.',
  ),
  without_cash: signedAmount(
    'What accounts of other sections and of separate items moved by without cash: a machine ' +
      'that is not paid yet, interest that is owed. It offsets the corresponding amounts in ' +
      '`movements`, so that the total is that of the direct method.',
  ),
  separate_items: separateItemsField,
  total: signedAmount('Sum of the figures above; the same total as with the direct method.'),
});
z.globalRegistry.add(Indirect, {
  id: 'IndirectOperatingCashFlows',
  description: 'Operating cash flows, calculated from profit.',
});

const Operating = z.discriminatedUnion('method', [Direct, Indirect]);
z.globalRegistry.add(Operating, {
  id: 'OperatingCashFlows',
  description: 'The fields depend on `method`; the total does not.',
  // For generated clients (OpenAPI 3.1, 4.8.25). The reference generator rewrites these paths.
  discriminator: {
    propertyName: 'method',
    mapping: {
      direct: '#/$defs/DirectOperatingCashFlows',
      indirect: '#/$defs/IndirectOperatingCashFlows',
    },
  },
});

const CashAccount = z.object({
  ...namedAccountFields,
  opening: signedAmount('Balance before `from`, debit positive.'),
  closing: signedAmount('Balance at the end of `to`, debit positive.'),
});
z.globalRegistry.add(CashAccount, {
  id: 'CashAccount',
  description: 'An account that is part of cash. An overdraft is a negative part.',
});

/** The figures of the statement. */
export const cashFlowFields = {
  operating: Operating,
  investing: flowSectionOf('Accounts of class `investing`.'),
  financing: flowSectionOf('Accounts of class `financing`.'),
  transfers: sectionOf(
    'Accounts of class `transfer`: money that arrived from other cash accounts, less money that ' +
      'left for them. Zero if nothing was on its way at the start and at the end.',
  ),
  effect_of_exchange_rates: signedAmount('Exchange differences on cash.'),
  unclassified: sectionOf('Accounts without a class.'),
  net_change: signedAmount('Sum of the six figures above.'),
  opening_cash: signedAmount('Balance of all cash accounts before `from`.'),
  closing_cash: signedAmount('`opening_cash` plus `net_change`: the balance at the end of `to`.'),
  cash_accounts: z
    .array(CashAccount)
    .check(z.describe('The accounts of class `cash`, ordered by code.')),
  non_cash_transactions: sectionOf(
    'Investing and financing that needed no cash (IAS 7.43), by account; a credit is positive. ' +
      'No part of the flows. The total is zero.',
  ),
};

const CashFlowView = z.object(cashFlowFields);
type CashFlowView = z.output<typeof CashFlowView>;

const operatingViewOf = (
  operating: CashFlow['operating'],
  format: AmountFormat,
): CashFlowView['operating'] => {
  if (operating.method === 'direct') {
    return { method: 'direct', ...flowSectionViewOf(operating, format) };
  }
  return {
    method: 'indirect',
    profit: format(operating.profit),
    items_of_other_sections: amountsViewOf(operating.itemsOfOtherSections, format),
    movements: amountsViewOf(operating.movements, format),
    without_cash: format(operating.withoutCash),
    separate_items: separateItemsOf(operating.separate, format),
    total: format(operating.total),
  };
};

export const cashFlowViewOf = (flows: CashFlow, format: AmountFormat): CashFlowView => ({
  operating: operatingViewOf(flows.operating, format),
  investing: flowSectionViewOf(flows.investing, format),
  financing: flowSectionViewOf(flows.financing, format),
  transfers: amountsViewOf(flows.transfers, format),
  effect_of_exchange_rates: format(flows.effectOfExchangeRates),
  unclassified: amountsViewOf(flows.unclassified, format),
  net_change: format(flows.netChange),
  opening_cash: format(flows.openingCash),
  closing_cash: format(flows.closingCash),
  cash_accounts: flows.cashAccounts.map(({ account, opening, closing }) => ({
    account: account.code,
    account_name: account.name,
    opening: format(opening),
    closing: format(closing),
  })),
  non_cash_transactions: amountsViewOf(flows.nonCash, format),
});
