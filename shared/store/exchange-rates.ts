// Exchange rates by day. A day's rates never change once stored, so they are kept in the process
// too.

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
import { ifNotExists, type Table } from './table.ts';

const StoredRates = z.object({ date: z.string(), rates: z.record(z.string(), z.string()) });

/**
 * How long "the last day before" is cached. A date's own rates are final, but a date without any
 * (a weekend, today before the afternoon, days that a refresh missed) may still get other rates.
 */
const cacheTtlMilliseconds = 5 * 60_000;
const maximumCacheEntries = 1_000;

/** A transaction has at most a hundred actions (DynamoDB quotas). */
const daysPerWrite = 100;

const allDays = { from: '0001-01-01', to: '9999-12-31' };

export type ExchangeRates = ReturnType<typeof openExchangeRates>;

/**
 * @param options.maximumAgeDays how old a rate may be, counted from the entry's date;
 *   `undefined` for any age
 * @param options.clock the time of day, by which the cache ages also while the process is frozen
 */
export const openExchangeRates = (
  table: Table,
  {
    maximumAgeDays,
    clock = () => new Date(),
  }: { maximumAgeDays: number | undefined; clock?: () => Date },
) => {
  const cache = new Map<string, { day: DailyRates; until: number }>();

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
    const cacheKey = [range.to, ...currencies].join();
    const now = clock().getTime();
    const cached = cache.get(cacheKey);
    if (cached && (cached.day.date === range.to || now < cached.until)) return cached.day;
    const day = await findDay(range, currencies);
    if (day) {
      if (cache.size >= maximumCacheEntries) cache.clear();
      cache.set(cacheKey, { day, until: now + cacheTtlMilliseconds });
    }
    return day;
  };

  /** The stored days of a range, oldest first. */
  const list = async (range: { from: string; to: string }): Promise<DailyRates[]> =>
    (await table.query(inRange(range))).map((item) => StoredRates.parse(item));

  /** Records days in one write and returns how many; those that another run added are left out. */
  const recordBatch = async (days: readonly DailyRates[]): Promise<number> => {
    if (days.length === 0) return 0;
    const outcome = await table.transact(
      days.map((day) => ({ put: { ...ratesKey(day.date), ...day }, condition: ifNotExists })),
    );
    if (outcome.committed) return days.length;
    return recordBatch(days.filter((_, index) => !outcome.failed.has(index)));
  };

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

    /** The last day up to `to` that has rates at all. */
    findLatest: (to = allDays.to): Promise<DailyRates | undefined> =>
      findDay({ ...allDays, to }, []),

    /**
     * Adds the days that are not there yet, oldest first, so that a run that breaks off leaves no
     * gap before the newest day that it added. A day that is there is never changed, since entries
     * were posted at its rates; where the given figures differ from it, its date is reported.
     */
    record: async (
      days: readonly DailyRates[],
    ): Promise<{ added: number; differing: string[] }> => {
      const oldestFirst = days.toSorted((one, other) => (one.date < other.date ? -1 : 1));
      const from = oldestFirst[0]?.date;
      const to = oldestFirst.at(-1)?.date;
      if (from === undefined || to === undefined) return { added: 0, differing: [] };
      const stored = new Map((await list({ from, to })).map((day) => [day.date, day]));
      const missing = oldestFirst.filter(({ date }) => !stored.has(date));
      let added = 0;
      for (let start = 0; start < missing.length; start += daysPerWrite) {
        added += await recordBatch(missing.slice(start, start + daysPerWrite));
      }
      const differing = oldestFirst.filter((day) => {
        const before = stored.get(day.date);
        return before !== undefined && figuresOf(before) !== figuresOf(day);
      });
      return { added, differing: differing.map(({ date }) => date) };
    },
  };
};

const inRange = ({ from, to }: { from: string; to: string }) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':pk': ratesPartition, ':from': from, ':to': to },
});

/** The figures of a day without their trailing zeros, in which the source's files differ. */
const figuresOf = ({ rates }: DailyRates): string =>
  Object.entries(rates)
    .map(([currency, rate]) => `${currency} ${new Big(rate).toFixed()}`)
    .sort()
    .join();
