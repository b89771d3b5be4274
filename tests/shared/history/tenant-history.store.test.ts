// The history of a tenant is one chain, also if many change it at once or an earlier version began
// the tenant.

import { expect, test } from 'vitest';
import { openChartReader } from '#shared/accounts/chart-reader.store.ts';
import { chartStateOf } from '#shared/applications/quota-counts.store.ts';
import { openTenantHistory, shownAccountOf } from '#shared/history/tenant-history.store.ts';
import {
  type Change,
  emptyHistory,
  hashOfChange,
  withChanged,
} from '#shared/history/tenant-history.ts';
import { historyKey } from '#shared/table/history-keys.ts';
import { accountCountKey, accountKey, type TenantName, tenantKey } from '#shared/table/keys.ts';
import { callsOf, openTenantCalls } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';

const { ledger, name, send, call } = await openTenantCalls();
const { call: callApplication } = callsOf(
  openInstance({ table: ledger.table, clock: () => new Date() }),
);
const { table } = ledger;
const history = openTenantHistory(table);
const stateOf = async (of: TenantName) => chartStateOf(await table.get(accountCountKey(of)));

/** Checks that the hashes follow each other, and that the state has the last one. */
const expectChain = async (of: TenantName): Promise<Change[]> => {
  const changes = await history.list(of);
  let previous = emptyHistory.changesHead;
  for (const [index, change] of changes.entries()) {
    expect(change).toMatchObject({ sequence: index + 1, hash: hashOfChange(change, previous) });
    previous = change.hash;
  }
  expect(await stateOf(of)).toMatchObject({ changes: changes.length, changesHead: previous });
  return changes;
};

/** The accounts that follow from the changes. */
const accountsFrom = (changes: readonly Change[]) => {
  const accounts = new Map<string, Record<string, unknown>>();
  for (const { what, subject, after } of changes) {
    const changed =
      subject !== null && what.startsWith('account_') ? { [subject]: after } : after.accounts;
    for (const [code, fields] of Object.entries(changed ?? {})) {
      accounts.set(code, withChanged((accounts.get(code) ?? {}) as never, fields as never));
    }
  }
  return accounts;
};

const storedAccounts = async (of: TenantName) => {
  const chart = await openChartReader(table).read(of, await stateOf(of), { again: true });
  return new Map([...chart].map(([code, account]) => [code, shownAccountOf(account)]));
};

test('concurrent changes of accounts, settings, links and the lock are one chain', async () => {
  const { user_id } = await callApplication('ensureUser', {
    email: 'grace@example.com',
    password: 'correct horse battery',
    first_name: 'Grace',
    last_name: 'Hopper',
  });
  await Promise.all([
    call('createAccount', { code: 'N1', name: 'New', type: 'asset' }),
    call('updateAccount', { code: '1010', name: 'Bank' }),
    call('updateAccount', { code: '1010', status: 'archived' }),
    call('updateTenant', { company_name: 'Renamed' }),
    call('updateTenant', { lock_date: '2026-02-28' }),
    call('link', { user_id }),
  ]);
  await call('link', { user_id });
  await call('unlink', { user_id });
  const changes = await expectChain(name);
  expect(changes.map(({ what }) => what).toSorted()).toEqual([
    'account_created',
    'account_updated',
    'account_updated',
    'settings_updated',
    'settings_updated',
    'tenant_created',
    'user_linked',
    'user_unlinked',
  ]);
  expect(accountsFrom(changes)).toEqual(await storedAccounts(name));
  expect(changes[0]?.after).toMatchObject({ settings: { company_name: 'Acme', currency: 'EUR' } });
});

test('the history of an earlier tenant begins with its state, also a large one', async () => {
  const { prefix: domain_url, ...tenant } = await ledger.createTenant('Earlier');
  const { changes: _, changesHead: __, ...earlier } = await stateOf(tenant);
  const accounts = Array.from({ length: 1_200 }, (_, index) => {
    const code = `X${index}`;
    return { ...accountKey(tenant, code), code, name: code, type: 'asset', status: 'active' };
  });
  const lockChange = { at: '2026-03-01', from: null, to: '2026-01-31', keyId: 'old' };
  await ledger.seed(
    { ...accountCountKey(tenant), ...earlier },
    { ...tenantKey(tenant), sk: 'LOCK#2026-03-01#a', ...lockChange },
    ...accounts,
  );
  await table.consume(historyKey(tenant, 1), { condition: 'attribute_exists(pk)' });
  await Promise.all([
    send('updateAccount', { domain_url, code: '1010', name: 'Renamed' }),
    send('updateTenant', { domain_url, lock_date: '2026-02-28' }),
  ]);
  const changes = await expectChain(tenant);
  expect(changes.filter(({ what }) => what === 'history_opened').length).toBeGreaterThan(2);
  expect(accountsFrom(changes)).toEqual(await storedAccounts(tenant));
  expect(changes[0]?.after.lock_changes).toEqual([
    { at: '2026-03-01', from: null, to: '2026-01-31', key_id: 'old' },
  ]);
});

test('pages continue after a change, in both directions', async () => {
  const all = (await history.list(name)).map(({ sequence }) => sequence);
  for (const isDescending of [false, true]) {
    const pages: number[] = [];
    let after: number | undefined;
    do {
      const page = await history.listPage(name, {
        limit: 3,
        isDescending,
        ...(after && { after }),
      });
      pages.push(...page.changes.map(({ sequence }) => sequence));
      after = page.next;
    } while (after !== undefined);
    expect(pages).toEqual(isDescending ? all.toReversed() : all);
  }
});
