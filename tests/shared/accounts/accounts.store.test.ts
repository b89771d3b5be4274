import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccountChanges } from '#shared/accounts/account-rules.ts';
import {
  type Accounts,
  openAccounts,
  type RecordedAccounts,
} from '#shared/accounts/accounts.store.ts';
import type { PlatformAccount } from '#shared/accounts/accounts.ts';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { accountCountAction } from '#shared/applications/quota-counts.store.ts';
import type { OpenedState } from '#shared/history/tenant-history.store.ts';
import { byKey, emptyHistory } from '#shared/history/tenant-history.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { testQuotas } from '../../support/builders/quotas.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { chartAccount, contradictionsOf, readChart } from '../../support/readers/charts.ts';

type ChartAccount = ReturnType<typeof chartAccount>;

const { table } = await openTestTable();
const accounts = openAccounts(table, testQuotas);

let tenants = 0;
const newTenant = (): TenantName => {
  tenants += 1;
  return { applicationId: 'app1', schemaName: `tenant_${tenants}` };
};

const archived = { status: 'archived' } as const;
const expense = { type: 'expense' } as const;
const cash = { subtype: 'cash', cashFlow: 'cash' } as const;

/** An account as a line: its code or `-`, its id, and `archived` if it is. */
const accountOf = (line: string): ChartAccount => {
  const [, code = '', id = '', status] = /^(.*?) (\w)( archived)?$/.exec(line) ?? [];
  return chartAccount(id, code === '-' ? null : code, status === undefined ? {} : archived);
};
const record = (name: TenantName, lines: string[]): Promise<RecordedAccounts> =>
  accounts.record(name, lines.map(accountOf));

const charts = openCharts(table);

/** Changes an account as a caller does. */
const changeAccount = async (
  name: TenantName,
  code: string,
  changes: AccountChanges,
  read?: OpenedState,
): Promise<boolean> => {
  const { account } = await charts.find(name, code);
  if (account === undefined) throw new Error(`there is no account ${code}`);
  const state = read ?? (await charts.opened(name));
  const change = { ...byKey('key'), at: '2026-03-24T12:00:00.000Z' };
  return charts.replace(name, {
    before: account,
    after: { ...account, ...changes },
    state,
    change,
  });
};

/** The accounts of a chart as lines, ordered by code. */
const linesOf = async (name: TenantName): Promise<string[]> => {
  const chart = await readChart(table, name);
  expect(contradictionsOf(chart)).toEqual([]);
  return chart.accounts.map(({ code, status, platformAccountId }) =>
    [code, platformAccountId, ...(status === 'archived' ? [status] : [])].join(' '),
  );
};

/** A store after whose first read a rival writes. */
const accountsOvertakenBy = (rival: () => Promise<unknown>): Accounts => {
  let isOvertaken = false;
  const overtaken: typeof table = {
    ...table,
    getMany: async (keys) => {
      const items = await table.getMany(keys);
      if (!isOvertaken) {
        isOvertaken = true;
        await rival();
      }
      return items;
    },
  };
  return openAccounts(overtaken, testQuotas);
};

