// The sandbox platform's demo companies and their charts of accounts. All of them are made up.

import type { Account } from '#shared/domain/accounts.ts';
import type { Slot } from '#shared/platforms/slots.ts';

/** An account as the platform's API shows it. Not every account has a code. */
export type DemoAccount = {
  id: string;
  code: string | null;
  name: string;
  type: Account['type'];
  status: Account['status'];
};

export type DemoCompany = { id: string; name: string; currency: string; accounts: DemoAccount[] };

type Row = Omit<DemoAccount, 'id'>;

const rowsOf = (type: Row['type'], rows: [code: string | null, name: string][]): Row[] =>
  rows.map(([code, name]) => ({ code, name, type, status: 'active' }));

/** What every company has, with one account archived and one without a code. */
const basicRows: Row[] = [
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
  { code: '1090', name: 'Current account at the old bank', type: 'asset', status: 'archived' },
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
const departmentRows: Row[] = departments.flatMap((department, tens) =>
  rowsOf(
    'expense',
    costs.map((cost, ones) => [String(6100 + tens * 100 + ones * 10), `${department}: ${cost}`]),
  ),
);

const company = (
  [id, name, currency]: [id: string, name: string, currency: string],
  accountCount: number,
): DemoCompany => ({
  id,
  name,
  currency,
  accounts: [...basicRows, ...departmentRows]
    .slice(0, accountCount)
    .map((row, index) => ({ id: `${id}-${index + 1}`, ...row })),
});

/** The API answers with this many accounts at a time; a chart can have up to three pages. */
export const accountsPerPage = 50;

export const companiesOf: Readonly<Record<Slot, readonly DemoCompany[]>> = {
  platform_a: [
    company(['linden-bakery', 'Linden Bakery GmbH', 'EUR'], 118),
    company(['harbour-coffee', 'Harbour Coffee Roasters Ltd', 'GBP'], 64),
    company(['prairie-tools', 'Prairie Tools Inc.', 'USD'], 22),
  ],
  platform_b: [
    company(['alder-software', 'Alder Software Inc.', 'USD'], 96),
    company(['sakura-printing', 'Sakura Printing KK', 'JPY'], 72),
  ],
  platform_c: [
    company(['brennan-daughters', "Brennan & Daughters' Looms Ltd", 'EUR'], 104),
    company(['fjord-fish', 'Fjord Fish AS', 'NOK'], 58),
    company(['jaipur-textiles', 'Jaipur Textiles Pvt Ltd', 'INR'], 30),
  ],
};
