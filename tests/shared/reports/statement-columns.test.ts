import { describe, expect, test } from 'vitest';
import {
  type ColumnChoice,
  columnsOfDate,
  columnsOfPeriod,
  withoutZeros,
} from '#shared/reports/statement-columns.ts';

const shownAs = ({ from, to }: { from: string; to: string }): string => `${from} ${to}`;

describe('a period is compared', () => {
  test.each<[string, 'previous_year' | 'previous_period', of: string, other: string]>([
    [
      'with the same dates a year earlier',
      'previous_year',
      '2026-01-10 2026-03-20',
      '2025-01-10 2025-03-20',
    ],
    [
      'with the same month, whole, a year earlier',
      'previous_year',
      '2025-02-01 2025-02-28',
      '2024-02-01 2024-02-29',
    ],
    ['from a leap year too', 'previous_year', '2024-02-29 2024-03-01', '2023-02-28 2023-03-01'],
    [
      'with as many days before it',
      'previous_period',
      '2026-01-10 2026-01-12',
      '2026-01-07 2026-01-09',
    ],
    [
      'with the month before, however long',
      'previous_period',
      '2026-03-01 2026-03-31',
      '2026-02-01 2026-02-28',
    ],
    [
      'with the quarter before',
      'previous_period',
      '2026-01-01 2026-03-31',
      '2025-10-01 2025-12-31',
    ],
    ['with the year before', 'previous_period', '2025-01-01 2025-12-31', '2024-01-01 2024-12-31'],
  ])('%s', (_title, compare, of, other) => {
    const [from = '', to = ''] = of.split(' ');
    const { periods } = columnsOfPeriod({ from, to, compare }, '12-31');
    expect(periods.map(shownAs)).toEqual([of, other]);
  });
});

test('the months of a period can begin and end with parts of months', () => {
  const period = { from: '2025-11-15', to: '2026-02-10' };
  const { periods } = columnsOfPeriod({ ...period, columns: 'month' }, '12-31');
  expect(periods.slice(1).map(shownAs)).toEqual([
    '2025-11-15 2025-11-30',
    '2025-12-01 2025-12-31',
    '2026-01-01 2026-01-31',
    '2026-02-01 2026-02-10',
  ]);
});

test.each<[string, object, object]>([
  [
    'of more than twelve months has no columns',
    { from: '2025-01-31', to: '2026-01-01', columns: 'month' },
    { code: 'too_many_columns', pointer: '/columns', params: { columns: 13, maximum: 12 } },
  ],
  [
    'that ends before its default beginning is none',
    { from: '2026-02-01', to: '2026-01-31' },
    { code: 'from_after_to', pointer: '/from' },
  ],
])('a period %s', (_title, choice, expected) => {
  const { periods, problems } = columnsOfPeriod(choice as { to: string }, '12-31');
  expect(problems).toMatchObject([expected]);
  expect(periods).toEqual([]);
});

test.each<[string, ColumnChoice, others: string[]]>([
  ['with the date a year earlier', { compare: 'previous_year' }, ['2023-07-01 2024-02-29']],
  [
    'with the end of the fiscal year before',
    { compare: 'previous_period' },
    ['2023-07-01 2024-06-30'],
  ],
  [
    'with the ends of the months of its fiscal year',
    { columns: 'month' },
    ['07-31', '08-31', '09-30', '10-31', '11-30', '12-31', '2025-01-31', '2025-02-28'].map(
      (end) => `2024-07-01 ${end.length === 5 ? '2024-' : ''}${end}`,
    ),
  ],
])('a balance sheet is shown %s', (_title, choice, others) => {
  const { periods } = columnsOfDate({ ...choice, date: '2025-02-28' }, '06-30');
  expect(periods.map(shownAs)).toEqual(['2024-07-01 2025-02-28', ...others]);
});

test('what is zero in all columns is left out of all', () => {
  const column = (...amounts: bigint[]) => ({
    sections: [
      { name: 'one', accounts: amounts.map((amount, index) => ({ account: { index }, amount })) },
      { name: 'none', accounts: [{ account: { index: 9 }, amount: 0n }] },
    ],
    total: 0n,
  });
  const shown = (...amounts: [number, bigint][]) => ({
    sections: [
      { name: 'one', accounts: amounts.map(([index, amount]) => ({ account: { index }, amount })) },
    ],
    total: 0n,
  });
  expect(withoutZeros([column(1n, 0n, 0n), column(0n, 0n, 2n)])).toEqual([
    shown([0, 1n], [2, 0n]),
    shown([0, 0n], [2, 2n]),
  ]);
});
