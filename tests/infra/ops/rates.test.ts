import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stages } from '#infra/manifest/stages.ts';
import { correctRate, loadRates, showRates } from '#infra/ops/commands/rates.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';
import { makeDataFolder } from '../../support/processes/service.ts';

const monday = '2026-03-23,1.1544,183.79,';
const tuesday = '2026-03-24,1.1583,183.96,';

const operator = useOperator();
const folder = await makeDataFolder();
afterAll(folder.remove);
const file = join(folder.path, 'rates.csv');

const load = async (lines: string[], acceptJumps = false) => {
  await writeFile(file, `${lines.join('\n')}\n`);
  const dependencies = { ...operator.dependencies, rules: stages.production };
  return loadRates.run(dependencies, { file, acceptJumps });
};
const loadDays = (...days: string[]) => load(['Date,USD,JPY,', ...days]);
const show = (date?: string) =>
  showRates.run(operator.dependencies, date === undefined ? {} : { date });
const noon = '2026-03-24T12:00:00.000Z';
const correct = (changes: Partial<Parameters<typeof correctRate.run>[1]> = {}) =>
  correctRate.run(operator.dependencies, {
    date: '2026-03-24',
    currency: 'USD',
    rate: '1.1601',
    reason: 'a slip of the pen',
    ...changes,
  });
beforeAll(() => {
  operator.clock.now = new Date(noon);
});

describe('rates', () => {
  test('are loaded once, and reported if a later file differs', async () => {
    expect(await refusalOf(show())).toBe('there are no rates');
    const first = { file, publisher: 'ecb', first_date: '2026-03-23', added: 1, completed: 0 };
    expect(await loadDays(monday)).toEqual({
      ...first,
      last_date: '2026-03-23',
      days: 1,
      differing_dates: [],
      newest_date: '2026-03-23',
      serves_entries_until: '2026-03-30',
    });
    expect(await loadDays(tuesday, monday.replace('1.1544', '1.1545'))).toEqual({
      ...first,
      last_date: '2026-03-24',
      days: 2,
      differing_dates: ['2026-03-23'],
      newest_date: '2026-03-24',
      serves_entries_until: '2026-03-31',
    });
    await writeFile(file, `Date,USD,JPY,\n${monday}\n`);
    const whereAnyAgeDoes = await loadRates.run(operator.dependencies, {
      file,
      acceptJumps: false,
    });
    expect(whereAnyAgeDoes).toMatchObject({
      newest_date: '2026-03-24',
      serves_entries_until: null,
    });
  });

  test.each([
    ['the latest day', undefined, ['2026-03-24', '183.96', '1.1583']],
    ['a day with rates', '2026-03-23', ['2026-03-23', '183.79', '1.1544']],
    ['the last day before a day without rates', '2026-04-01', ['2026-03-24', '183.96', '1.1583']],
  ])('are shown for %s', async (_title, onDate, [date, yen, dollars]) => {
    expect(await show(onDate)).toEqual({
      publisher: 'ecb',
      date,
      base_currency: 'EUR',
      rates: [
        { currency: 'JPY', rate: yen },
        { currency: 'USD', rate: dollars },
      ],
      corrections: [],
    });
  });

  test('are not found before the first day, nor loaded from an invalid file', async () => {
    expect(await operator.refusalOf(() => show('2026-03-22'))).toBe(
      'there are no rates on or before 2026-03-22',
    );
    expect(await operator.refusalOf(() => load(['Day,USD']))).toBe(
      `${file}: line 1: a file of reference rates starts with "Date", not "Day"`,
    );
    const none = join(folder.path, 'none.csv');
    expect(
      await operator.refusalOf(() =>
        loadRates.run(operator.dependencies, { file: none, acceptJumps: false }),
      ),
    ).toMatch(/none\.csv: ENOENT/);
  });
});

