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
    [null, 'Undeposited payments'],
    ['1100', 'Trade receivables', 'receivable'],
    ['1200', 'Inventory'],
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
    ['2500', 'Bank loan'],
  ]),
  ...rowsOf('equity', [
    ['3000', 'Share capital'],
    ['3200', 'Retained earnings', 'retained_earnings'],
  ]),
  ...rowsOf('revenue', [
    ['4000', 'Sales of goods'],
    ['4100', 'Services'],
    ['4900', 'Interest received'],
  ]),
  ...rowsOf('expense', [
    ['5000', 'Cost of sales', 'cost_of_sales'],
    ['5900', 'Bank charges'],
  ]),
];

/** Accounts that only real charts have: incomplete records and a recent change. */
const oddRows = (): DemoAccount[] => {
  const row = { type: 'asset', status: 'active' } as const;
  return [
    { ...row, code: '1900', name: 'Suspense', hole: 'name' },
    { ...row, code: '1910', name: 'Card clearing', hole: 'type' },
    { ...row, code: '1920', name: 'Deposits', modifiedAt: daysAgo(3) },
  ];
};

const costs =
  'wages travel software training telephone rent insurance repairs advice sundries'.split(' ');

/** The expense accounts of a shop. In a real chart they have a parent, and the last has a child. */
const shopRows = (index: number, parent: number | undefined): DemoAccount[] => {
  const name = `Shop ${index + 1}`;
  const code = 10 * (6_100 + index * 100);
  const rows = rowsOf(
    'expense',
    [...costs, 'gifts'].map((cost, place) => [String(code + 10 * (place + 1)), `${name} ${cost}`]),
  );
  if (parent === undefined) return rows.slice(0, -1);
  const children = rows.map((row, place) => ({
    ...row,
    parent: place < costs.length ? parent : parent + costs.length,
  }));
  return [...rowsOf('expense', [[String(code), `${name} costs`]]), ...children];
};

/** A real chart has three levels of accounts and incomplete records. */
export const chartOf = (
  accountCount: number,
  { isReal }: { isReal: boolean },
): readonly DemoAccount[] => {
  const rows = [...basicRows, ...(isReal ? oddRows() : [])];
  for (let index = 0; rows.length < accountCount; index += 1) {
    rows.push(...shopRows(index, isReal ? rows.length : undefined));
  }
  return rows.slice(0, accountCount);
};
