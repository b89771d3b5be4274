// Financial statements as the rows of the pages on which years are worked by hand.

import type { Data as BalanceSheet } from '#functions/get-balance-sheet/schema.ts';
import type { Data as CashFlow } from '#functions/get-cash-flow/schema.ts';
import type { Data as ProfitAndLoss } from '#functions/get-profit-and-loss/schema.ts';

type Named = { account: string; account_name: string };
type Section = { accounts: (Named & { amount: string })[]; total: string };

export const named = ({ account, account_name }: Named): string => `${account} ${account_name}`;

const accountRows = ({ accounts }: Pick<Section, 'accounts'>): string[][] =>
  accounts.map((row) => [named(row), row.amount]);

/** The accounts of a section, and its total by its name. */
export const sectionRows = (name: string, section: Section): string[][] => [
  ...accountRows(section),
  [name, section.total],
];

export const profitRows = (shown: ProfitAndLoss): string[][] => [
  ...sectionRows('Revenue', shown.revenue),
  ...sectionRows('Cost of sales', shown.cost_of_sales),
  ['Gross profit', shown.gross_profit],
  ...sectionRows('Operating expenses', shown.operating_expenses),
  ...sectionRows('Other income', shown.other_income),
  ...sectionRows('Other expenses', shown.other_expenses),
  ...sectionRows('Exchange differences', shown.exchange_differences),
  ...sectionRows('Disposal results', shown.disposal_results),
  ['Operating profit', shown.operating_profit],
  ...sectionRows('Interest and dividend income', shown.interest_and_dividend_income),
  ...sectionRows('Finance costs', shown.finance_costs),
  ['Profit before tax', shown.profit_before_tax],
  ...sectionRows('Income tax', shown.income_tax),
  ['Profit', shown.profit],
];

type Sheet = Pick<
  BalanceSheet,
  'assets' | 'liabilities' | 'equity' | 'total_liabilities_and_equity'
>;
type Part = Sheet['assets'];
type Sections = Part['current']['sections'];

const subtypeRows = (part: string, sections: Sections): string[][] =>
  sections.flatMap((section) =>
    sectionRows('total', section).map((row) => [
      `${part}: ${String(section.subtype).replaceAll('_', ' ')}`,
      ...row,
    ]),
  );

const partRows = (part: string, shown: Part): string[][] => [
  ...subtypeRows(part, shown.current.sections),
  [part, 'current', shown.current.total],
  ...subtypeRows(part, shown.non_current.sections),
  [part, 'non-current', shown.non_current.total],
  [part, 'total', shown.total],
];

export const sheetRows = (shown: Sheet): string[][] => {
  const { retained_earnings: retained, ...equity } = shown.equity;
  return [
    ...partRows('assets', shown.assets),
    ...partRows('liabilities', shown.liabilities),
    ...subtypeRows('equity', equity.sections),
    ['retained earnings', 'opening', retained.opening],
    ['retained earnings', 'profit', retained.profit],
    ['retained earnings', 'distributions', retained.distributions],
    ['retained earnings', 'other movements', retained.other_movements],
    ['retained earnings', 'closing', retained.closing],
    ['equity', 'total', equity.total],
    ['liabilities and equity', 'total', shown.total_liabilities_and_equity],
  ];
};

type FlowSection = CashFlow['investing'];

/** Items that have lines of their own, as their names and their accounts. */
const itemRows = (items: FlowSection['separate_items']): string[][] =>
  Object.entries(items).flatMap(([item, section]) => {
    if (section === undefined) return [];
    const name = item.replaceAll('_', ' ');
    const accounts = accountRows(section).map(([account, amount = '']) => [
      `${name}: ${account}`,
      amount,
    ]);
    return [...accounts, [name, section.total]];
  });

const flowRows = (name: string, section: FlowSection): string[][] => [
  ...accountRows(section),
  ...itemRows(section.separate_items),
  [name, section.total],
];

export const cashFlowRows = (shown: CashFlow): string[][] => {
  const { operating } = shown;
  const operatingRows =
    operating.method === 'direct'
      ? accountRows(operating)
      : [
          ['Profit', operating.profit],
          ...accountRows(operating.items_of_other_sections),
          ...accountRows(operating.movements),
          ['Without cash', operating.without_cash],
        ];
  return [
    ['Opening cash', shown.opening_cash],
    ...operatingRows,
    ...itemRows(operating.separate_items),
    ['Operating', operating.total],
    ...flowRows('Investing', shown.investing),
    ...flowRows('Financing', shown.financing),
    ...sectionRows('Transfers', shown.transfers),
    ['Effect of exchange rates', shown.effect_of_exchange_rates],
    ...sectionRows('Unclassified', shown.unclassified),
    ['Net change', shown.net_change],
    ['Closing cash', shown.closing_cash],
  ];
};
