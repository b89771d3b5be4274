// The columns of financial statements: each is the statement of its own period.

import { beforeAll, describe, expect, test } from 'vitest';
import { quarter } from '../../support/builders/quarter.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { readCsv } from '../../support/readers/csv.ts';
import { problemsOf } from '../../support/readers/replies.ts';

const { send, post } = await openTenantCalls({ companyName: 'Analytical Engines' });
beforeAll(async () => {
  for (const posted of quarter) await post(posted);
});

const statements = [
  ...(['getBalanceSheet', 'getProfitAndLoss', 'getCashFlow'] as const),
  'getChangesInEquity',
] as const;
type Statement = (typeof statements)[number];

const period = { from: '2026-01-01', to: '2026-03-31' };
const queryOf = (statement: Statement, { from, to } = period): Record<string, string> =>
  statement === 'getBalanceSheet' ? { as_of: to } : { from, to };

const dataOf = async (statement: Statement, query: Record<string, string>) =>
  (await send(statement, query)).body.data;

const hasAmount = (part: unknown): boolean =>
  (JSON.stringify(part).match(/"-?\d+\.\d+"/g) ?? []).some((amount) => /[1-9]/.test(amount));

/** The figures without the accounts, sections and items that are zero. */
const withoutZeros = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.filter(hasAmount).map(withoutZeros);
  if (typeof part !== 'object' || part === null) return part;
  const { separate_items: items, ...others } = part as Record<string, unknown>;
  const shown = Object.entries(others).map(([name, value]) => [name, withoutZeros(value)]);
  const separate = Object.entries(items ?? {}).filter(([, item]) => hasAmount(item));
  if (items) shown.push(['separate_items', Object.fromEntries(separate)]);
  return Object.fromEntries(shown);
};

const months = [
  { from: '2026-01-01', to: '2026-01-31' },
  { from: '2026-02-01', to: '2026-02-28' },
  { from: '2026-03-01', to: '2026-03-31' },
];
const yearBefore = { from: '2025-01-01', to: '2025-03-31' };
const periodBefore = { from: '2025-10-01', to: '2025-12-31' };

describe.each(statements)('%s', (statement) => {
  test.each([
    ['previous_year', yearBefore],
    ['previous_period', periodBefore],
  ])('is compared with the statement of the %s', async (compare, other) => {
    const report = await dataOf(statement, { ...queryOf(statement), compare });
    const { comparison, ...figures } = report;
    expect(report.columns).toBeUndefined();
    expect(withoutZeros(figures)).toMatchObject(
      withoutZeros(await dataOf(statement, queryOf(statement))) as object,
    );
    const expected = await dataOf(statement, queryOf(statement, other));
    expect(expected).toMatchObject(withoutZeros(comparison) as object);
  });

  test('has a column for each month', async () => {
    const report = await dataOf(statement, { ...queryOf(statement), columns: 'month' });
    expect(report.comparison).toBeUndefined();
    const expected = await Promise.all(
      months.map((it) => dataOf(statement, queryOf(statement, it))),
    );
    expect(expected).toMatchObject(report.columns.map(withoutZeros));
  });

  test('has the same accounts in all columns, and in CSV a field for each', async () => {
    const query = { ...queryOf(statement), columns: 'month', compare: 'previous_year' };
    const report = await dataOf(statement, query);
    const accountsIn = (part: unknown): unknown[] =>
      JSON.stringify(part).match(/"account":"[^"]*"/g) ?? [];
    const [first, ...others] = [report.comparison, ...report.columns].map(accountsIn);
    expect(first?.length).toBeGreaterThan(0);
    expect(others).toEqual(months.map(() => first));

    const csvOf = async (of: Record<string, string>) =>
      readCsv((await send(statement, of, { headers: { Accept: 'text/csv' } })).body as string);
    const keyOf = (row: Record<string, string>) => `${row.section} ${row.subtype} ${row.account}`;
    const amountsIn = async (of: Record<string, string>) =>
      new Map((await csvOf(of)).map((row) => [keyOf(row), row.amount]));
    const rows = await csvOf(query);
    const fields = {
      amount: period,
      comparison_amount: yearBefore,
      'amount_2026-01': months[0],
      'amount_2026-02': months[1],
      'amount_2026-03': months[2],
    };
    for (const [field, of] of Object.entries(fields)) {
      const amounts = await amountsIn(queryOf(statement, of));
      expect(rows.map((row) => row[field])).toEqual(
        rows.map((row) => amounts.get(keyOf(row)) ?? '0.00'),
      );
    }
    expect(rows[0]?.comparison_to).toBe(yearBefore.to);
  });
});

test('months of more than a year are refused', async () => {
  const query = { from: '2025-01-01', to: '2026-01-01', columns: 'month' };
  const reply = await send('getProfitAndLoss', query);
  expect(problemsOf(reply)).toEqual(['too_many_columns /columns']);
});
