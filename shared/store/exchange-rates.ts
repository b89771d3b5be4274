// Exchange rates by day. A day's rates never change once published, so they are kept in the
// process too.

import Big from 'big.js';
import * as z from 'zod/mini';
import {
  type CurrencyPair,
  currenciesNeeded,
  type DailyRates,
  daysAccepted,
  type ExchangeRate,
  identityRate,
  rateBetween,
} from '../domain/exchange-rates.ts';
import { ratesKey, ratesPartition } from './keys.ts';
import { mustBeNew, type Table } from './table.ts';

const StoredRates = z.object({ date: z.string(), rates: z.record(z.string(), z.string()) });

/**
 * How long "the last day before" is believed. A date's own rates are final, but a date without any
 * (a weekend, or today before the afternoon) may still get a later answer.
 */
const keptForMilliseconds = 5 * 60_000;
const largestCache = 1_000;

export type ExchangeRates = ReturnType<typeof openExchangeRates>;

/**
 * @param options.maximumAgeDays how old a rate may be, counted from the entry's date;
 *   `undefined` for any age
 */
export const openExchangeRates = (
  table: Table,
  { maximumAgeDays }: { maximumAgeDays: number | undefined },
) => {
  const cache = new Map<string, { day: DailyRates; at: number }>();

  /** The last day within the range that has all the currencies. */
  const findDay = async (
    range: { from: string; to: string },
    currencies: string[],
  ): Promise<DailyRates | undefined> => {
    const newestFirst = { ...inRange(range), ScanIndexForward: false };
    // Nearly always the newest day is the answer; only a currency that ended is searched for.
    for await (const [newest] of table.queryPages({ ...newestFirst, Limit: 1 })) {
      if (newest === undefined) return undefined;
      const day = StoredRates.parse(newest);
      if (currencies.every((currency) => currency in day.rates)) return day;
      break;
    }
    const searched = table.queryPages({
      ...newestFirst,
      FilterExpression: currencies.map((_, n) => `attribute_exists(rates.#c${n})`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(currencies.map((it, n) => [`#c${n}`, it])),
    });
    for await (const [newest] of searched) {
      if (newest) return StoredRates.parse(newest);
    }
    return undefined;
  };

  const findDayCached = async (
    range: { from: string; to: string },
    currencies: string[],
  ): Promise<DailyRates | undefined> => {
    const name = [range.to, ...currencies].join();
    const kept = cache.get(name);
    if (kept) {
      const isFinal = kept.day.date === range.to;
      if (isFinal || performance.now() - kept.at < keptForMilliseconds) return kept.day;
    }
    const day = await findDay(range, currencies);
    if (day) {
      if (cache.size >= largestCache) cache.clear();
      cache.set(name, { day, at: performance.now() });
    }
    return day;
  };

  const list = async (range: { from: string; to: string }): Promise<DailyRates[]> =>
    (await table.query(inRange(range))).map((item) => StoredRates.parse(item));

  return {
    list,

    /** The rate for an entry of this date, or `undefined` where there is none to be had. */
    find: async (
      pair: CurrencyPair,
      { date, today }: { date: string; today: string },
    ): Promise<ExchangeRate | undefined> => {
      if (pair.transaction === pair.reporting) return identityRate(date);
      const range = daysAccepted(date, { today, maximumAgeDays });
      const day = await findDayCached(range, currenciesNeeded(pair));
      return day && rateBetween(pair, day);
    },

    /** The last day that has rates at all. */
    findLatest: async (): Promise<DailyRates | undefined> => findDay(allDays, []),

    /**
     * Adds the days that are not there yet. A day that is there is never changed, since entries
     * were posted at its rates; where the publisher's figures now differ, its date is reported.
     */
    record: async (
      days: readonly DailyRates[],
    ): Promise<{ added: number; differing: string[] }> => {
      const dates = days.map(({ date }) => date).sort();
      const stored = await list({ from: dates[0] ?? '', to: dates.at(-1) ?? '' });
      const known = new Map(stored.map((day) => [day.date, day]));
      const missing = days.filter(({ date }) => !known.has(date));
      for (let start = 0; start < missing.length; start += daysPerWrite) {
        await addDays(missing.slice(start, start + daysPerWrite));
      }
      const differing = days.filter((day) => !sameRates(day, known.get(day.date) ?? day));
      return { added: missing.length, differing: differing.map(({ date }) => date) };
    },
  };

  async function addDays(days: readonly DailyRates[]): Promise<void> {
    const outcome = await table.transact(
      days.map((day) => ({ put: { ...ratesKey(day.date), ...day }, condition: mustBeNew })),
    );
    if (outcome.committed) return;
    // Another run added some of them in the meantime; the rest are still to be added.
    await addDays(days.filter((_, index) => !outcome.failed.has(index)));
  }
};

const daysPerWrite = 100;
const allDays = { from: '0001-01-01', to: '9999-12-31' };

const inRange = ({ from, to }: { from: string; to: string }) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':pk': ratesPartition, ':from': from, ':to': to },
});

/** Compares figures, not their text: the publisher's files differ in trailing zeros. */
const sameRates = (...days: [DailyRates, DailyRates]): boolean => {
  const [one, other] = days.map(({ rates }) => rates);
  if (one === undefined || other === undefined) return false;
  const currencies = Object.keys(one);
  return (
    currencies.length === Object.keys(other).length &&
    currencies.every((it) => it in other && new Big(one[it] ?? 0).eq(other[it] ?? 0))
  );
};
