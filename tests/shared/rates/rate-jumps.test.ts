import { describe, expect, test } from 'vitest';
import { checkRates, describeJump } from '#shared/rates/rate-jumps.ts';
import { realDays } from '../../support/builders/ecb-files.ts';

/** Days of dollars and yen as `date USD JPY`, with - for a missing currency. */
const daysOf = (...lines: string[]) =>
  lines.map((line) => {
    const [date = '', USD = '-', JPY = '-'] = line.split(' ');
    const rates = Object.entries({ USD, JPY }).filter(([, rate]) => rate !== '-');
    return { date, rates: Object.fromEntries(rates) };
  });
const check = (days: string[], { stored = [] as string[], acceptJumps = false } = {}) => {
  const options = { stored: daysOf(...stored), acceptJumps, publisher: 'ecb' } as const;
  const checked = checkRates(daysOf(...days), options);
  return {
    added: checked.additions.map(({ day }) => `${day.date} ${Object.values(day.rates).join(' ')}`),
    refused: checked.refused.map(describeJump),
  };
};

const monday = '2026-03-23 1.1596 183.86';

describe('the check of the real history', () => {
  test('refuses no day', () => {
    const checked = checkRates(realDays, { stored: [], acceptJumps: false, publisher: 'ecb' });
    expect([checked.additions.length, checked.refused]).toEqual([realDays.length, []]);
  });

  test.each([
    ['the lira of 2001', '2001-02-21 624367', '2001-02-22 1050000'],
    ['the króna of 2008', '2008-11-05 305', '2008-11-06 205'],
    ['the króna after nine years without a rate', '2008-12-09 290', '2018-02-01 125.01'],
    ['the ruble of 2022', '2022-02-25 92.5673', '2022-02-28 115.4842'],
  ])('does not refuse %s', (_, before, day) => {
    expect(check([before, day])).toEqual({ added: [before, day], refused: [] });
  });
});

describe('a day', () => {
  test.each<[title: string, days: string[], added: string[], refused: string[]]>([
    [
      'is refused as a whole if one rate is ten times the previous one',
      ['2026-03-24 11.601 184.02'],
      [],
      ['2026-03-24 USD 11.601, after 1.1596 on 2026-03-23'],
    ],
    [
      'is refused if a rate is half or twice the previous one',
      ['2026-03-24 0.5798 367.72'],
      [],
      [
        '2026-03-24 USD 0.5798, after 1.1596 on 2026-03-23',
        '2026-03-24 JPY 367.72, after 183.86 on 2026-03-23',
      ],
    ],
    ['is accepted just below that', ['2026-03-24 0.5799 367.71'], ['2026-03-24 0.5799 367.71'], []],
    [
      'is compared with the last good day, not with a refused one',
      ['2026-03-24 11.601 184.02', '2026-03-25 1.1583 183.96', '2026-03-26 11.583 183.96'],
      ['2026-03-25 1.1583 183.96'],
      [
        '2026-03-24 USD 11.601, after 1.1596 on 2026-03-23',
        '2026-03-26 USD 11.583, after 1.1583 on 2026-03-25',
      ],
    ],
    [
      'is compared with the last rate of each currency if a day lacks it',
      ['2026-03-24 - 184.02', '2026-03-25 11.601 184.02'],
      ['2026-03-24 184.02'],
      ['2026-03-25 USD 11.601, after 1.1596 on 2026-03-23'],
    ],
    ['is not compared with later days', ['2026-03-20 11.55'], ['2026-03-20 11.55'], []],
    [
      'that is partly stored is refused if a missing currency jumps',
      ['2026-03-20 1.1555', '2026-03-21 11.555 183.46'],
      ['2026-03-20 1.1555'],
      ['2026-03-21 USD 11.555, after 1.1555 on 2026-03-20'],
    ],
  ])('%s', (_, days, added, refused) => {
    const stored = [monday, '2026-03-21 - 183.46'];
    expect(check(days, { stored })).toEqual({ added, refused });
  });

  test('is accepted with its jumps on request, and the next day is compared with it', () => {
    const days = ['2026-03-24 11.601 184.02'];
    const accepted = check(days, { stored: [monday], acceptJumps: true });
    expect(accepted).toEqual({ added: days, refused: [] });
    const next = ['2026-03-25 11.583 183.96'];
    expect(check(next, { stored: [monday, ...days] })).toEqual({ added: next, refused: [] });
  });
});
