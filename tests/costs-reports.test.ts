// What reports cost at the table: it grows with days and accounts, and not with entries.

import { expect, test } from 'vitest';
import { noHash } from '#shared/entries/entry-hash.ts';
import { addDays } from '#shared/money/dates.ts';
import { sheetKey } from '#shared/table/keys.ts';
import { openTestLedger } from './support/builders/ledger.ts';
import { costOf } from './support/dynamodb/costs.ts';
import { openReportCalls } from './support/harnesses/reports.ts';

const ledger = await openTestLedger();
const { ask, post } = openReportCalls(ledger);

test('a trial balance and a statement: one step, a unit for 200 rows of its sheets', async () => {
  const { prefix: domain_url, ...name } = await ledger.createTenant('Balanced');
  const rows = ledger.chartCodes.map((code) => `${code}\t\t1.25\t1.25\t`);
  const sheets = Array.from({ length: 40 }, (_, day) => ({
    ...sheetKey(name, { series: 'MJ', date: addDays('2026-01-01', day) }),
    ...{ lastSequence: 1, revision: 1, counted: 1, head: noHash, rows: rows.join('\n') },
  }));
  await ledger.seed(...sheets);
  expect(await costOf(() => ask('balance', { domain_url }))).toEqual({
    sequentialCalls: 1,
    operations: ['BatchGetItem', 'Query', 'Query'],
    units: { read: 17, write: 0 },
  });
  for (const statement of ['balanceSheet', 'profitAndLoss', 'cashFlow'] as const) {
    expect(await costOf(() => ask(statement, { domain_url }))).toEqual({
      sequentialCalls: 1,
      operations: ['BatchGetItem', 'Query', 'Query'],
      units: { read: 17, write: 0 },
    });
  }
  // Of one account the chart is not read.
  expect(await costOf(() => ask('balance', { domain_url, account: '1010' }))).toEqual({
    sequentialCalls: 1,
    operations: ['BatchGetItem', 'Query'],
    units: { read: 15, write: 0 },
  });
});

test('an account ledger: one step, and one for the dates on which the account moved', async () => {
  const { prefix: domain_url } = await ledger.createTenant('Ledgers');
  for (const date of ['2026-03-20', '2026-03-21', '2026-03-22']) {
    await post(domain_url, { date, amount: '1.00' });
    await post(domain_url, { date, accrual_date: '2026-03-23', amount: '1.00' });
  }
  const query = { domain_url, account: '1010', from: '2026-03-01' };
  expect(await costOf(() => ask('ledger', { ...query, to: '2026-03-22' }))).toEqual({
    sequentialCalls: 2,
    operations: ['BatchGetItem', 'Query', 'Query', 'Query', 'Query'],
    units: { read: 7, write: 0 },
  });
  const ofAccruals = { ...query, from: '2026-03-23', to: '2026-03-23' };
  expect(await costOf(() => ask('ledger', ofAccruals))).toEqual({
    sequentialCalls: 4,
    operations: ['BatchGetItem', 'Query', 'Query', 'Query', 'BatchGetItem'],
    units: { read: 9, write: 0 },
  });
});
