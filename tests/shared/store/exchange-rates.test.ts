import { beforeAll, describe, expect, test } from 'vitest';
import { openExchangeRates } from '#shared/store/exchange-rates.ts';
import type { Action } from '#shared/store/table.ts';
import { meterUsage } from '#shared/table-metering.ts';
import { realDay, realDaysBetween } from '../../support/builders/ecb-files.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

type Database = Awaited<ReturnType<typeof openTestTable>>;
const euroToDollar = { transaction: 'EUR', reporting: 'USD' };
/** What a table without any rates yet, but for these, answers. */
const openWith = async (
  days: readonly { date: string; rates: Record<string, string> }[],
  options: { maximumAgeDays: number | undefined; clock?: () => Date } = { maximumAgeDays: 7 },
) => {
  const database = await openTestTable();
  const exchangeRates = openExchangeRates(database.table, options);
  await exchangeRates.record(days);
  return { database, exchangeRates };
};

describe('a rate is found', () => {
  let database: Database;

  beforeAll(async () => {
    database = (await openWith(realDaysBetween('2025-12-01', '2026-04-13'))).database;
  });

  /** Asked on 2026-04-15, of rates a week old at most, and told as the rate and its day. */
  const find = async (
    currencies: string,
    date: string,
    { age = 7, today = '2026-04-15' }: { age?: number | 'any'; today?: string } = {},
  ) => {
    const [transaction = '', reporting = ''] = currencies.split(' ');
    const maximumAgeDays = age === 'any' ? undefined : age;
    const exchangeRates = openExchangeRates(database.table, { maximumAgeDays });
    const found = await exchangeRates.find({ transaction, reporting }, { date, today });
    return found && `${found.rate} of ${found.date}, ${found.source}`;
  };
  const dollars = (rate: string, date: string) => `${rate}0000000 of ${date}, ecb_published`;
  const lastDollars = dollars('1.1684', '2026-04-13');
  const onDay = (today: string) => ({ today });
  const lastLeva = '1.95580000000 of 2025-12-31, ecb_published';
  const crossRate = '1.34181902337 of 2026-03-23, ecb_derived';

  test.each<[string, ...Parameters<typeof find>, string | undefined]>([
    ['a working day has its own', 'EUR USD', '2026-03-23', {}, dollars('1.1596', '2026-03-23')],
    ['a Sunday has that of Friday', 'EUR USD', '2026-03-22', {}, dollars('1.1555', '2026-03-20')],
    ['Thursday before Easter', 'EUR USD', '2026-04-02', {}, dollars('1.1525', '2026-04-02')],
    ['Good Friday has Thursday’s', 'EUR USD', '2026-04-03', {}, dollars('1.1525', '2026-04-02')],
    ['Easter Monday has it as well', 'EUR USD', '2026-04-06', {}, dollars('1.1525', '2026-04-02')],
    ['Tuesday has its own again', 'EUR USD', '2026-04-07', {}, dollars('1.1557', '2026-04-07')],
    ['Christmas has an earlier one', 'EUR USD', '2025-12-26', {}, dollars('1.1787', '2025-12-24')],
    ['New Year has the old year’s', 'EUR USD', '2026-01-01', {}, dollars('1.1750', '2025-12-31')],
    ['today has the last there is', 'EUR USD', '2026-04-15', {}, lastDollars],
    ['tomorrow has it as well', 'EUR USD', '2026-04-16', {}, lastDollars],
    ['and so has any later date', 'EUR USD', '2031-01-01', {}, lastDollars],
    ['a date before all rates has none', 'EUR USD', '2024-01-01', {}, undefined],
    ['a week after the last', 'EUR USD', '2026-04-20', onDay('2026-04-20'), lastDollars],
    ['eight days after the last', 'EUR USD', '2026-04-21', onDay('2026-04-21'), undefined],
    ['across the euro', 'GBP USD', '2026-03-23', {}, crossRate],
    ['on the last day of a currency', 'EUR BGN', '2025-12-31', {}, lastLeva],
    ['a week after a currency ended', 'EUR BGN', '2026-01-07', {}, lastLeva],
    ['eight days after a currency ended', 'EUR BGN', '2026-01-08', {}, undefined],
    ['long after a currency ended', 'EUR BGN', '2026-04-15', {}, undefined],
    ['long after that, at any age', 'EUR BGN', '2026-04-15', { age: 'any' }, lastLeva],
    ['a currency without rates', 'EUR NGN', '2026-04-13', {}, undefined],
    ['a currency without rates, at any age', 'EUR NGN', '2026-04-13', { age: 'any' }, undefined],
  ])('%s', async (_, currencies, date, options, found) => {
    expect(await find(currencies, date, options)).toBe(found);
  });

  test('without the table where nothing is exchanged', async () => {
    const { result, usage } = await meterUsage(() => find('NGN NGN', '1995-05-05'));
    expect(result).toBe('1.00000000000 of 1995-05-05, same_currency');
    expect(usage.calls).toEqual([]);
  });
});

