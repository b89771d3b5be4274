import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccountChanges } from '#shared/accounts/account-rules.ts';
import { type Accounts, openAccounts } from '#shared/accounts/accounts.store.ts';
import type { Account, PlatformAccount } from '#shared/accounts/accounts.ts';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { accountCountAction } from '#shared/applications/quota-counts.store.ts';
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

/** An account as a line says it: its code, `-` for none, its id, and `archived` where it is. */
const accountOf = (line: string): ChartAccount => {
  const [, code = '', id = '', status] = /^(.*?) (\w)( archived)?$/.exec(line) ?? [];
  return chartAccount(id, code === '-' ? null : code, status === undefined ? {} : archived);
};
const record = (name: TenantName, lines: string[]): Promise<string[]> =>
  accounts.record(name, lines.map(accountOf));

/** The accounts of a chart in the order of their codes, as such lines. */
const linesOf = async (name: TenantName): Promise<string[]> => {
  const chart = await readChart(table, name);
  expect(contradictionsOf(chart)).toEqual([]);
  return chart.accounts.map(({ code, status, platformAccountId }) =>
    [code, platformAccountId, ...(status === 'archived' ? [status] : [])].join(' '),
  );
};

/** Accounts whose first read is followed by what somebody else does, before it is acted upon. */
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
    ['made of the id where there is none', [['- a', ' b']], ['ID-a a', 'ID-b b']],
    ['made of the id like others', [['ID-b a', '- b', 'id-b c']], ['ID-a a', 'ID-b b', 'id-b c']],
    ['without what does not show', [['\ufeff1\u200b a', 'Cafe\u0301 b']], ['1 a', 'Café b']],
    ['too long', [[`${longCode}9 a`, `${longCode} b`]], [`${longCode} b`, 'ID-a a']],
    ['of two, one active', [['1 a archived', '1 b']], ['1 b', 'ID-a a archived']],
    ['of three that are active', [['1 a', '1 b', '1 c']], ['1 a', 'ID-b b', 'ID-c c']],
    ['of who came first, active or not', [['1 a archived'], ['1 b']], ['1 a archived', 'ID-b b']],
    ['of who has them, named last', [['1 a'], ['1 b', '1 a']], ['1 a', 'ID-b b']],
    ['that change', [['1 a'], ['2 a']], ['1 a archived', '2 a']],
    ['that are given later', [['- a'], ['1 a']], ['1 a', 'ID-a a archived']],
    ['that are taken away', [['1 a'], ['- a']], ['1 a archived', 'ID-a a']],
    ['that come back to their account', [['1 a'], ['2 a'], ['1 a']], ['1 a', '2 a archived']],
    ['that another gave up', [['1 a'], ['2 a', '1 b']], ['1 a archived', '2 a', 'ID-b b']],
    ['that two swap', [pair, swapped], ['1 a archived', '2 b archived', 'ID-a a', 'ID-b b']],
    ['swapped back', [pair, swapped, pair], ['1 a', '2 b', 'ID-a a archived', 'ID-b b archived']],
    ['of an account named twice', [['1 a', '3 b', '2 a']], ['2 a', '3 b']],
    ['of no accounts', [[]], []],
  ])('%s', async (_, recordings, expected) => {
    const name = newTenant();
    for (const lines of recordings) await record(name, lines);
    expect(await linesOf(name)).toEqual(expected);
    await record(name, recordings.at(-1) ?? []);
    expect(await linesOf(name)).toEqual(expected);
  });

  test('are each tenant’s own', async () => {
    const [name, other] = [newTenant(), newTenant()];
    await record(name, ['1 a']);
    await record(other, ['1 b']);
    expect([await linesOf(name), await linesOf(other)]).toEqual([['1 a'], ['1 b']]);
  });
});

