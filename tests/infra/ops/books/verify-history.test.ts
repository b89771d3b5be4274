// What nobody with access to the table can change unnoticed: accounts, settings, the lock, and the
// history itself.

import { beforeAll, expect, test } from 'vitest';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { newChartActions } from '#shared/accounts/new-chart.store.ts';
import { byService } from '#shared/history/tenant-history.ts';
import { historyKey } from '#shared/table/history-keys.ts';
import {
  accountCountKey,
  accountKey,
  type Key,
  type TenantName,
  tenantKey,
} from '#shared/table/keys.ts';
import { openTenantReader } from '#shared/tenants/tenant-links.store.ts';
import { lockPeriod } from '../../../support/builders/period-locks.ts';
import { addTenant } from '../../../support/builders/platforms/connected-tenants.ts';
import {
  type Change,
  openVerification,
  put,
} from '../../../support/harnesses/books-verification.ts';
import { useOperator } from '../../../support/harnesses/operator.ts';

const operator = useOperator();
const { verifyTenant, differencesWith } = openVerification(operator);

let name: TenantName;
beforeAll(async () => {
  name = await addTenant(operator.ledger, { prefix: 'kept', slot: 'manual' });
  const { table } = operator.database;
  const tenant = await openTenantReader(table).find(name);
  if (tenant === undefined) throw new Error('the tenant was not added');
  await table.transact(newChartActions(tenant, defaultChart, byService));
  await lockPeriod(table, name, '2026-02-28');
});

test('a sound history has no differences', async () => {
  expect(await verifyTenant('kept')).toMatchObject({ difference_count: 0 });
});

type Case = [title: string, (of: TenantName) => Key, Change | 'removed', string[]];

test.each<Case>([
  [
    'the type of an account',
    (it) => accountKey(it, '1010'),
    put({ type: 'expense' }),
    ['type of account 1010'],
  ],
  [
    'its class',
    (it) => accountKey(it, '1500'),
    put({ cashFlow: 'operating' }),
    ['cash_flow of account 1500'],
  ],
  ['its number', (it) => accountKey(it, '1500'), put({ number: 500 }), ['number of account 1500']],
  ['the currency', tenantKey, put({ currency: 'USD' }), ['currency of the settings']],
  ['the lock', tenantKey, put({ lockDate: '2026-01-31' }), ['lock_date of the settings']],
  [
    'the key of a change',
    (it) => historyKey(it, 2),
    put({ actorId: 'other' }),
    ['change 2 of the history'],
  ],
  [
    'the time of a change',
    (it) => historyKey(it, 1),
    put({ at: '2020-01-01' }),
    ['change 1 of the history'],
  ],
  [
    'the last change',
    (it) => historyKey(it, 2),
    'removed',
    ['end of the history', 'lock_date of the settings', 'locked_from of the settings'],
  ],
  ['the end of the history', accountCountKey, put({ changes: 1 }), ['end of the history']],
])('a difference is found if somebody alters %s', async (_title, keyOf, change, expected) => {
  expect(await differencesWith('kept', keyOf(name), change)).toEqual(expected);
});
