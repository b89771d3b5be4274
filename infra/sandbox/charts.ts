// The demo companies' charts of accounts: the same basis for all, longer for some.

import type { DemoAccount } from './demo-company.ts';

const rowsOf = (
  type: DemoAccount['type'],
  rows: [code: string | null, name: string][],
): DemoAccount[] => rows.map(([code, name]) => ({ code, name, type, status: 'active' }));

/** Has one account without a code, and one archived whose code another account has now. */
const basicRows: readonly DemoAccount[] = [
  ...rowsOf('asset', [
    ['1000', 'Petty cash'],
    ['1010', 'Current account'],
    ['1020', 'Savings account'],
    [null, 'Payments not yet banked'],
    ['1100', 'Trade receivables'],
    ['1200', 'Inventory'],
    ['1300', 'Prepayments'],
    ['1500', 'Equipment'],
    ['1510', 'Accumulated depreciation'],
  ]),
  { code: '1300', name: 'Prepayments for the old premises', type: 'asset', status: 'archived' },
  ...rowsOf('liability', [
    ['2000', 'Trade payables'],
    ['2100', 'Credit card'],
    ['2200', 'Sales tax payable'],
    ['2300', 'Wages payable'],
    ['2500', 'Bank loan'],
  ]),
  ...rowsOf('equity', [
    ['3000', 'Share capital'],
    ['3200', 'Retained earnings'],
  ]),
  ...rowsOf('revenue', [
    ['4000', 'Sales of goods'],
    ['4100', 'Services'],
    ['4900', 'Interest received'],
  ]),
  ...rowsOf('expense', [
    ['5000', 'Cost of sales'],
    ['5900', 'Bank charges'],
  ]),
];

const departments =
  'Sales Marketing Production Purchasing Warehouse Delivery Service Research Finance Office'.split(
    ' ',
  );
const costs =
  'wages, travel, software, training, telephone, rent, insurance, repairs, advice, sundries'.split(
    ', ',
  );

/** An expense account for each cost of each department: 6100 to 7090. */
const departmentRows: readonly DemoAccount[] = departments.flatMap((department, tens) =>
  rowsOf(
    'expense',
    costs.map((cost, ones) => [String(6100 + tens * 100 + ones * 10), `${department}: ${cost}`]),
  ),
);

/** An expense account for each cost of as many shops as it takes: 100010 and so on. */
const shopRow = (index: number): DemoAccount => {
  const shop = Math.floor(index / costs.length) + 1;
  const cost = costs[index % costs.length];
  const code = String(100_000 + costs.length + index);
  return { code, name: `Shop ${shop}: ${cost}`, type: 'expense', status: 'active' };
};

const commonRows = [...basicRows, ...departmentRows];

export const chartOf = (accountCount: number): readonly DemoAccount[] => [
  ...commonRows.slice(0, accountCount),
  ...Array.from({ length: Math.max(0, accountCount - commonRows.length) }, (_, index) =>
    shopRow(index),
  ),
];