describe('the codes of a chart', () => {
  const longCode = '9'.repeat(64);
  const pair = ['1 a', '2 b'];
  const swapped = ['2 a', '1 b'];

  test.each<[string, string[][], string[]]>([
    ['of the platform', [['200 a', '100 b', 'Löhne 7 c']], ['100 b', '200 a', 'Löhne 7 c']],
    ['from the id if there is none', [['- a', ' b']], ['ID-a a', 'ID-b b']],
    [
      'that look like codes from ids',
      [['ID-b a', '- b', 'id-b c']],
      ['ID-a a', 'ID-b b', 'id-b c'],
    ],
    ['without invisible characters', [['\ufeff1\u200b a', 'Cafe\u0301 b']], ['1 a', 'Café b']],
    ['too long', [[`${longCode}9 a`, `${longCode} b`]], [`${longCode} b`, 'ID-a a']],
    ['of two, one active', [['1 a archived', '1 b']], ['1 b', 'ID-a a archived']],
    [
      'of the first account, active or not',
      [['1 a archived'], ['1 b']],
      ['1 a archived', 'ID-b b'],
    ],
    ['of their accounts, even if named last', [['1 a'], ['1 b', '1 a']], ['1 a', 'ID-b b']],
    ['that change', [['1 a'], ['2 a']], ['1 a archived', '2 a']],
    ['that are added later', [['- a'], ['1 a']], ['1 a', 'ID-a a archived']],
    ['that are removed', [['1 a'], ['- a']], ['1 a archived', 'ID-a a']],
    ['that return to their account', [['1 a'], ['2 a'], ['1 a']], ['1 a', '2 a archived']],
    [
      'that another account had before',
      [['1 a'], ['2 a', '1 b']],
      ['1 a archived', '2 a', 'ID-b b'],
    ],
    ['that two swap', [pair, swapped], ['1 a archived', '2 b archived', 'ID-a a', 'ID-b b']],
    ['swapped back', [pair, swapped, pair], ['1 a', '2 b', 'ID-a a archived', 'ID-b b archived']],
    ['of an account in the list twice', [['1 a', '3 b', '2 a']], ['2 a', '3 b']],
  ])('%s', async (_, recordings, expected) => {
    const name = newTenant();
    for (const lines of recordings) await record(name, lines);
    expect(await linesOf(name)).toEqual(expected);
    await record(name, recordings.at(-1) ?? []);
    expect(await linesOf(name)).toEqual(expected);
  });
});

describe('an account of a chart', () => {
  test('has the fields of the platform', async () => {
    const name = newTenant();
    await accounts.record(name, [
      chartAccount('a', '1', { name: ' Cash ', type: 'liability' }),
      chartAccount('b', null, { name: '🏦'.repeat(151), ...archived, ...cash }),
    ]);
    expect((await readChart(table, name)).accounts).toEqual([
      {
        code: '1',
        name: 'Cash',
        type: 'liability',
        status: 'active',
        cashFlow: 'operating',
        platformAccountId: 'a',
        number: 1,
      },
      {
        code: 'ID-b',
        name: '🏦'.repeat(150),
        type: 'asset',
        status: 'archived',
        subtype: 'cash',
        cashFlow: 'cash',
        platformAccountId: 'b',
        number: 2,
      },
    ]);
  });

  test('is found by its id, with its current code', async () => {
    const name = newTenant();
    await accounts.record(name, [
      chartAccount('a', '1'),
      chartAccount('b', null, { ...archived, ...cash }),
    ]);
    await accounts.record(name, [chartAccount('a', '2', { name: 'Renamed' })]);
    expect(await accounts.findMany(name, ['b', 'a', 'nobody', 'a'])).toEqual(
      new Map([
        ['b', { code: 'ID-b', name: 'Account b', lineClass: 'cash', number: 2 }],
        ['a', { code: '2', name: 'Renamed', lineClass: 'operating', number: 3 }],
      ]),
    );
    expect(await accounts.findMany(name, [])).toEqual(new Map());
    expect(await accounts.findMany(newTenant(), ['a'])).toEqual(new Map());
  });
});

