import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PlatformAccount } from '#shared/domain/accounts.ts';
import { type Accounts, openAccounts } from '#shared/store/accounts.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { Table } from '#shared/store/table.ts';
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

/** Charts whose first read is followed by what somebody else does, before it is acted upon. */
const chartsOvertakenBy = (rival: () => Promise<void>): Accounts => {
  let isOvertaken = false;
  return openAccounts({
    ...table,
    getMany: async (keys) => {
      const items = await table.getMany(keys);
      if (!isOvertaken) {
        isOvertaken = true;
        await rival();
      }
      return items;
    },
  });
};

const archived = { status: 'archived' } as const;

describe('a recording that another one overtakes', () => {
  test.each<
    [string, { before: PlatformAccount[]; ours: PlatformAccount[]; rival: PlatformAccount[] }]
  >([
    [
      'at a code that both find free',
      { before: [], ours: [chartAccount('a', '1')], rival: [chartAccount('b', '1')] },
    ],
    [
      'at an account that both find new',
      { before: [], ours: [chartAccount('a', '1')], rival: [chartAccount('a', '2')] },
    ],
    [
      'with another code, while it changes the code itself',
      {
        before: [chartAccount('a', '1')],
        ours: [chartAccount('a', '2')],
        rival: [chartAccount('a', '3')],
      },
    ],
    [
      'with another code, while it changes the name',
      {
        before: [chartAccount('a', '1')],
        ours: [chartAccount('a', '1', { name: 'Ours' })],
        rival: [chartAccount('a', '2')],
      },
    ],
    [
      'with another code, while it changes nothing but the type',
      {
        before: [chartAccount('a', '1')],
        ours: [chartAccount('a', '1', { type: 'expense' })],
        rival: [chartAccount('a', '2')],
      },
    ],
    [
      'with another code, while it makes the account active again',
      {
        before: [chartAccount('a', '1', archived)],
        ours: [chartAccount('a', '1')],
        rival: [chartAccount('a', '2')],
      },
    ],
    [
      'with another name',
      {
        before: [chartAccount('a', '1')],
        ours: [chartAccount('a', '1', { type: 'expense' })],
        rival: [chartAccount('a', '1', { name: 'Rival' })],
      },
    ],
  ])('ends well: %s', async (_, { before, ours, rival }) => {
    const name = newTenant();
    await charts.record(name, before);
    await chartsOvertakenBy(() => charts.record(name, rival)).record(name, ours);
    const chart = await readChart(table, name);
    expect(contradictionsOf(chart)).toEqual([]);
    const [account] = ours;
    const kept = chart.accounts.find(({ platformAccountId, code }) =>
      chart.pointers.some((it) => it.accountId === platformAccountId && it.code === code)
        ? platformAccountId === account?.accountId
        : false,
    );
    expect(kept).toMatchObject({ name: account?.name, type: account?.type, status: 'active' });
  });
});

describe('recordings at the same time', () => {
  const account = fc
    .record({
      accountId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      code: fc.constantFrom(null, '1', '2', '3', 'ID-a'),
      name: fc.constantFrom('One', 'Other'),
      status: fc.constantFrom<PlatformAccount['status']>('active', 'archived'),
    })
    .map(({ accountId, code, ...more }) => chartAccount(accountId, code, more));
  const accounts = fc.array(account, { maxLength: 6 });

  test('leave each id with one code, and no code with two ids', async () => {
    await fc.assert(
      fc.asyncProperty(
        accounts,
        fc.array(accounts, { minLength: 2, maxLength: 4 }),
        async (before, atOnce) => {
          const name = newTenant();
          await charts.record(name, before);
          await Promise.all(atOnce.map((ours) => charts.record(name, ours)));
          const chart = await readChart(table, name);
          expect(contradictionsOf(chart)).toEqual([]);
          const ids = [before, ...atOnce].flat().map(({ accountId }) => accountId);
          expect(chart.pointers.map(({ accountId }) => accountId)).toEqual(
            [...new Set(ids)].sort(),
          );
          expect(new Set(chart.pointers.map(({ code }) => code)).size).toBe(new Set(ids).size);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('of the same 70 accounts leave what one recording leaves', async () => {
    const [name, alone] = [newTenant(), newTenant()];
    const many = Array.from({ length: 70 }, (_, number) =>
      chartAccount(`id-${number}`, number % 3 === 0 ? null : String(1000 + (number % 50))),
    );
    await Promise.all([1, 2, 3].map(() => charts.record(name, many)));
    await charts.record(alone, many);
    expect(await readChart(table, name)).toEqual(await readChart(table, alone));
  });

  test('of different accounts under the same codes leave each code with one of them', async () => {
    const name = newTenant();
    const chartOfWriter = (writer: number) =>
      Array.from({ length: 20 }, (_, code) => chartAccount(`${writer}-${code}`, String(code)));
    await Promise.all([1, 2, 3].map((writer) => charts.record(name, chartOfWriter(writer))));
    const chart = await readChart(table, name);
    expect(contradictionsOf(chart)).toEqual([]);
    expect(chart.accounts).toHaveLength(60);
    expect(chart.accounts.filter(({ code }) => !code.startsWith('ID-'))).toHaveLength(20);
  });
});