describe('an account of a chart', () => {
  test('is kept with all that the platform says of it', async () => {
    const name = newTenant();
    await accounts.record(name, [
      chartAccount('a', '1', { name: ' Cash ', type: 'liability' }),
      chartAccount('b', null, { name: '🏦'.repeat(151), ...archived, ...cash }),
    ]);
    expect((await readChart(table, name)).accounts).toEqual([
      {
        ...{ code: '1', name: 'Cash', type: 'liability', status: 'active' },
        ...{ cashFlow: 'operating', platformAccountId: 'a' },
      },
      {
        ...{ code: 'ID-b', name: '🏦'.repeat(150), type: 'asset', status: 'archived' },
        ...{ subtype: 'cash', cashFlow: 'cash', platformAccountId: 'b' },
      },
    ]);
  });

  test.each<[string, Partial<PlatformAccount>]>([
    ['name', { name: 'Petty cash' }],
    ['type', expense],
    ['status', archived],
  ])('is brought up to date where its %s changes', async (_, change) => {
    const name = newTenant();
    await accounts.record(name, [chartAccount('a', '1'), chartAccount('b', '2')]);
    await accounts.record(name, [chartAccount('a', '1', change)]);
    const { accountId, subtype: _none, ...account } = chartAccount('a', '1', change);
    const chart = await readChart(table, name);
    expect(chart.accounts[0]).toEqual({ ...account, platformAccountId: accountId });
    expect(await linesOf(name)).toHaveLength(2);
  });

  test('is found by its id, under its code of now', async () => {
    const name = newTenant();
    await accounts.record(name, [
      chartAccount('a', '1'),
      chartAccount('b', null, { ...archived, ...cash }),
    ]);
    await accounts.record(name, [chartAccount('a', '2', { name: 'Renamed' })]);
    expect(await accounts.findMany(name, ['b', 'a', 'nobody', 'a'])).toEqual(
      new Map([
        ['b', { code: 'ID-b', name: 'Account b', isCash: true }],
        ['a', { code: '2', name: 'Renamed', isCash: false }],
      ]),
    );
    expect(await accounts.findMany(name, [])).toEqual(new Map());
    expect(await accounts.findMany(newTenant(), ['a'])).toEqual(new Map());
  });
});

describe('how the statements show an account', () => {
  const machine = { subtype: 'fixed_asset', cashFlow: 'investing' } as const;
  const debt = { type: 'liability', subtype: 'debt', cashFlow: 'financing' } as const;
  const other = { subtype: 'current_asset', cashFlow: 'operating' } as const;

  /** What the platform says of it, import by import, and its subtype and class after these. */
  test.each<[string, Partial<PlatformAccount>[], string]>([
    ['is what the platform says first', [machine], 'fixed_asset investing'],
    ['stays, whatever it says later', [machine, { ...cash, name: 'B' }], 'fixed_asset investing'],
    ['stays unknown', [{}, { ...machine, name: 'Bank' }], '- operating'],
    ['comes along to another code', [machine, { ...other, code: '2' }], 'fixed_asset investing'],
    [
      'comes back with it',
      [machine, { code: '2' }, { ...other, code: '1' }],
      'fixed_asset investing',
    ],
    ['is another of another type', [machine, debt], 'debt investing'],
    ['is another at another code', [machine, { ...debt, code: '2' }], 'debt investing'],
    ['is unknown of a type that fits nothing', [machine, { type: 'equity' }], '- investing'],
    ['stays cash', [cash, { ...other, code: '2' }], 'cash cash'],
    ['stays cash of another type', [cash, debt, { ...debt, code: '2' }], 'debt cash'],
    ['is cash again as an asset', [cash, debt, other], 'cash cash'],
    ['never becomes cash', [debt, { type: 'asset', ...cash }], '- financing'],
  ])('%s', async (_, imports, expected) => {
    const name = newTenant();
    for (const said of imports) {
      await accounts.record(name, [chartAccount('a', '1', { ...said })]);
    }
    const chart = await readChart(table, name);
    const [pointer] = chart.pointers;
    expect(contradictionsOf(chart)).toEqual([]);
    const found = chart.accounts.find(({ code }) => code === pointer?.code);
    expect(`${found?.subtype ?? '-'} ${found?.cashFlow}`).toBe(expected);
    expect(pointer?.isCash).toBe(expected.endsWith(' cash'));
  });

  test.each<[string, string, AccountChanges]>([
    ['while the platform renames the account', '1', { cashFlow: 'financing' }],
    ['while the platform gives it another code', '2', { subtype: 'investment' }],
    ['in part, while it gets another code', '2', { cashFlow: 'financing' }],
  ])('stays as a caller set it %s', async (_, code, changes) => {
    const name = newTenant();
    const charts = openCharts(table);
    await accounts.record(name, [chartAccount('a', '1', machine)]);
    const overtake = async () => {
      const { account } = await charts.find(name, '1');
      if (account) await charts.change(name, { account, changes });
    };
    const renamed = chartAccount('a', code, { ...machine, name: 'Renamed' });
    await accountsOvertakenBy(overtake).record(name, [renamed]);
    const { account } = await charts.find(name, code);
    expect(account).toMatchObject({ ...machine, ...changes, name: 'Renamed' });
  });

  test('is not set by a caller who knows the account by another type', async () => {
    const name = newTenant();
    const charts = openCharts(table);
    await accounts.record(name, [chartAccount('a', '1', machine)]);
    const { account } = await charts.find(name, '1');
    await accounts.record(name, [chartAccount('a', '1', debt)]);
    const late = { account: account as Account, changes: { subtype: 'investment' } as const };
    expect(await charts.change(name, late)).toBe(false);
    expect((await charts.find(name, '1')).account).toMatchObject({ subtype: 'debt' });
  });
});

