// Rates of the two banks together: which of them serves a pair, and for how long.

import { beforeAll, describe, expect, test } from 'vitest';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { DailyRates } from '#shared/rates/exchange-rates.ts';
import { checkRates } from '#shared/rates/rate-jumps.ts';
import { realDaysBetween } from '../../support/builders/ecb-files.ts';
import { realNbpDay, realNbpDays } from '../../support/builders/nbp-tables.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const { table } = await openTestTable();
const rates = openExchangeRates(table, { maximumAgeDays: 7 });
const wednesday = realNbpDay('2026-03-18');
/** Table A alone, as on the days after table B. */
const friday: DailyRates = {
  date: '2026-03-20',
  rates: { EUR: '4.2789', USD: '3.7', UAH: '0.0845' },
};

beforeAll(async () => {
  await rates.record(realDaysBetween('2026-03-16', '2026-03-23'));
  await rates.record([wednesday, friday], { publisher: 'nbp' });
});

const find = async (pair: string, date: string) => {
  const [transaction = '', reporting = ''] = pair.split(' ');
  const found = await rates.find({ transaction, reporting }, { date, today: '2026-12-31' });
  return found && [found.rate, found.date, found.source];
};

const mid = (code: string): number => Number(wednesday.rates[code]);

describe('a pair', () => {
  test.each<[string, string, string, string, string]>([
    ['that both have is of the ECB', 'USD EUR', '0.86236633322', '2026-03-23', 'ecb_derived'],
    ['of euro and PLN is of the ECB', 'EUR PLN', '4.26430000000', '2026-03-23', 'ecb_published'],
    [
      'of a daily currency is of table A',
      'UAH PLN',
      '0.08450000000',
      '2026-03-20',
      'nbp_published',
    ],
    [
      'of a daily currency and dollars too',
      'UAH USD',
      '0.02283783784',
      '2026-03-20',
      'nbp_derived',
    ],
  ])('%s', async (_, pair, ...expected) => {
    expect(await find(pair, '2026-03-23')).toEqual(expected);
  });

  test.each<[string, number]>([
    ['AED EUR', mid('AED') / mid('EUR')],
    ['EUR AED', mid('EUR') / mid('AED')],
    ['USD AED', mid('USD') / mid('AED')],
    ['KWD NGN', mid('KWD') / mid('NGN')],
    ['EGP PLN', mid('EGP')],
  ])('with a currency of table B has both rates of its day: %s', async (pair, expected) => {
    const [rate, date, source] = (await find(pair, '2026-03-23')) ?? [];
    expect(Number(rate)).toBeCloseTo(expected, 9);
    expect([date, source]).toEqual([
      '2026-03-18',
      pair.endsWith('PLN') ? 'nbp_published' : 'nbp_derived',
    ]);
  });

  test('that is fixed to the dollar stays so, whatever the euro does in the week', async () => {
    expect(Number((await find('USD AED', '2026-03-24'))?.[0])).toBeCloseTo(3.6725, 2);
  });
});

test.each<[string, string, boolean]>([
  ['14 days after a weekly table', '2026-04-01', true],
  ['15 days after it', '2026-04-02', false],
  ['before all tables', '2026-03-17', false],
])('%s, its rate serves an entry: %s', async (_, date, isServed) => {
  expect((await find('AED EUR', date)) !== undefined).toBe(isServed);
});

test('a rate that is missing is explained by both banks', async () => {
  const explain = (pair: string, date: string) => {
    const [transaction = '', reporting = ''] = pair.split(' ');
    return rates.explainMissing({ transaction, reporting }, { date, today: '2026-12-31' });
  };
  const first = '2026-03-18';
  expect(await explain('AED EUR', '2026-03-17')).toEqual({ currencies: [], firstDate: first });
  expect(await explain('USD AED', '2026-03-26')).toEqual({ currencies: [], firstDate: first });
  expect(await explain('BMD AED', '2026-03-23')).toEqual({
    currencies: ['BMD'],
    firstDate: undefined,
  });
  // After 14 days, table A is still there, but table B has ended.
  expect(await explain('AED USD', '2026-04-03')).toEqual({
    currencies: ['AED'],
    firstDate: first,
  });
});

test('a new table is used by the next look-up, although none was found before', async () => {
  let version = 1;
  const look = () =>
    rates.find(
      { transaction: 'AED', reporting: 'EUR' },
      { date: '2025-01-08', today: '2026-12-31', readVersion: async () => version },
    );
  expect([await look(), await look()]).toEqual([undefined, undefined]);
  await rates.record([realNbpDay('2025-01-08')], { publisher: 'nbp' });
  version += 1;
  expect(await look()).toMatchObject({ date: '2025-01-08', source: 'nbp_derived' });
});

describe('of the NBP, a rate that jumps', () => {
  const options = { stored: [], acceptJumps: false, publisher: 'nbp' } as const;

  test('is refused alone, until a rate comes that does not jump', () => {
    const days = [
      { date: '2026-03-18', rates: { AED: '1', ARS: '0.004' } },
      { date: '2026-03-25', rates: { AED: '1.1', ARS: '0.0019' } },
      { date: '2026-04-01', rates: { AED: '1.2', ARS: '0.0021' } },
    ];
    const { additions, refused } = checkRates(days, options);
    expect(additions.map(({ day }) => Object.keys(day.rates))).toEqual([
      ['AED', 'ARS'],
      ['AED'],
      ['AED', 'ARS'],
    ]);
    expect(refused).toMatchObject([{ date: '2026-03-25', currency: 'ARS' }]);
  });

  test('was always a devaluation or redenomination since 2024', () => {
    const { refused } = checkRates(realNbpDays, options);
    expect([...new Set(refused.map(({ currency }) => currency))].sort()).toEqual([
      'IRR',
      'LBP',
      'SYP',
    ]);
  });
});