describe('a load', () => {
  const wednesday = '2026-03-18,1.1500,183.00,';
  const jump = '2026-03-19,11.500,184.00,';
  const friday = '2026-03-20,1.1555,183.46,';

  test('refuses a day with a rate that jumps, names it, and adds the others', async () => {
    expect(await refusalOf(loadDays(wednesday, jump, friday))).toBe(
      `${file}: refused 1 days because rates jump (2026-03-19 USD 11.500, after 1.1500 on ` +
        '2026-03-18). Days added: 2, completed: 0. If the rates are right, load the file with ' +
        '--accept-jumps',
    );
    expect(await show('2026-03-19')).toMatchObject({ date: '2026-03-18' });
    expect(await show('2026-03-20')).toMatchObject({ date: '2026-03-20' });
  });

  test('adds that day with --accept-jumps', async () => {
    const lines = ['Date,USD,JPY,', wednesday, jump, friday];
    expect(await load(lines, true)).toMatchObject({ added: 1, differing_dates: [] });
    expect(await show('2026-03-19')).toMatchObject({
      rates: [
        { currency: 'JPY', rate: '184.00' },
        { currency: 'USD', rate: '11.500' },
      ],
    });
  });

  test('is refused entirely if the file has a future day', async () => {
    expect(
      await operator.refusalOf(() => loadDays('2026-03-17,1.15,183,', '2026-03-25,1.15,183,')),
    ).toBe(`${file}: the newest day is in the future: 2026-03-25`);
  });
});

describe('a correction', () => {
  test('replaces a rate and records the operator, the time and the reason', async () => {
    const author = { corrected_by: 'ada', corrected_at: noon };
    const first = { currency: 'USD', rate_before: '1.1583', rate: '1.1601' };
    const second = { currency: 'USD', rate_before: '1.1601', rate: '1.1602' };
    const reasons = [{ reason: 'a slip of the pen' }, { reason: 'another' }];
    expect(await correct()).toEqual({
      publisher: 'ecb',
      date: '2026-03-24',
      ...first,
      ...author,
      ...reasons[0],
    });
    await correct({ rate: '1.1602', reason: 'another' });
    await correct({ currency: 'JPY', rate: '183.97' });
    const shown = { date: '2026-03-24', currency: 'USD' };
    expect(await showRates.run(operator.dependencies, shown)).toEqual({
      publisher: 'ecb',
      date: '2026-03-24',
      base_currency: 'EUR',
      rates: [{ currency: 'USD', rate: '1.1602' }],
      corrections: [
        { ...first, ...author, ...reasons[0] },
        { ...second, ...author, ...reasons[1] },
      ],
    });
  });

  test.each<[string, Parameters<typeof correct>[0], string]>([
    [
      'a future day',
      { date: '2026-03-25' },
      '2026-03-25 is in the future: today is 2026-03-24 (UTC)',
    ],
    [
      'a day without rates',
      { date: '2026-03-22' },
      'there is no USD rate of 2026-03-22: load the day first',
    ],
    [
      'a currency without a rate on that day',
      { currency: 'GBP' },
      'there is no GBP rate of 2026-03-24: load the day first',
    ],
    [
      'a rate equal to the stored one',
      { date: '2026-03-23', rate: '1.15440' },
      'the USD rate of 2026-03-23 is already 1.1544',
    ],
  ])('is refused for %s', async (_, changes, sentence) => {
    expect(await operator.refusalOf(() => correct(changes))).toBe(sentence);
  });
});

test('rates of the National Bank of Poland are loaded, corrected and shown apart', async () => {
  const publisher = 'nbp';
  const days = ['2026-03-18,4.27,1.01,0.0027', '2026-03-20,4.28,N/A,N/A'];
  expect(await load(['NBP,EUR,AED,NGN', ...days])).toMatchObject({
    publisher,
    added: 2,
    newest_date: '2026-03-20',
    serves_entries_until: '2026-04-03',
  });
  await correct({ publisher, date: '2026-03-18', currency: 'AED', rate: '1.011' });
  expect(
    await showRates.run(operator.dependencies, { publisher, date: '2026-03-23', currency: 'AED' }),
  ).toMatchObject({
    publisher,
    date: '2026-03-18',
    base_currency: 'PLN',
    rates: [{ currency: 'AED', rate: '1.011' }],
    corrections: [{ rate_before: '1.01', rate: '1.011' }],
  });
  expect((await show('2026-03-23')).base_currency).toBe('EUR');
});