describe('an account that is looked up by its code', () => {
  test('is the one that the platform gives that code, if it could keep it', async () => {
    const name = newTenant();
    await record(name, ['1 a', '1 b', 'Löhne c', '- d']);
    const codes = ['1', ' Lo\u0308hne', 'ID-b', '9'.repeat(65), '', 'nobody'];
    expect(await accounts.findManyByCode(name, codes)).toEqual(
      new Map([
        ['1', { code: '1', name: 'Account a', isCash: false }],
        [' Lo\u0308hne', { code: 'Löhne', name: 'Account c', isCash: false }],
      ]),
    );
    expect((await costOf(() => accounts.findManyByCode(name, []))).operations).toEqual([]);
    // The platform may have given the old code of an account to another, which is not found by it.
    await record(name, ['2 a', '1 e']);
    expect(await accounts.findManyByCode(name, ['1', '2'])).toEqual(
      new Map([['2', { code: '2', name: 'Account a', isCash: false }]]),
    );
  });
});

describe('the account for taxes', () => {
  test.each<[string, string[], string]>([
    ['is made when it is first asked for', [], 'tax_clearing'],
    ['leaves a code to whoever has it', ['tax_clearing a'], 'ID-tax_clearing'],
  ])('%s', async (_, before, code) => {
    const name = newTenant();
    await record(name, before);
    const asked = await Promise.all([1, 2, 3].map(() => accounts.taxClearing(name)));
    const entry = { code, name: 'Tax clearing', isCash: false };
    expect(asked).toEqual(Array(3).fill(entry));
    const chart = await readChart(table, name);
    expect(contradictionsOf(chart)).toEqual([]);
    expect(chart.accounts).toContainEqual({
      ...{ code, name: 'Tax clearing', type: 'liability', status: 'active' },
      ...{ subtype: 'tax_liability', cashFlow: 'operating' },
      ...{ role: 'tax_clearing', platformAccountId: 'tax_clearing' },
    });
    const again = await costOf(() => accounts.taxClearing(name));
    expect(again.operations).toEqual(['BatchGetItem']);
    // Beside the platform's chart it stays as it is, and is none of its accounts.
    await record(name, ['5 e', ...before]);
    expect(await accounts.count(name)).toBe(1 + before.length);
    expect(await accounts.taxClearing(name)).toEqual(entry);
  });
});

