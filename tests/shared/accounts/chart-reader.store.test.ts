// A process keeps charts by their versions. It must never show an earlier state of an account.

import { expect, test } from 'vitest';
import { openChartReader } from '#shared/accounts/chart-reader.store.ts';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { chartStateOf } from '#shared/applications/quota-counts.store.ts';
import { byKey } from '#shared/history/tenant-history.ts';
import { accountCountKey, accountKey, type TenantName } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';

const { table, createTenant } = await openTestLedger();
const charts = openCharts(table);
const stateOf = async (name: TenantName) => chartStateOf(await table.get(accountCountKey(name)));

const openReader = (options?: { maximumAccounts: number }) => {
  const reader = openChartReader(table, options);
  return async (name: TenantName) => {
    const state = await stateOf(name);
    const { result, usage } = await meterUsage(() => reader.read(name, state));
    return { accounts: result, isRead: usage.calls.length > 0 };
  };
};

const change = { ...byKey('key'), at: '2026-03-24T12:00:00.000Z' };

test('a chart is read again after each change, also one by another process', async () => {
  const name = await createTenant('Kept');
  const read = openReader();
  expect((await read(name)).isRead).toBe(true);
  expect((await read(name)).isRead).toBe(false);
  const { account, state } = await charts.find(name, '1010', { withState: true });
  if (account === undefined) throw new Error('the chart has no account 1010');
  await charts.replace(name, {
    before: account,
    after: { ...account, name: 'Renamed' },
    state: await charts.opened(name, state),
    change,
  });
  expect((await read(name)).accounts.get('1010')?.name).toBe('Renamed');
  const added = { ...account, code: '1011', name: 'Added' };
  const early = { ...state, numbered: 0 };
  await charts.add(name, { account: added, maximum: 1_000, state: early, change });
  const { accounts, isRead } = await read(name);
  expect([accounts.get('1011')?.name, isRead]).toEqual(['Added', true]);
  expect([...accounts.values()]).toEqual((await charts.list(name, { limit: 200 }))?.accounts);
  expect((await read(name)).isRead).toBe(false);
});

test('accounts that are added at the same time get different numbers', async () => {
  const name = await createTenant('Numbered');
  const { account, state } = await charts.find(name, '1010', { withState: true });
  if (account === undefined) throw new Error('the chart has no account 1010');
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      charts.add(name, {
        account: { ...account, code: `X${index}` },
        maximum: 1_000,
        state,
        change,
      }),
    ),
  );
  const { accounts } = await openReader()(name);
  const numbers = [...accounts.values()].map(({ number }) => number);
  expect(new Set(numbers).size).toBe(accounts.size);
  expect(Math.max(...numbers.map(Number))).toBe((await stateOf(name)).numbered);
  expect((await table.get(accountKey(name, '1010')))?.number).toBe(2);
});

test('a process keeps the charts that it read last, up to a number of accounts', async () => {
  const [one, two] = [await createTenant('One'), await createTenant('Two')];
  const read = openReader({ maximumAccounts: 100 });
  await read(one);
  await read(two);
  expect((await read(two)).isRead).toBe(false);
  expect((await read(one)).isRead).toBe(true);
});
