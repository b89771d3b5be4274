// The financial statements of one company.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EndpointSchema } from '#infra/docs/operations.ts';
import { digestOf } from '#shared/entries/entry-hash.ts';
import { sheetKey, tenantKey } from '#shared/table/keys.ts';
import { importMove } from '../../support/builders/moves.ts';
import { quarter } from '../../support/builders/quarter.ts';
import { connectionOf } from '../../support/builders/tenants.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { problemsOf, reportSuccess } from '../../support/readers/replies.ts';

const calls = await openTenantCalls({ companyName: 'Analytical Engines' });
const { ledger, name, send, post, metrics } = calls;
const today = '2026-03-24';
beforeAll(async () => {
  for (const posted of quarter) await post(posted);
});

const setTenant = (attribute: 'financialYearEnd' | 'cashFlowMethod', value: string) =>
  ledger.table.update({
    update: tenantKey(name),
    expression: 'SET #attribute = :value',
    names: { '#attribute': attribute },
    values: { ':value': value },
  });
beforeEach(() => setTenant('financialYearEnd', '12-31'));

const statements = [
  ...(['getBalanceSheet', 'getProfitAndLoss', 'getCashFlow'] as const),
  'getChangesInEquity',
] as const;
const folders = [
  ...['get-balance-sheet', 'get-profit-and-loss', 'get-cash-flow'],
  'get-changes-in-equity',
];
const examples = await Promise.all(
  folders.map(async (folder, index) => {
    const { documentation }: EndpointSchema = await import(`#functions/${folder}/schema.ts`);
    return documentation.examples.map(({ name: title, request, data }) => ({
      title,
      report: statements[index] ?? 'getBalanceSheet',
      request: request as Record<string, string>,
      data: data as object,
    }));
  }),
);

test.each(examples.flat())('$report is as the reference shows it: $title', async (example) => {
  const reply = await send(example.report, example.request);
  const { digest, entries_digest } = reply.body.data;
  expect(reply).toEqual(reportSuccess({ ...example.data, digest, entries_digest }));
  const balance = await send('getTrialBalance', { as_of: '2026-03-31' });
  expect(digest).toBe(balance.body.data.digest);
});

test.each(statements)('%s of a connected tenant covers journals only', async (report) => {
  const owner = await ledger.newOwner('ada@example.com');
  const { domain_url } = await ledger.connectTenant(owner, connectionOf(report));
  const { body } = await send(report, { domain_url });
  expect(body.data).toMatchObject({ coverage: 'journals_only' });
});

describe('a balance sheet', () => {
  test('is of today by default', async () => {
    const { body } = await send('getBalanceSheet', {});
    expect(body.data).toMatchObject({ as_of: today, fiscal_year_start: '2026-01-01' });
  });

  test.each([
    ['12-31', '2025-12-31', '2025-01-01', '0.00', '12000.00'],
    ['12-31', '2026-01-01', '2026-01-01', '12000.00', '18000.00'],
    ['02-29', '2026-02-28', '2025-03-01', '0.00', '23050.00'],
    ['02-29', '2026-03-01', '2026-03-01', '23050.00', '0.00'],
    ['06-30', '2026-03-31', '2025-07-01', '0.00', '21190.00'],
  ])('splits earnings at the fiscal year that ends on %s: %s', async (...row) => {
    const [yearEnd, as_of, fiscal_year_start, retained, current] = row;
    await setTenant('financialYearEnd', yearEnd);
    const { body } = await send('getBalanceSheet', { as_of });
    expect(body.data).toMatchObject({
      fiscal_year_start,
      equity: { retained_earnings: { opening: retained, profit: current } },
    });
  });

  test('of empty books has no sections, and zeros', async () => {
    const { body } = await send('getBalanceSheet', { as_of: '2024-12-31' });
    const nothing = { sections: [], total: '0.00' };
    const divided = { current: nothing, non_current: nothing, total: '0.00' };
    expect(body.data).toMatchObject({
      entries_digest: digestOf([]),
      assets: divided,
      liabilities: divided,
      equity: nothing,
      total_liabilities_and_equity: '0.00',
    });
  });
});