describe('the cost of a chart', () => {
  const manyAccounts = Array.from({ length: 100 }, (_, number) =>
    chartAccount(`id-${number}`, number % 10 === 0 ? null : String(1000 + number)),
  );

  test('is two calls for 33 accounts, and one where nothing changed', async () => {
    const name = newTenant();
    await table.transact([accountCountAction(name, 0)]);
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

  test('is one transaction where one account of many changed, or all their codes', async () => {
    const name = newTenant();
    const some = manyAccounts.slice(0, 33);
    await accounts.record(name, some);
    const renamed = some.with(7, chartAccount('id-7', '1007', { name: 'Renamed' }));
    const cost = await costOf(() => accounts.record(name, renamed));
    expect(cost.operations).toEqual(['BatchGetItem', 'TransactWriteItems']);
    // Account and id, of up to 1 KB each, at twice the price of a write outside a transaction.
    expect(cost.units.write).toBe(4);
    const recoded = some.map((account, number) => ({ ...account, code: `N${number}` }));
    const most = await costOf(() => accounts.record(name, recoded));
    // The accounts under their former codes are read in a second call.
    expect(most.operations).toEqual(['BatchGetItem', 'BatchGetItem', 'TransactWriteItems']);
    expect(await linesOf(name)).toHaveLength(66);
  });
});

describe('a recording that another one overtakes', () => {
  type Row = [string, string[], [string, Partial<ChartAccount>?], [string, Partial<ChartAccount>?]];

  test.each<Row>([
    ['at a code that both find free', [], ['1 a'], ['1 b']],
    ['at an account that both find new', [], ['1 a'], ['2 a']],
    ['with another code, while it changes the code', ['1 a'], ['2 a'], ['3 a']],
    ['with another code, while it changes the name', ['1 a'], ['1 a', { name: 'Ours' }], ['2 a']],
    ['with another code, while it changes the type', ['1 a'], ['1 a', expense], ['2 a']],
    ['with another code, while it revives the account', ['1 a archived'], ['1 a'], ['2 a']],
    ['with another name', ['1 a'], ['1 a', expense], ['1 a', { name: 'Rival' }]],
  ])('ends well: %s', async (_, before, [ours, changes], [rival, rivalChanges]) => {
    const name = newTenant();
    await record(name, before);
    const account = { ...accountOf(ours), ...changes };
    const overtake = () => accounts.record(name, [{ ...accountOf(rival), ...rivalChanges }]);
    await accountsOvertakenBy(overtake).record(name, [account]);
    const chart = await readChart(table, name);
    expect(contradictionsOf(chart)).toEqual([]);
    const pointer = chart.pointers.find(({ accountId }) => accountId === account.accountId);
    const kept = chart.accounts.find(({ code }) => code === pointer?.code);
    expect(kept).toMatchObject({ name: account.name, type: account.type, status: 'active' });
  });
});

describe('recordings at the same time', () => {
  test('of different accounts under the same codes leave each code with one of them', async () => {
    const name = newTenant();
    const chartOfWriter = (writer: number) =>
      Array.from({ length: 20 }, (_, code) => chartAccount(`${writer}-${code}`, String(code)));
    await Promise.all([1, 2, 3].map((writer) => accounts.record(name, chartOfWriter(writer))));
    const chart = await readChart(table, name);
    expect(contradictionsOf(chart)).toEqual([]);
    expect(chart.accounts).toHaveLength(60);
    expect(chart.accounts.filter(({ code }) => !code.startsWith('ID-'))).toHaveLength(20);
  });

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

  test('of the same 70 accounts leave what one recording leaves', async () => {
    const [name, alone] = [newTenant(), newTenant()];
    const many = Array.from({ length: 70 }, (_, number) =>
      chartAccount(`id-${number}`, number % 3 === 0 ? null : String(1000 + (number % 50))),
    );
    await Promise.all([1, 2, 3].map(() => accounts.record(name, many)));
    await accounts.record(alone, many);
    expect(await readChart(table, name)).toEqual(await readChart(table, alone));
  });
});
