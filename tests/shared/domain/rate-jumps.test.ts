import { describe, expect, test } from 'vitest';
import { checkRates, describeJump } from '#shared/domain/rate-jumps.ts';
import { realDays } from '../../support/builders/ecb-files.ts';

/** Days of dollars and yen, written as `date USD JPY`, with - for a currency that is not there. */
const daysOf = (...lines: string[]) =>
  lines.map((line) => {
    const [date = '', USD = '-', JPY = '-'] = line.split(' ');
    const rates = Object.entries({ USD, JPY }).filter(([, rate]) => rate !== '-');
    return { date, rates: Object.fromEntries(rates) };
  });
const judge = (given: string[], { stored = [] as string[], acceptJumps = false } = {}) => {
  const judged = checkRates(daysOf(...given), { stored: daysOf(...stored), acceptJumps });
  return {
    added: judged.additions.map(({ day }) => `${day.date} ${Object.values(day.rates).join(' ')}`),
    refused: judged.refused.map(describeJump),
  };
};

const monday = '2026-03-23 1.1596 183.86';

describe('of real days', () => {
  test('none is refused', () => {
    const judged = checkRates(realDays, { stored: [], acceptJumps: false });
    expect([judged.additions.length, judged.refused]).toEqual([realDays.length, []]);
  });

  test.each([
    ['the lira of 2001', '2001-02-21 624367', '2001-02-22 1050000'],
    ['the króna of 2008', '2008-11-05 305', '2008-11-06 205'],
    ['the króna that came back after nine years', '2008-12-09 290', '2018-02-01 125.01'],
    ['the ruble of 2022', '2022-02-25 92.5673', '2022-02-28 115.4842'],
  ])('neither is %s', (_, before, day) => {
    expect(judge([before, day])).toEqual({ added: [before, day], refused: [] });
  });
});

describe('a day', () => {
  test.each<[title: string, given: string[], added: string[], refused: string[]]>([
    [
      'is refused whole where one rate is ten times the one before',
      ['2026-03-24 11.601 184.02'],
      [],
      ['2026-03-24 USD 11.601, after 1.1596 on 2026-03-23'],
    ],
    [
      'is refused where a rate is half of the one before, or twice as much',
      ['2026-03-24 0.5798 367.72'],
      [],
      [
        '2026-03-24 USD 0.5798, after 1.1596 on 2026-03-23',
        '2026-03-24 JPY 367.72, after 183.86 on 2026-03-23',
      ],
    ],
    ['is good just below that', ['2026-03-24 0.5799 367.71'], ['2026-03-24 0.5799 367.71'], []],
    [
      'is judged against the last good one, not against one that was refused',
      ['2026-03-24 11.601 184.02', '2026-03-25 1.1583 183.96', '2026-03-26 11.583 183.96'],
      ['2026-03-25 1.1583 183.96'],
      [
        '2026-03-24 USD 11.601, after 1.1596 on 2026-03-23',
        '2026-03-26 USD 11.583, after 1.1583 on 2026-03-25',
      ],
    ],
    [
      'is judged across weeks without any, too',
      ['2026-05-18 11.601 184.02'],
      [],
      ['2026-05-18 USD 11.601, after 1.1596 on 2026-03-23'],
    ],
    [
      'is judged by each currency’s own last rate where a day lacks it',
      ['2026-03-24 - 184.02', '2026-03-25 11.601 184.02'],
      ['2026-03-24 184.02'],
      ['2026-03-25 USD 11.601, after 1.1596 on 2026-03-23'],
    ],
    ['is good where a currency leaves', ['2026-03-24 - 184.02'], ['2026-03-24 184.02'], []],
    ['is not judged by what comes after it', ['2026-03-20 11.55'], ['2026-03-20 11.55'], []],
    [
      'that is stored in part is refused where what it lacks jumps',
      ['2026-03-20 1.1555', '2026-03-21 11.555 183.46'],
      ['2026-03-20 1.1555'],
      ['2026-03-21 USD 11.555, after 1.1555 on 2026-03-20'],
    ],
  ])('%s', (_, given, added, refused) => {
    const stored = [monday, '2026-03-21 - 183.46'];
    expect(judge(given, { stored })).toEqual({ added, refused });
  });

  test('is taken as it is where jumps are accepted, and the next is judged by it', () => {
    const given = ['2026-03-24 11.601 184.02'];
    const taken = judge(given, { stored: [monday], acceptJumps: true });
    expect(taken).toEqual({ added: given, refused: [] });
    const next = ['2026-03-25 11.583 183.96'];
    expect(judge(next, { stored: [monday, ...given] })).toEqual({ added: next, refused: [] });
  });
});
