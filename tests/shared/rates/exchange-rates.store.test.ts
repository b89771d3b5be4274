import { beforeAll, describe, expect, test } from 'vitest';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openRateCache } from '#shared/rates/rate-cache.store.ts';
import { ratesVersionOf } from '#shared/rates/rate-days.store.ts';
import { keyText, ratesStateKey } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import type { Action } from '#shared/table/table.ts';
import { realDay, realDaysBetween } from '../../support/builders/ecb-files.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

type Database = Awaited<ReturnType<typeof openTestTable>>;
const correction = {
  date: '2026-03-20',
  currency: 'USD',
  rate: '1.1600',
  reason: 'a typo',
  correctedBy: 'grace',
  correctedAt: '2026-03-23T15:00:00.000Z',
};
const euroToDollar = { transaction: 'EUR', reporting: 'USD' };
/** A table with only these rates. */
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

  /** By default on 2026-04-15, with rates of at most a week. Returns the rate, day and source. */
  const find = async (
    currencies: string,
    date: string,
    { age = 7, today = '2026-04-15' }: { age?: number | 'any'; today?: string } = {},
  ) => {
    const [transaction = '', reporting = ''] = currencies.split(' ');
    const maximumAgeDays = age === 'any' ? undefined : age;
    const exchangeRates = openExchangeRates(database.table, { maximumAgeDays });
    const rate = await exchangeRates.find({ transaction, reporting }, { date, today });
    return rate && `${rate.rate} of ${rate.date}, ${rate.source}`;
  };
  const dollars = (rate: string, date: string) => `${rate}0000000 of ${date}, ecb_published`;
  const lastDollars = dollars('1.1684', '2026-04-13');
  const onDay = (today: string) => ({ today });
  const lastLeva = '1.95580000000 of 2025-12-31, ecb_published';
  const crossRate = '1.34181902337 of 2026-03-23, ecb_derived';

  test.each<[string, ...Parameters<typeof find>, string | undefined]>([
    ['a working day has its own', 'EUR USD', '2026-03-23', {}, dollars('1.1596', '2026-03-23')],
    [
      'a Sunday has the rate of Friday',
      'EUR USD',
      '2026-03-22',
      {},
      dollars('1.1555', '2026-03-20'),
    ],
    ['Good Friday has Thursday’s', 'EUR USD', '2026-04-03', {}, dollars('1.1525', '2026-04-02')],
    ['New Year has the old year’s', 'EUR USD', '2026-01-01', {}, dollars('1.1750', '2025-12-31')],
    ['today has the last rate', 'EUR USD', '2026-04-15', {}, lastDollars],
    ['tomorrow has the last rate', 'EUR USD', '2026-04-16', {}, lastDollars],
    ['a date before all rates has none', 'EUR USD', '2024-01-01', {}, undefined],
    ['a week after the last', 'EUR USD', '2026-04-20', onDay('2026-04-20'), lastDollars],
    ['eight days after the last', 'EUR USD', '2026-04-21', onDay('2026-04-21'), undefined],
    ['across the euro', 'GBP USD', '2026-03-23', {}, crossRate],
    ['on the last day of a currency', 'EUR BGN', '2025-12-31', {}, lastLeva],
    ['a week after a currency ended', 'EUR BGN', '2026-01-07', {}, lastLeva],
    ['eight days after a currency ended', 'EUR BGN', '2026-01-08', {}, undefined],
    ['long after a currency ended, at any age', 'EUR BGN', '2026-04-15', { age: 'any' }, lastLeva],
    ['a currency without rates', 'EUR NGN', '2026-04-13', {}, undefined],
  ])('%s', async (_, currencies, date, options, rate) => {
    expect(await find(currencies, date, options)).toBe(rate);
  });

  test('without the table for one currency', async () => {
    const { result, usage } = await meterUsage(() => find('NGN NGN', '1995-05-05'));
    expect(result).toBe('1.00000000000 of 1995-05-05, same_currency');
    expect(usage.calls).toEqual([]);
  });
});

