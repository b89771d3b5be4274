// What reports read of books of one and ten years, in which 500 accounts move every day. It is the
// same, because a report starts from carried totals.

import { expect, test } from 'vitest';
import { noHash } from '#shared/entries/entry-hash.ts';
import { addDays } from '#shared/money/dates.ts';
import { openCarryForward } from '#shared/sheets/carry-forward.store.ts';
import { formatRowTexts, rowNameOf } from '#shared/sheets/row-text.ts';
import { accountKey, sheetKey, type TenantName } from '#shared/table/keys.ts';
import { openTestLedger } from './support/builders/ledger.ts';
import { costOf } from './support/dynamodb/costs.ts';
import { callsOf, type Endpoint } from './support/harnesses/calls.ts';
import { openInstance } from './support/harnesses/instances.ts';

const today = '2026-03-24';
const now = new Date(`${today}T12:00:00.000Z`);
const ledger = await openTestLedger();
const { call } = callsOf(openInstance({ table: ledger.table, clock: () => now }));

/** Of the length of the default chart's names. */
const accountsOf = (length: number) =>
  Array.from({ length }, (_, index) => ({
    code: String(10_000 + index),
    name: `Customer deposits ${index}`,
    type: index % 2 === 0 ? 'asset' : 'revenue',
    status: 'active',
    subtype: index % 2 === 0 ? 'receivable' : 'operating_revenue',
    cashFlow: 'operating',
    number: 1_000 + index,
  }));
type Chart = ReturnType<typeof accountsOf>;

/** After so many dates, the rows repeat. */
const distinctDates = 90;

/** The rows of a date. Debits equal credits. */
const rowsOf = (accounts: Chart, day: number): string =>
  formatRowTexts(
    accounts.map((account, index) => {
      const amount = `${100 + ((day * 7 + Math.floor(index / 2)) % 900)}.25`;
      const sides: [string, string] = index % 2 === 0 ? [amount, ''] : ['', amount];
      return [rowNameOf(account), '', ...sides, '', '', '', ''];
    }),
  );

const fill = async (
  name: TenantName,
  { accounts, years }: { accounts: Chart; years: number },
): Promise<void> => {
  await ledger.seed(
    ...accounts.map((account) => ({ ...accountKey(name, account.code), ...account })),
  );
  const counts = { lastSequence: 250, revision: 250, counted: 250, head: noHash };
  const rows = Array.from({ length: distinctDates }, (_, day) => rowsOf(accounts, day));
  await ledger.seed(
    ...Array.from({ length: years * 365 }, (_, day) => ({
      ...sheetKey(name, { series: 'MJ', date: addDays(today, -day) }),
      ...counts,
      rows: rows[day % distinctDates],
    })),
  );
  const carryForward = openCarryForward(ledger.table);
  while ((await carryForward.carryNext(name, now)) === 'carried');
};

const month = { from: '2026-01-01', to: '2026-01-31' };
const current = { from: '2026-03-01', to: '2026-03-31' };
const year = { from: '2025-04-01', to: '2026-03-31' };
const day = { from: '2026-02-11', to: '2026-02-11' };
const inMonths = { ...year, columns: 'month' };
/** A report, its calls, and its read units in books of one and ten years. */
const reports: [title: string, Endpoint, query: object, calls: number, units: number[]][] = [
  ['trial balance of a month', 'getTrialBalance', month, 4, [9, 10]],
  ['trial balance of this month', 'getTrialBalance', current, 6, [22, 23]],
  ['an account of it', 'getTrialBalance', { ...month, account: '10000' }, 4, [9, 10]],
  ['balance sheet of this month', 'getBalanceSheet', { as_of: '2026-03-31' }, 6, [22, 23]],
  ['profit and loss of this month', 'getProfitAndLoss', current, 6, [22, 23]],
  ['profit and loss of a day', 'getProfitAndLoss', day, 4, [17, 18]],
  ['cash flow of a month', 'getCashFlow', month, 4, [9, 10]],
  ['cash flows of twelve months', 'getCashFlow', inMonths, 17, [43, 45]],
];

test.each([1, 10])('books of %i years', { timeout: 300_000 }, async (years) => {
  const { prefix: domain_url, ...name } = await ledger.createTenant(`Books of ${years} years`);
  await fill(name, { accounts: accountsOf(500), years });
  const place = [1, 10].indexOf(years);
  // A process reads the chart only once.
  await call('getTrialBalance', { domain_url });
  const costs = [];
  for (const [title, endpoint, query] of reports) {
    const { operations, units } = await costOf(() => call(endpoint, { domain_url, ...query }));
    costs.push([title, operations.length, units.read]);
  }
  expect(costs).toEqual(reports.map(([title, , , calls, units]) => [title, calls, units[place]]));
});

test.each([1, 10])('current balances in books of %i years', { timeout: 300_000 }, async (years) => {
  const { prefix: domain_url, ...name } = await ledger.createTenant(`Balances of ${years} years`);
  await fill(name, { accounts: accountsOf(60), years });
  const list = () => call('listAccounts', { domain_url, balances: 'true', limit: '200' });
  const read = async () => {
    const { operations, units } = await costOf(list);
    return [operations.length, units.read];
  };
  // The first request of a process reads the chart.
  expect([await read(), await read()]).toEqual(
    years === 1
      ? [
          [5, 16],
          [4, 9],
        ]
      : [
          [5, 17],
          [4, 10],
        ],
  );
});