describe('the classification of an account', () => {
  const machine = { subtype: 'fixed_asset', cashFlow: 'investing' } as const;
  const debt = { type: 'liability', subtype: 'debt', cashFlow: 'financing' } as const;
  const other = { subtype: 'current_asset', cashFlow: 'operating' } as const;

  /** The platform's account in each import, and the subtype and class after them. */
  test.each<[string, Partial<PlatformAccount>[], string]>([
    ['comes from the first import', [machine], 'fixed_asset investing'],
    ['does not change later', [machine, { ...cash, name: 'B' }], 'fixed_asset investing'],
    ['stays unknown', [{}, { ...machine, name: 'Bank' }], '- operating'],
    [
      'follows the account to another code',
      [machine, { ...other, code: '2' }],
      'fixed_asset investing',
    ],
    ['follows it back', [machine, { code: '2' }, { ...other, code: '1' }], 'fixed_asset investing'],
    ['changes with the type', [machine, debt], 'debt investing'],
    ['changes with the type and the code', [machine, { ...debt, code: '2' }], 'debt investing'],
    ['becomes unknown if the type fits no subtype', [machine, { type: 'equity' }], '- investing'],
    ['stays cash', [cash, { ...other, code: '2' }], 'cash cash'],
    ['stays cash with another type', [cash, debt, { ...debt, code: '2' }], 'debt cash'],
    ['is cash again as an asset', [cash, debt, other], 'cash cash'],
    ['never becomes cash', [debt, { type: 'asset', ...cash }], '- financing'],
  ])('%s', async (_, imports, expected) => {
    const name = newTenant();
    for (const imported of imports) {
      await accounts.record(name, [chartAccount('a', '1', { ...imported })]);
    }
    const chart = await readChart(table, name);
    const [pointer] = chart.pointers;
    expect(contradictionsOf(chart)).toEqual([]);
    const account = chart.accounts.find(({ code }) => code === pointer?.code);
    expect(`${account?.subtype ?? '-'} ${account?.cashFlow}`).toBe(expected);
    expect(pointer?.lineClass === 'cash').toBe(expected.endsWith(' cash'));
  });

  test.each<[string, string, AccountChanges]>([
    ['if the platform renames the account', '1', { cashFlow: 'financing' }],
    ['if the platform changes its code', '2', { subtype: 'investment' }],
    ['in part if the platform changes its code', '2', { cashFlow: 'financing' }],
  ])('that a caller sets stays %s', async (_, code, changes) => {
    const name = newTenant();
    await accounts.record(name, [chartAccount('a', '1', machine)]);
    const overtake = () => changeAccount(name, '1', changes);
    const renamed = chartAccount('a', code, { ...machine, name: 'Renamed' });
    await accountsOvertakenBy(overtake).record(name, [renamed]);
    const { account } = await charts.find(name, code);
    expect(account).toMatchObject({ ...machine, ...changes, name: 'Renamed' });
  });

  test('is not changed by a caller who has read an earlier state', async () => {
    const name = newTenant();
    await accounts.record(name, [chartAccount('a', '1', machine)]);
    const state = await charts.opened(name);
    await accounts.record(name, [chartAccount('a', '1', debt)]);
    expect(await changeAccount(name, '1', { subtype: 'investment' }, state)).toBe(false);
    expect((await charts.find(name, '1')).account).toMatchObject({ subtype: 'debt' });
  });
});

describe('a search by code', () => {
  test('finds the account with this code at the platform, if it has the code here', async () => {
    const name = newTenant();
    await record(name, ['1 a', '1 b', 'Löhne c', '- d']);
    const codes = ['1', ' Lo\u0308hne', 'ID-b', '9'.repeat(65), '', 'nobody'];
    expect(await accounts.findManyByCode(name, codes)).toEqual(
      new Map([
        ['1', { code: '1', name: 'Account a', lineClass: 'operating', number: 1 }],
        [' Lo\u0308hne', { code: 'Löhne', name: 'Account c', lineClass: 'operating', number: 3 }],
      ]),
    );
    expect((await costOf(() => accounts.findManyByCode(name, []))).operations).toEqual([]);
    await record(name, ['2 a', '1 e']);
    expect(await accounts.findManyByCode(name, ['1', '2'])).toEqual(
      new Map([['2', { code: '2', name: 'Account a', lineClass: 'operating', number: 5 }]]),
    );
  });
});

describe('the account for taxes', () => {
  test.each<[string, string[], string]>([
    ['is added by the first request', [], 'tax_clearing'],
    ['leaves a code to its account', ['tax_clearing a'], 'ID-tax_clearing'],
  ])('%s', async (_, before, code) => {
    const name = newTenant();
    await record(name, before);
    const entries = await Promise.all([1, 2, 3].map(() => accounts.taxClearing(name)));
    const number = before.length + 1;
    const entry = { code, name: 'Tax clearing', lineClass: 'operating', number };
    expect(entries).toEqual(Array(3).fill(entry));
    const chart = await readChart(table, name);
    expect(contradictionsOf(chart)).toEqual([]);
    expect(chart.accounts).toContainEqual({
      code,
      name: 'Tax clearing',
      type: 'liability',
      status: 'active',
      subtype: 'tax_liability',
      cashFlow: 'operating',
      role: 'tax_clearing',
      platformAccountId: 'tax_clearing',
      number,
    });
    const again = await costOf(() => accounts.taxClearing(name));
    expect(again.operations).toEqual(['BatchGetItem']);
    // It does not count as an account of the platform.
    await record(name, ['5 e', ...before]);
    expect(await accounts.count(name)).toBe(1 + before.length);
    expect(await accounts.taxClearing(name)).toEqual(entry);
  });
});