describe('a cached rate', () => {
  test('is used for five minutes, until a rate changes', async () => {
    let minutes = 0;
    const clock = () => new Date(Date.UTC(2026, 2, 23, 15, minutes));
    const days = realDaysBetween('2026-03-16', '2026-03-20');
    const { database, exchangeRates } = await openWith(days, { maximumAgeDays: 7, clock });
    const readVersion = async () =>
      ratesVersionOf((await database.table.getMany([ratesStateKey])).get(keyText(ratesStateKey)));
    const findAt = async (time: number) => {
      minutes = time;
      const dates = { date: '2026-03-20', today: '2026-03-23' };
      const { result, usage } = await meterUsage(() =>
        exchangeRates.find(euroToDollar, { ...dates, readVersion }),
      );
      const queries = usage.calls.filter(({ operation }) => operation === 'Query');
      return [result?.rate.slice(0, 6), queries.length];
    };
    expect([await findAt(0), await findAt(4)]).toEqual([
      ['1.1555', 1],
      ['1.1555', 0],
    ]);
    expect([await findAt(5), await findAt(6)]).toEqual([
      ['1.1555', 1],
      ['1.1555', 0],
    ]);
    await openExchangeRates(database.table, { maximumAgeDays: 7 }).correct(correction);
    expect([await findAt(6), await findAt(6)]).toEqual([
      ['1.1600', 1],
      ['1.1600', 0],
    ]);
  });

  test('is not used if its version was read after a change that it misses', async () => {
    const { database, exchangeRates } = await openWith(realDaysBetween('2026-03-19', '2026-03-20'));
    const lookUp = async (readVersion: () => Promise<number>, date = '2026-03-20') =>
      (await exchangeRates.find(euroToDollar, { date, today: date, readVersion }))?.rate;
    await lookUp(async () => 2, '2026-03-19');
    // The rate is corrected after the read of the day and before the read of the version.
    await lookUp(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await openExchangeRates(database.table, { maximumAgeDays: 7 }).correct(correction);
      return 3;
    });
    expect(await lookUp(async () => 3)).toBe('1.16000000000');
  });

  test('is cached separately for each pair', async () => {
    const { exchangeRates } = await openWith(realDaysBetween('2025-12-30', '2026-01-05'));
    const datesOfRates = [];
    for (const reporting of ['USD', 'BGN', 'USD', 'BGN']) {
      const pair = { transaction: 'EUR', reporting };
      const dates = { date: '2026-01-05', today: '2026-01-05' };
      const rate = await exchangeRates.find(pair, { ...dates, readVersion: async () => 1 });
      datesOfRates.push(rate?.date);
    }
    expect(datesOfRates).toEqual(['2026-01-05', '2025-12-31', '2026-01-05', '2025-12-31']);
  });

  test('is removed after a thousand others', async () => {
    let reads = 0;
    const findDay = async () => {
      reads += 1;
      return realDay('2026-03-20');
    };
    const cache = openRateCache({ findDay, clock: () => new Date(0) });
    const readsFor = async (to: string): Promise<number> => {
      const before = reads;
      await cache.findDay({ from: '', to }, ['USD'], {
        publisher: 'ecb',
        readVersion: async () => 1,
      });
      return reads - before;
    };
    expect([await readsFor('2026-03-20'), await readsFor('2026-03-20')]).toEqual([1, 0]);
    for (let year = 3_000; year < 4_000; year += 1) await readsFor(`${year}-01-01`);
    expect(await readsFor('2026-03-20')).toBe(1);
  });
});

