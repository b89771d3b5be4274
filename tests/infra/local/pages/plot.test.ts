import { describe, expect, test } from 'vitest';
// @ts-expect-error: a script of the browser, which has no types.
import { balancesByDate, extremesOf, stepsOf } from '#infra/local/pages/books/plot.js';

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
      { path: 'M12 142H12V14H186V206H708V110', zero: 142 },
    ],
    [
      'is a level line for a single date',
      ['0.00', line('2026-03-01', '100.00')],
      { path: 'M12 206H360V14H708', zero: 206 },
    ],
    [
      'is in the middle if nothing ever changes',
      ['0.00', line('2026-03-01', '0.00')],
      { path: 'M12 110H360V110H708', zero: 110 },
    ],
  ])('%s', (_, [opening, ...lines], expected) => {
    expect(stepsOf(balancesByDate(opening, lines))).toMatchObject(expected);
  });
});
