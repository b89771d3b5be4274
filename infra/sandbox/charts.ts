// The demo companies' charts of accounts. They start with the same accounts and differ in length.

import { type AccountKind, type DemoAccount, daysAgo } from './demo-company.ts';

const rowsOf = (
  type: DemoAccount['type'],
  rows: [code: string | null, name: string, kind?: AccountKind][],
): DemoAccount[] =>
  rows.map(([code, name, kind]) => ({ code, name, type, status: 'active', ...(kind && { kind }) }));

/** One account has no code, and an archived account shares the code of an active one. */
const basicRows: readonly DemoAccount[] = [
  ...rowsOf('asset', [
    ['1000', 'Petty cash', 'cash'],
    ['1010', 'Current account', 'bank'],
    ['1020', 'Savings account', 'bank'],
    [null, 'Payments not yet banked'],
    ['1100', 'Trade receivables', 'receivable'],
    ['1200', 'Inventory', 'inventory'],
    ['1300', 'Prepayments'],
    ['1500', 'Equipment', 'fixed_asset'],
    ['1510', 'Accumulated depreciation'],
  ]),
  { code: '1300', name: 'Prepayments for the old premises', type: 'asset', status: 'archived' },
  ...rowsOf('liability', [
    ['2000', 'Trade payables', 'payable'],
    ['2100', 'Credit card', 'credit_card'],
    ['2200', 'Sales tax payable', 'tax'],
    ['2300', 'Wages payable'],
    ['2500', 'Bank loan', 'loan'],
  ]),
  ...rowsOf('equity', [
    ['3000', 'Share capital'],
    ['3200', 'Retained earnings'],
  ]),
  ...rowsOf('revenue', [
    ['4000', 'Sales of goods'],
    ['4100', 'Services'],
    ['4900', 'Interest received', 'other_income'],
  ]),
  ...rowsOf('expense', [
    ['5000', 'Cost of sales', 'cost_of_sales'],
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

/** One expense account for each cost of each department: 6100 to 7090. */
const departmentRows: readonly DemoAccount[] = departments.flatMap((department, tens) =>
  rowsOf(
    'expense',
    costs.map((cost, ones) => [String(6100 + tens * 100 + ones * 10), `${department}: ${cost}`]),
  ),
);

/** One expense account for each cost of each shop: 100010 and so on. */
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

/** Accounts that only real charts have: incomplete records and a recent change. */
const oddRows = (): DemoAccount[] => [
  { code: '1900', name: 'Suspense', type: 'asset', status: 'active', hole: 'name' },
  { code: '1910', name: 'Card clearing', type: 'asset', status: 'active', hole: 'type' },
  {
    code: '2900',
    name: 'Deposits held',
    type: 'liability',
    status: 'active',
    modifiedAt: daysAgo(3),
  },
];

/** A cost center with a sub-account for each cost, and one more below the last of these. */
const costCenterRows = (index: number, place: number): DemoAccount[] => {
  const name = departments[index] ?? `Shop ${index - departments.length + 1}`;
  const code = 10 * (6_100 + index * 100);
  const row = { type: 'expense', status: 'active' } as const;
  return [
    { ...row, code: String(code), name: `${name} costs` },
    ...costs.map((cost, ones) => ({
      ...row,
      code: String(code + 10 * (ones + 1)),
      name: `${name} ${cost}`,
      parent: place,
    })),
    {
      ...row,
      code: String(code + 10 * costs.length + 1),
      name: `${name} gifts`,
      parent: place + costs.length,
    },
  ];
};

/** A chart with three levels of accounts and incomplete records. */
export const realChartOf = (accountCount: number): readonly DemoAccount[] => {
  const rows = [...basicRows, ...oddRows()];
  for (let index = 0; rows.length < accountCount; index += 1) {
    rows.push(...costCenterRows(index, rows.length));
  }
  return rows.slice(0, accountCount);
};