describe('recording days', () => {
  const days = realDaysBetween('2025-10-01', '2026-04-13');

  const nothing = { added: 0, completed: 0, differing: [], refused: [] };

  test('adds each once, and lists them oldest first', async () => {
    const { database, exchangeRates } = await openWith([]);
    expect(await exchangeRates.findLatest()).toBeUndefined();
    expect(await exchangeRates.record([])).toEqual(nothing);
    const added = { ...nothing, added: days.length };
    expect(await exchangeRates.record(days.toReversed())).toEqual(added);
    expect(await exchangeRates.record(days)).toEqual(nothing);
    expect(await exchangeRates.list({ from: '2025-01-01', to: '2026-12-31' })).toEqual(days);
    expect(await exchangeRates.findLatest()).toEqual(realDay('2026-04-13'));
    expect(await database.scan()).toHaveLength(days.length + 1);
  });

  test('never changes a stored rate, and reports different numbers', async () => {
    const stored = ['2026-03-18', '2026-03-19', '2026-03-20'].map((date) => ({
      date,
      rates: { USD: '1.15', JPY: '183' },
    }));
    const { exchangeRates } = await openWith(stored);
    const outcome = await exchangeRates.record([
      { date: '2026-03-17', rates: { USD: '1.14' } },
      { date: '2026-03-18', rates: { JPY: '183.00', USD: '1.1500' } },
      { date: '2026-03-19', rates: { USD: '1.16', JPY: '183' } },
      { date: '2026-03-20', rates: { USD: '1.15' } },
    ]);
    expect(outcome).toEqual({ ...nothing, added: 1, differing: ['2026-03-19'] });
    expect(await exchangeRates.list({ from: '2026-03-18', to: '2026-03-20' })).toEqual(stored);
  });

  test('adds missing currencies to a stored day', async () => {
    const { exchangeRates } = await openWith([{ date: '2026-03-20', rates: { USD: '1.1555' } }]);
    const whole = { USD: '1.2000', JPY: '183.46', GBP: '0.86438' };
    expect(await exchangeRates.record([{ date: '2026-03-20', rates: whole }])).toEqual({
      ...nothing,
      completed: 1,
      differing: ['2026-03-20'],
    });
    const rates = { ...whole, USD: '1.1555' };
    expect(await exchangeRates.findLatest()).toEqual({ date: '2026-03-20', rates });
  });

  test('adds each day once in concurrent runs', async () => {
    const { exchangeRates } = await openWith([]);
    const outcomes = await Promise.all(
      [0, 20, 40, 60].map((start) => exchangeRates.record(days.slice(start))),
    );
    expect(outcomes.reduce((sum, { added }) => sum + added, 0)).toBe(days.length);
    expect(await exchangeRates.list({ from: '2025-01-01', to: '2026-12-31' })).toEqual(days);
  });

  test('adds the oldest first, so an interrupted run leaves no gap', async () => {
    const { table } = await openTestTable();
    let writes = 0;
    const breaking = {
      ...table,
      transact: (actions: readonly Action[]) => {
        writes += 1;
        // The first writes the state.
        if (writes > 2) throw new Error('the process was stopped');
        return table.transact(actions);
      },
    };
    const stopped = openExchangeRates(breaking, { maximumAgeDays: 7 }).record(days.toReversed());
    await expect(stopped).rejects.toThrow('the process was stopped');
    const exchangeRates = openExchangeRates(table, { maximumAgeDays: 7 });
    const all = { from: '2025-01-01', to: '2026-12-31' };
    expect(await exchangeRates.list(all)).toEqual(days.slice(0, 99));
    expect(await exchangeRates.record(days)).toEqual({
      ...nothing,
      added: days.length - 99,
    });
    expect(await exchangeRates.list(all)).toEqual(days);
  });
});

test('a table that is older than the state of the rates gets the state', async () => {
  const days = realDaysBetween('2026-03-16', '2026-03-20');
  const { database } = await openWith(days);
  const older = (await database.scan()).filter(({ pk }) => pk !== ratesStateKey.pk);
  const { table } = await openTestTable({ items: older });
  const exchangeRates = openExchangeRates(table, { maximumAgeDays: 7 });
  await exchangeRates.record([realDay('2026-03-20')]);
  const dates = { date: '2026-03-13', today: '2026-03-23' };
  expect(await exchangeRates.explainMissing(euroToDollar, dates)).toEqual({
    currencies: [],
    firstDate: '2026-03-16',
  });
});

test('concurrent corrections each keep the rate before them', async () => {
  const { exchangeRates } = await openWith([realDay('2026-03-20')]);
  const outcomes = await Promise.all(
    ['1.16', '1.17'].map((rate) => exchangeRates.correct({ ...correction, rate })),
  );
  expect(outcomes).toMatchObject([{ corrected: true }, { corrected: true }]);
  const [first, second] = await exchangeRates.listCorrections('2026-03-20');
  expect([first?.rateBefore, second?.rateBefore]).toEqual(['1.1555', first?.rate]);
  const stored = await exchangeRates.findLatest();
  expect(stored?.rates).toEqual({ ...realDay('2026-03-20').rates, USD: second?.rate });
});