describe('a rate that was found before', () => {
  /** Looks rates up at moments of Monday 2026-03-23, with the days before it stored. */
  const openOnMonday = async () => {
    let minutes = 0;
    const clock = () => new Date(Date.UTC(2026, 2, 23, 15, minutes));
    const days = realDaysBetween('2026-03-16', '2026-03-20');
    const { exchangeRates } = await openWith(days, { maximumAgeDays: 7, clock });
    const findAt = async (time: number, date = '2026-03-23') => {
      minutes = time;
      const { result, usage } = await meterUsage(() =>
        exchangeRates.find(euroToDollar, { date, today: '2026-03-23' }),
      );
      return { from: result?.date, calls: usage.calls.length };
    };
    return { exchangeRates, findAt };
  };

  test('is not read again on its own date, whenever', async () => {
    const { findAt } = await openOnMonday();
    expect(await findAt(0, '2026-03-20')).toEqual({ from: '2026-03-20', calls: 1 });
    expect(await findAt(600, '2026-03-20')).toEqual({ from: '2026-03-20', calls: 0 });
  });

  test('is that of the day before for five minutes at most after the own one came', async () => {
    const { exchangeRates, findAt } = await openOnMonday();
    expect(await findAt(0)).toEqual({ from: '2026-03-20', calls: 1 });
    await exchangeRates.record([realDay('2026-03-23')]);
    for (const minute of [1, 3, 4]) {
      expect(await findAt(minute)).toEqual({ from: '2026-03-20', calls: 0 });
    }
    expect(await findAt(5)).toEqual({ from: '2026-03-23', calls: 1 });
    expect(await findAt(600)).toEqual({ from: '2026-03-23', calls: 0 });
  });

  test('serves a date to come as it serves today, and a weekend by itself', async () => {
    const { findAt } = await openOnMonday();
    expect(await findAt(0, '2026-03-23')).toEqual({ from: '2026-03-20', calls: 1 });
    expect(await findAt(1, '2027-01-01')).toEqual({ from: '2026-03-20', calls: 0 });
    expect(await findAt(1, '2026-03-21')).toEqual({ from: '2026-03-20', calls: 1 });
  });

  test('is not mistaken for that of a pair whose last day is another', async () => {
    const { exchangeRates } = await openWith(realDaysBetween('2025-12-30', '2026-01-05'));
    const datesFound = [];
    for (const reporting of ['USD', 'BGN', 'USD', 'BGN']) {
      const pair = { transaction: 'EUR', reporting };
      const moment = { date: '2026-01-05', today: '2026-01-05' };
      datesFound.push((await exchangeRates.find(pair, moment))?.date);
    }
    expect(datesFound).toEqual(['2026-01-05', '2025-12-31', '2026-01-05', '2025-12-31']);
  });

  test('is asked for again at once where there was none', async () => {
    const { exchangeRates } = await openWith([]);
    const moment = { date: '2026-03-20', today: '2026-03-23' };
    expect(await exchangeRates.find(euroToDollar, moment)).toBeUndefined();
    await exchangeRates.record([realDay('2026-03-20')]);
    expect(await exchangeRates.find(euroToDollar, moment)).toMatchObject({ date: '2026-03-20' });
  });

  test('is forgotten when a thousand others were asked for', async () => {
    const { database } = await openWith([]);
    let reads = 0;
    const queryPages = async function* () {
      reads += 1;
      yield [realDay('2026-03-20')];
    };
    const table = { ...database.table, queryPages };
    const exchangeRates = openExchangeRates(table, { maximumAgeDays: undefined });
    const readsFor = async (date: string): Promise<number> => {
      const before = reads;
      await exchangeRates.find(euroToDollar, { date, today: '9999-01-01' });
      return reads - before;
    };
    expect([await readsFor('2026-03-20'), await readsFor('2026-03-20')]).toEqual([1, 0]);
    for (let year = 3_000; year < 4_000; year += 1) await readsFor(`${year}-01-01`);
    expect(await readsFor('2026-03-20')).toBe(1);
  });
});