describe('the cost of a chart', () => {
  const manyAccounts = Array.from({ length: 100 }, (_, number) =>
    chartAccount(`id-${number}`, number % 10 === 0 ? null : String(1000 + number)),
  );

  test('is two calls for 32 accounts, and one if nothing has changed', async () => {
    const name = newTenant();
    await table.transact([accountCountAction(name, 0, emptyHistory)]);
    const first = await costOf(() => accounts.record(name, manyAccounts));
    expect(first.operations).toEqual(
      Array.from({ length: 4 }, () => ['BatchGetItem', 'TransactWriteItems']).flat(),
    );
    const again = await costOf(() => accounts.record(name, manyAccounts));
    expect(again.operations).toEqual(Array.from({ length: 4 }, () => 'BatchGetItem'));
    expect(again.units.write).toBe(0);
    const codes = await linesOf(name);
    expect(codes).toHaveLength(100);
    expect(codes.filter((line) => line.startsWith('ID-'))).toHaveLength(10);
  });
});

describe('an import during another one', () => {
  type Row = [string, string[], [string, Partial<ChartAccount>?], [string, Partial<ChartAccount>?]];

  test.each<Row>([
    ['with a code that both find free', [], ['1 a'], ['1 b']],
    ['with an account that both find new', [], ['1 a'], ['2 a']],
    ['with another new code', ['1 a'], ['2 a'], ['3 a']],
    ['with another code and a new name', ['1 a'], ['1 a', { name: 'Ours' }], ['2 a']],
    ['with another code and a new type', ['1 a'], ['1 a', expense], ['2 a']],
    ['with another code and an archived account', ['1 a archived'], ['1 a'], ['2 a']],
    ['with another name', ['1 a'], ['1 a', expense], ['1 a', { name: 'Rival' }]],
  ])('is consistent: %s', async (_, before, [ours, changes], [rival, rivalChanges]) => {
    const name = newTenant();
    await record(name, before);
    const account = { ...accountOf(ours), ...changes };
    const overtake = () => accounts.record(name, [{ ...accountOf(rival), ...rivalChanges }]);
    await accountsOvertakenBy(overtake).record(name, [account]);
    const chart = await readChart(table, name);
    expect(contradictionsOf(chart)).toEqual([]);
    const pointer = chart.pointers.find(({ accountId }) => accountId === account.accountId);
    const stored = chart.accounts.find(({ code }) => code === pointer?.code);
    expect(stored).toMatchObject({ name: account.name, type: account.type, status: 'active' });
  });
});

describe('imports at the same time', () => {
  const account = fc
    .record({
      accountId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      code: fc.constantFrom(null, '1', '2', '3', 'ID-a'),
      name: fc.constantFrom('One', 'Other'),
      status: fc.constantFrom<ChartAccount['status']>('active', 'archived'),
    })
    .map(({ accountId, code, ...more }) => chartAccount(accountId, code, more));
  const some = fc.array(account, { maxLength: 6 });

  test('leave each id with one code, and no code with two ids', async () => {
    await fc.assert(
      fc.asyncProperty(
        some,
        fc.array(some, { minLength: 2, maxLength: 4 }),
        async (before, atOnce) => {
          const name = newTenant();
          await accounts.record(name, before);
          await Promise.all(atOnce.map((ours) => accounts.record(name, ours)));
          const chart = await readChart(table, name);
          expect(contradictionsOf(chart)).toEqual([]);
          const ids = [before, ...atOnce].flat().map(({ accountId }) => accountId);
          expect(chart.pointers.map(({ accountId }) => accountId)).toEqual(
            [...new Set(ids)].sort(),
          );
          expect(new Set(chart.pointers.map(({ code }) => code)).size).toBe(new Set(ids).size);
        },
      ),
      { numRuns: 25 },
    );
  });
});