test.each<[string, Record<string, string>, from: string, to: string, profit: string]>([
  ['the fiscal year to date by default', {}, '2026-01-01', today, '9190.00'],
  ['the fiscal year of its end', { to: '2025-12-31' }, '2025-01-01', '2025-12-31', '12000.00'],
  ['a period until today', { from: '2026-03-01' }, '2026-03-01', today, '-1860.00'],
  ['several fiscal years', { from: '2025-01-01' }, '2025-01-01', today, '21190.00'],
  [
    'a period without entries',
    { from: '2024-03-01', to: '2024-03-31' },
    '2024-03-01',
    '2024-03-31',
    '0.00',
  ],
  [
    'the fiscal year that ends in January',
    { to: '2026-02-28' },
    '2026-02-01',
    '2026-02-28',
    '-50.00',
  ],
])('profit and loss is of %s', async (title, query, from, to, profit) => {
  if (title.endsWith('January')) await setTenant('financialYearEnd', '01-31');
  const { body } = await send('getProfitAndLoss', { ...query });
  expect(body.data).toMatchObject({ from, to, profit });
});

test.each(['direct', 'indirect'])('cash flow is %s if the tenant is', async (method) => {
  await setTenant('cashFlowMethod', method);
  const { body } = await send('getCashFlow', {});
  expect(body.data).toMatchObject({
    from: '2026-01-01',
    to: today,
    operating: { method, total: '8950.00' },
  });
});

test('cash flow of a period without entries shows the cash', async () => {
  const quiet = { from: '2025-02-01', to: '2025-02-28' };
  const { body } = await send('getCashFlow', { ...quiet, method: 'direct' });
  const nothing = { accounts: [], total: '0.00' };
  expect(body.data).toMatchObject({
    ...quiet,
    operating: { method: 'direct', ...nothing },
    investing: nothing,
    financing: nothing,
    unclassified: nothing,
    net_change: '0.00',
    opening_cash: '10000.00',
    closing_cash: '10000.00',
    cash_accounts: [{ account: '1010', opening: '10000.00', closing: '10000.00' }],
  });
});

describe.each(['getTrialBalance', ...statements] as const)('books that differ: %s', (report) => {
  test.each([
    ['the sides are not equal', '1010\t\t5\t\t\n4010\t\t\t4.99\t5'],
    ['an account is not in the chart', '1010\t\t5\t\t\n666\t\t\t5\t5'],
  ])('is refused with an alarm if %s', async (title, rows) => {
    const { prefix, ...spoilt } = await ledger.createTenant(`${title.slice(0, 8)} ${report}`);
    const date = '2026-03-02';
    await importMove(ledger.table, spoilt, { date, amount: '5.00', reference: 'one' });
    const update = sheetKey(spoilt, { series: 'IJ', date });
    const change = { expression: 'SET #rows = :rows', names: { '#rows': 'rows' } };
    await ledger.table.update({ update, ...change, values: { ':rows': rows } });
    metrics.events.splice(0);
    const { status, body } = await send(report, { domain_url: prefix });
    expect([status, body.error.code]).toEqual([500, 'internal_error']);
    expect(metrics.events).toContainEqual(['booksDiffer']);
  });
});

const period = (from: string, to: string) => ({ from, to });
test.each<[string, Parameters<typeof send>[0], Record<string, string>, string[]]>([
  ['an invalid date', 'getBalanceSheet', { as_of: 'today' }, ['date_not_valid /as_of']],
  ['a period', 'getBalanceSheet', { from: today }, ['unknown_field /from']],
  ...(['getProfitAndLoss', 'getCashFlow'] as const).flatMap(
    (report): [string, typeof report, Record<string, string>, string[]][] => [
      ['invalid dates', report, period('then', 'now'), ['date_not_valid /from /to']],
      [
        'an end before the start',
        report,
        period('2026-03-02', '2026-03-01'),
        ['from_after_to /from'],
      ],
      ['a start after today', report, { from: '2026-03-25' }, ['from_after_to /from']],
    ],
  ),
  ['an unknown method', 'getCashFlow', { method: 'both' }, ['not_an_allowed_value /method']],
])('refused: %s (%s)', async (_, report, query, problems) => {
  const reply = await send(report, query);
  expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
});
