import { describe, expect, test } from 'vitest';
// @ts-expect-error: a script of the browser, which has no types.
import { balancesByDate, extremesOf, stepsOf, ticksOf } from '#infra/local/pages/books/plot.js';

const line = (posting_date: string, balance: string) => ({ posting_date, balance });

describe('the plot of a balance', () => {
  test('has the last balance of each date', () => {
    const lines = [
      line('2026-03-01', '5.00'),
      line('2026-03-01', '7.00'),
      line('2026-03-03', '0.00'),
    ];
    expect(balancesByDate('1.00', lines)).toEqual({
      opening: '1.00',
      points: [
        { date: '2026-03-01', balance: '7.00' },
        { date: '2026-03-03', balance: '0.00' },
      ],
    });
  });

  test('says the least and the greatest of its balances, compared as numbers', () => {
    const lines = [line('2026-03-01', '-20.00'), line('2026-03-02', '100.00')];
    expect(extremesOf(balancesByDate('9.00', lines))).toEqual(['-20.00', '100.00']);
  });

  test.each([
    [
      'goes in steps, at their dates, with the least amount at the bottom',
      [
        '0.00',
        line('2026-03-01', '100.00'),
        line('2026-03-02', '-50.00'),
        line('2026-03-05', '25.00'),
      ],
      { path: 'M29 149.3H29V24H200.8V212H716V118', zero: 149.3 },
    ],
    [
      'is a level line for a single date',
      ['0.00', line('2026-03-01', '100.00')],
      { path: 'M29 212H372.5V24H716', zero: 212 },
    ],
    [
      'is at the axis if nothing ever changes',
      ['0.00', line('2026-03-01', '0.00')],
      { path: 'M29 212H372.5V212H716', zero: 212 },
    ],
  ])('%s', (_, [opening, ...lines], expected) => {
    expect(stepsOf(balancesByDate(opening, lines), 720)).toMatchObject(expected);
  });

  test.each([
    ['a few cents', [0, 0.03], [0, 0.5]],
    ['hundreds', [0, 899.79, 1_000], [0, 500, 1_000]],
    ['both signs', [0, -50, 100], [-50, 0, 50, 100]],
    ['billions', [0, 1_400_000_000], [0, 500_000_000, 1_000_000_000, 1_500_000_000]],
    ['one level', [0, 0], [0, 0.5]],
  ])('has round amounts at its axis, for %s', (_, values, expected) => {
    expect(ticksOf(values)).toEqual(expected);
  });

  test('has an axis with amounts, as wide as the longest of them', () => {
    const balances = balancesByDate('0.00', [line('2026-03-01', '-2000000.00')]);
    const { ticks, left } = stepsOf(balances, 340);
    const labels = ticks.map(({ label }: { label: string }) => label);
    expect(labels.at(0)).toBe('\u22122\u202f000\u202f000');
    expect(left).toBe(8 + 7 * 10);
  });
});
