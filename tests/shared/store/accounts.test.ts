import { beforeAll, describe, expect, test } from 'vitest';
import type { PlatformAccount } from '#shared/domain/accounts.ts';
import { type Accounts, openAccounts } from '#shared/store/accounts.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { Table } from '#shared/store/table.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { chartAccount, contradictionsOf, readChart } from '../../support/readers/charts.ts';

let table: Table;
let charts: Accounts;
beforeAll(async () => {
  ({ table } = await openTestTable());
  charts = openAccounts(table);
});

let tenants = 0;
const newTenant = (): TenantName => {
  tenants += 1;
  return { applicationId: 'app1', schemaName: `tenant_${tenants}` };
};

/** The codes of a chart in their order, with the id of each account, and `archived` where it is. */
const codesOf = async (name: TenantName): Promise<string[]> => {
  const chart = await readChart(table, name);
  expect(contradictionsOf(chart)).toEqual([]);
  return chart.accounts.map(({ code, status, platformAccountId }) =>
    [code, platformAccountId, ...(status === 'archived' ? [status] : [])].join(' '),
  );
};

const archived = { status: 'archived' } as const;

describe('the codes of a chart', () => {
  const longCode = '9'.repeat(64);

  test.each<[string, PlatformAccount[][], string[]]>([
    [
      'are those of the platform',
      [[chartAccount('a', '200'), chartAccount('b', '100'), chartAccount('c', 'Löhne 7')]],
      ['100 b', '200 a', 'Löhne 7 c'],
    ],
    [
      'are made of the id where the platform has none',
      [[chartAccount('a', null), chartAccount('b', '')]],
      ['ID-a a', 'ID-b b'],
    ],
    [
      'are made of the id where one could be taken for another’s',
      [[chartAccount('a', 'ID-b'), chartAccount('b', null), chartAccount('c', 'id-b')]],
      ['ID-a a', 'ID-b b', 'id-b c'],
    ],
    [
      'are made of the id where one is too long',
      [[chartAccount('a', `${longCode}9`), chartAccount('b', longCode)]],
      [`${longCode} b`, 'ID-a a'],
    ],
    [
      'go to the account that is active, where one call has two of them',
      [[chartAccount('a', '1', archived), chartAccount('b', '1')]],
      ['1 b', 'ID-a a archived'],
    ],
    [
      'go to the first, where one call has two that are active',
      [[chartAccount('a', '1'), chartAccount('b', '1'), chartAccount('c', '1')]],
      ['1 a', 'ID-b b', 'ID-c c'],
    ],
    [
      'stay with who came first in an earlier call, active or not',
      [[chartAccount('a', '1', archived)], [chartAccount('b', '1')]],
      ['1 a archived', 'ID-b b'],
    ],
    [
      'stay with who has them, whoever is named first',
      [[chartAccount('a', '1')], [chartAccount('b', '1'), chartAccount('a', '1')]],
      ['1 a', 'ID-b b'],
    ],
    [
      'that change leave the old one behind, archived',
      [[chartAccount('a', '1')], [chartAccount('a', '2')]],
      ['1 a archived', '2 a'],
    ],
    [
      'that are given later leave the one by id behind, archived',
      [[chartAccount('a', null)], [chartAccount('a', '1')]],
      ['1 a', 'ID-a a archived'],
    ],
    [
      'that are taken away leave the old one behind, archived',
      [[chartAccount('a', '1')], [chartAccount('a', null)]],
      ['1 a archived', 'ID-a a'],
    ],
    [
      'can come back to the account that had them',
      [[chartAccount('a', '1')], [chartAccount('a', '2')], [chartAccount('a', '1')]],
      ['1 a', '2 a archived'],
    ],
    [
      'do not pass from one account to another, which has posted under another name',
      [[chartAccount('a', '1')], [chartAccount('a', '2'), chartAccount('b', '1')]],
      ['1 a archived', '2 a', 'ID-b b'],
    ],
    [
      'do not change hands where two accounts swap them',
      [
        [chartAccount('a', '1'), chartAccount('b', '2')],
        [chartAccount('a', '2'), chartAccount('b', '1')],
      ],
      ['1 a archived', '2 b archived', 'ID-a a', 'ID-b b'],
    ],
    [
      'are as they were where two accounts swap them and swap back',
      [
        [chartAccount('a', '1'), chartAccount('b', '2')],
        [chartAccount('a', '2'), chartAccount('b', '1')],
        [chartAccount('a', '1'), chartAccount('b', '2')],
      ],
      ['1 a', '2 b', 'ID-a a archived', 'ID-b b archived'],
    ],
    [
      'are one for an account that one call has twice, as the last says',
      [[chartAccount('a', '1'), chartAccount('b', '3'), chartAccount('a', '2')]],
      ['2 a', '3 b'],
    ],
    ['are none for no accounts', [[]], []],
  ])('%s', async (_, recordings, expected) => {
    const name = newTenant();
    for (const accounts of recordings) await charts.record(name, accounts);
    expect(await codesOf(name)).toEqual(expected);
    await charts.record(name, recordings.at(-1) ?? []);
    expect(await codesOf(name)).toEqual(expected);
  });

  test('are each tenant’s own', async () => {
    const [name, other] = [newTenant(), newTenant()];
    await charts.record(name, [chartAccount('a', '1')]);
    await charts.record(other, [chartAccount('b', '1')]);
    expect([await codesOf(name), await codesOf(other)]).toEqual([['1 a'], ['1 b']]);
  });
});