describe('days are recorded', () => {
  const days = realDaysBetween('2025-10-01', '2026-04-13');

  test('once, whole, and listed oldest first', async () => {
    const { database, exchangeRates } = await openWith([]);
    expect(await exchangeRates.findLatest()).toBeUndefined();
    expect(await exchangeRates.record([])).toEqual({ added: 0, differing: [] });
    expect(await exchangeRates.record(days.toReversed())).toEqual({
      added: days.length,
      differing: [],
    });
    expect(await exchangeRates.record(days)).toEqual({ added: 0, differing: [] });
    expect(await exchangeRates.list({ from: '2025-01-01', to: '2026-12-31' })).toEqual(days);
    expect(await exchangeRates.findLatest()).toEqual(realDay('2026-04-13'));
    expect(await database.scan()).toHaveLength(days.length);
  });

  test('but never changed: other figures are reported, more zeros are none', async () => {
    const stored = [
      { date: '2026-03-18', rates: { USD: '1.15', JPY: '183' } },
      { date: '2026-03-19', rates: { USD: '1.15', JPY: '183' } },
      { date: '2026-03-20', rates: { USD: '1.15', JPY: '183' } },
    ];
    const { exchangeRates } = await openWith(stored);
    const outcome = await exchangeRates.record([
      { date: '2026-03-17', rates: { USD: '1.14' } },
      { date: '2026-03-18', rates: { JPY: '183.00', USD: '1.1500' } },
      { date: '2026-03-19', rates: { USD: '1.16', JPY: '183' } },
      { date: '2026-03-20', rates: { USD: '1.15', JPY: '183', GBP: '0.86' } },
    ]);
    expect(outcome).toEqual({ added: 1, differing: ['2026-03-19', '2026-03-20'] });
    expect(await exchangeRates.list({ from: '2026-03-18', to: '2026-03-20' })).toEqual(stored);
  });

  test('by many runs at once, each day by one of them', async () => {
    const { exchangeRates } = await openWith([]);
    const outcomes = await Promise.all(
      // Runs that start at different days meet in the middle of each other's writes.
      [0, 20, 40, 60].map((start) => exchangeRates.record(days.slice(start))),
    );
    expect(outcomes.reduce((sum, { added }) => sum + added, 0)).toBe(days.length);
    expect(await exchangeRates.list({ from: '2025-01-01', to: '2026-12-31' })).toEqual(days);
  });

  test('oldest first, so that a run that breaks off leaves no gap behind it', async () => {
    const { table } = await openTestTable();
    let writes = 0;
    const breaking = {
      ...table,
      transact: (actions: readonly Action[]) => {
        writes += 1;
        if (writes > 1) throw new Error('the process was stopped');
        return table.transact(actions);
      },
    };
    const stopped = openExchangeRates(breaking, { maximumAgeDays: 7 }).record(days.toReversed());
    await expect(stopped).rejects.toThrow('the process was stopped');
    const exchangeRates = openExchangeRates(table, { maximumAgeDays: 7 });
    const all = { from: '2025-01-01', to: '2026-12-31' };
    expect(await exchangeRates.list(all)).toEqual(days.slice(0, 100));
    expect(await exchangeRates.record(days)).toEqual({ added: days.length - 100, differing: [] });
    expect(await exchangeRates.list(all)).toEqual(days);
  });
});
