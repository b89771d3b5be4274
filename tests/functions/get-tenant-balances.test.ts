// get-tenant-balances after imports of a company whose platform has trial balances.

import Big from 'big.js';
import { expect, test } from 'vitest';
import type { TrialBalance } from '#shared/balances/trial-balance.ts';
import { lockPeriod } from '../support/builders/period-locks.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { journal, openTenantImports } from '../support/harnesses/tenant-imports.ts';
import { problemsOf } from '../support/readers/replies.ts';

const env = await openTenantImports();

/** A report with this debit on account 1, and the same credit on account 2. */
const reportOf = (amount: string): TrialBalance => ({
  rows: [
    { accountId: '1', name: 'Bank', type: 'asset', balance: new Big(amount) },
    { accountId: '2', name: 'Capital', type: 'equity', balance: new Big(amount).times(-1) },
  ],
  total: new Big(amount),
  profitSince: 'fiscal_year',
});

/** A company whose platform has a balance since its first month, and a later one in March. */
const openCompany = async (amounts: { march: string }) => {
  const company = await env.connectCompany();
  const { fake, name, clock } = company;
  fake.books.trialBalance = ({ date }) => reportOf(date < '2026-03-01' ? '8000' : amounts.march);
  const domain_url = name.schemaName.replaceAll('_', '-');
  const calls = callsOf(openInstance({ table: env.table, clock }), { domain_url });
  const importAgain = async (): Promise<void> => {
    company.world.now += 3_600_000;
    const requestedAt = clock().toISOString();
    await env.imports.request(name, { importId: `import at ${requestedAt}`, requestedAt });
    await company.runToEnd();
  };
  return { ...company, ...calls, domain_url, importAgain };
};

const agreeing = { agrees: true, reason: null };
const rowsOf = ({ accounts }: { accounts: Record<string, string>[] }) =>
  accounts.map((it) => [it.account, it.platform, it.ours, it.posted_here, it.difference].join());

test('after an import, all days agree, and entries posted here stay on top', async () => {
  const { call, runToEnd, domain_url } = await openCompany({ march: '8120' });
  const unchecked = await call('getBalances');
  expect(unchecked).toMatchObject({ agrees: false, reason: 'not_checked', as_of: null, days: [] });
  await runToEnd();
  await call('createEntry', {
    ...euroEntry(),
    date: '2026-03-20',
    entries: [
      { account: '1', debit: '50.00' },
      { account: '2', credit: '50.00' },
    ],
  });
  const check = await call('getBalances');
  expect(check).toMatchObject({
    ...agreeing,
    tenant_domain_url: domain_url,
    currency: 'EUR',
    as_of: '2026-03-23',
    checked_at: '2026-03-23T09:30:00.000Z',
    platform_total_debits: '8120.00',
    platform_total_credits: '8120.00',
  });
  expect(rowsOf(check)).toEqual([
    '1,8120.00,8170.00,50.00,0.00',
    '2,-8120.00,-8170.00,-50.00,0.00',
  ]);
  expect(check.days).toHaveLength(26);
  const earlier = await call('getBalances', { as_of: '2024-02-29' });
  expect(earlier).toMatchObject({ ...agreeing, platform_total_debits: '8000.00' });
  expect(rowsOf(earlier)[0]).toBe('1,8000.00,8000.00,0.00,0.00');
});

test('a change in the locked period is named, and later days have it', async () => {
  const company = await openCompany({ march: '8120' });
  const { call, name } = company;
  await company.runToEnd();
  await lockPeriod(env.table, name, '2025-12-31');
  company.fake.books.trialBalance = ({ date }) => reportOf(date < '2025-11-01' ? '8000' : '9000');
  await company.importAgain();
  const locked = await call('getBalances', { as_of: '2025-12-31' });
  expect(locked).toMatchObject({ agrees: false, reason: 'period_locked' });
  expect(rowsOf(locked)[0]).toBe('1,9000.00,8000.00,0.00,1000.00');
  expect(await call('getBalances', { as_of: '2026-01-31' })).toMatchObject(agreeing);
  const { days } = await call('getBalances');
  expect(days.filter(({ reason }: { reason: string | null }) => reason !== null)).toEqual([
    { date: '2025-11-30', reason: 'period_locked' },
    { date: '2025-12-31', reason: 'period_locked' },
  ]);
});

test('journals that were imported after the check differ until the import ends', async () => {
  const company = await openCompany({ march: '8000' });
  await company.runToEnd();
  company.fake.books.journalPages = [[journal('j-1', { date: '2026-02-10' })]];
  company.fake.plan('trialBalance', new Error('the run was killed'));
  const requestedAt = '2026-03-23T10:30:00.000Z';
  await env.imports.request(company.name, { importId: 'import-2', requestedAt });
  await company.deliver();
  const during = await company.call('getBalances', { as_of: '2026-02-28' });
  expect(during).toMatchObject({ agrees: false, reason: 'import_under_way' });
  expect(rowsOf(during)[0]).toBe('1,8000.00,8100.00,0.00,-100.00');
  await company.runToEnd();
  expect(await company.call('getBalances', { as_of: '2026-02-28' })).toMatchObject(agreeing);
});

test('only days that were compared can be checked, of tenants that were connected', async () => {
  const { send, runToEnd } = await openCompany({ march: '8000' });
  await runToEnd();
  expect(problemsOf(await send('getBalances', { as_of: '2026-03-10' }))).toEqual([
    'balances_not_read /as_of',
  ]);
});

test('reports say which days they cover', async () => {
  const company = await openCompany({ march: '8120' });
  const { call } = company;
  const coverageOf = ({ coverage, covered_from, covered_to, checked_at }: Record<string, string>) =>
    [coverage, covered_from, covered_to, checked_at].join();
  const sheetAt = async (as_of: string) => coverageOf(await call('getBalanceSheet', { as_of }));
  const profitIn = async (from: string, to: string) =>
    coverageOf(await call('getProfitAndLoss', { from, to }));
  await company.runToEnd();
  const at = '2026-03-23T09:30:00.000Z';
  const since = '2024-02-29';
  expect(await sheetAt('2026-02-28')).toBe(`platform_balances,${since},2026-02-28,${at}`);
  expect(await sheetAt('2026-02-27')).toBe(`journals_only,${since},2026-01-31,${at}`);
  expect(await sheetAt('2026-03-23')).toBe(`platform_balances,${since},2026-03-23,${at}`);
  expect(await sheetAt('2024-01-31')).toBe(`journals_only,,,${at}`);
  expect(await profitIn('2026-02-01', '2026-02-28')).toContain('platform_balances');
  expect(await profitIn('2026-02-02', '2026-02-28')).toContain('journals_only');
  const columns = { from: '2026-01-01', to: '2026-03-22', columns: 'month' };
  expect(await call('getProfitAndLoss', columns)).toMatchObject({ coverage: 'journals_only' });
  const whole = { ...columns, to: '2026-03-23' };
  expect(await call('getProfitAndLoss', whole)).toMatchObject({ coverage: 'platform_balances' });
});