describe('an account of a chart', () => {
  test('is kept with all that the platform says of it', async () => {
    const name = newTenant();
    await charts.record(name, [
      chartAccount('a', '1', { name: ' Cash ', type: 'liability' }),
      chartAccount('b', null, { name: '🏦'.repeat(151), ...archived }),
    ]);
    expect((await readChart(table, name)).accounts).toEqual([
      { code: '1', name: 'Cash', type: 'liability', status: 'active', platformAccountId: 'a' },
      {
        code: 'ID-b',
        name: '🏦'.repeat(150),
        type: 'asset',
        status: 'archived',
        platformAccountId: 'b',
      },
    ]);
  });

  test.each<[string, Partial<PlatformAccount>]>([
    ['name', { name: 'Petty cash' }],
    ['type', { type: 'expense' }],
    ['status', archived],
  ])('is brought up to date where its %s changes', async (_, change) => {
    const name = newTenant();
    await charts.record(name, [chartAccount('a', '1'), chartAccount('b', '2')]);
    await charts.record(name, [chartAccount('a', '1', change)]);
    const { accountId, ...account } = chartAccount('a', '1', change);
    const { accounts } = await readChart(table, name);
    expect(accounts[0]).toEqual({ ...account, platformAccountId: accountId });
    expect(await codesOf(name)).toHaveLength(2);
  });

  test('is found by its id, under its code of now', async () => {
    const name = newTenant();
    await charts.record(name, [chartAccount('a', '1'), chartAccount('b', null, archived)]);
    await charts.record(name, [chartAccount('a', '2', { name: 'Renamed' })]);
    expect(await charts.findMany(name, ['b', 'a', 'nobody', 'a'])).toEqual(
      new Map([
        ['b', { code: 'ID-b', name: 'Account b' }],
        ['a', { code: '2', name: 'Renamed' }],
      ]),
    );
    expect(await charts.findMany(name, [])).toEqual(new Map());
    expect(await charts.findMany(newTenant(), ['a'])).toEqual(new Map());
  });
});

describe('the cost of a chart', () => {
  const manyAccounts = Array.from({ length: 500 }, (_, number) =>
    chartAccount(`id-${number}`, number % 10 === 0 ? null : String(1000 + number)),
  );

  test('is two calls for 33 accounts, and one where nothing changed', async () => {
    const name = newTenant();
    const first = await costOf(() => charts.record(name, manyAccounts));
    expect(first.operations).toEqual(
      Array.from({ length: 16 }, () => ['BatchGetItem', 'TransactWriteItems']).flat(),
    );
    const again = await costOf(() => charts.record(name, manyAccounts));
    expect(again.operations).toEqual(Array.from({ length: 16 }, () => 'BatchGetItem'));
    expect(again.units.write).toBe(0);
    const codes = await codesOf(name);
    expect(codes).toHaveLength(500);
    expect(codes.filter((line) => line.startsWith('ID-'))).toHaveLength(50);
  });

  test('is one transaction where one account of many changed', async () => {
    const name = newTenant();
    const accounts = manyAccounts.slice(0, 33);
    await charts.record(name, accounts);
    const renamed = accounts.map((account, number) =>
      number === 7 ? { ...account, name: 'Renamed' } : account,
    );
    const cost = await costOf(() => charts.record(name, renamed));
    expect(cost.operations).toEqual(['BatchGetItem', 'TransactWriteItems']);
    // Account and id, of up to 1 KB each, at twice the price of a write outside a transaction.
    expect(cost.units.write).toBe(4);
  });

  test('is no more for 33 accounts whose codes all change', async () => {
    const name = newTenant();
    const accounts = manyAccounts.slice(0, 33);
    await charts.record(name, accounts);
    const recoded = accounts.map((account, number) => ({ ...account, code: `N${number}` }));
    const cost = await costOf(() => charts.record(name, recoded));
    expect(cost.operations).toEqual(['BatchGetItem', 'TransactWriteItems']);
    expect(await codesOf(name)).toHaveLength(66);
  });
});
