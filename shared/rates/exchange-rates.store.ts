// Exchange rates by day, with the corrections that were made to them.

import Big from 'big.js';
import * as z from 'zod/mini';
import { addDays } from '../money/dates.ts';
import {
  keyText,
  rateCorrectionKey,
  rateCorrectionsPartition,
  ratesKey,
  ratesPartition,
  ratesStateKey,
} from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { sortRange } from '../table/sort-ranges.ts';
import { type Action, type Item, ifNotExists, type Table } from '../table/table.ts';
import {
  type CurrencyPair,
  currenciesNeeded,
  type DailyRates,
  daysAccepted,
  type ExchangeRate,
  explainMissingRate,
  firstDatesWith,
  identityRate,
  type MissingRate,
  rateBetween,
} from './exchange-rates.ts';
import { openRateCache, type ReadVersion } from './rate-cache.store.ts';
import { type CheckedRates, checkRates, comparableDays } from './rate-jumps.ts';

const StoredRates = z.object({
  date: z.string(),
  rates: z.record(z.string(), z.string()),
  corrected: z.optional(z.array(z.string())),
});

/** What is known of all rates together: their version, and the first date of each currency. */
export const RatesState = z.object({
  ratesVersion: z.int(),
  firstDates: z.record(z.string(), z.string()),
});
export type RatesState = z.infer<typeof RatesState>;

/** The version of the rates by their state item; before the first rates there is none. */
export const ratesVersionOf = (item: Item | undefined): number =>
  item ? RatesState.parse(item).ratesVersion : 0;

/** A rate that an operator put in the place of another. */
export const RateCorrection = z.object({
  date: z.string(),
  currency: z.string(),
  rateBefore: z.string(),
  rate: z.string(),
  reason: z.string(),
  correctedBy: z.string(),
  correctedAt: z.string(),
});
export type RateCorrection = z.infer<typeof RateCorrection>;

/** The rate that was stored, if there was one, and whether another took its place. */
export type CorrectionOutcome =
  | { rateBefore: undefined }
  | { rateBefore: string; corrected: boolean };

/** What became of days that were given: how many were added, how many got missing currencies. */
export type RecordedRates = Pick<CheckedRates, 'refused' | 'differing'> & {
  added: number;
  completed: number;
};

/** A day and what is stored of it, if anything is. */
type Change = CheckedRates['additions'][number];

/** A transaction has at most a hundred actions (DynamoDB quotas); one is for the state. */
const daysPerWrite = 99;

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

  const cache = openRateCache({ findDay, clock });

  /** The stored days of a range, oldest first. */
  const list = async (range: { from: string; to: string }): Promise<DailyRates[]> =>
    (await table.query(inRange(range))).map((item) => StoredRates.parse(item));

  const readState = async (): Promise<RatesState | undefined> => {
    const item = (await table.getMany([ratesStateKey])).get(keyText(ratesStateKey));
    return item && RatesState.parse(item);
  };

  /**
   * Writes days as they are to be, with what else is given, unless the state has changed since it
   * was read: it is the optimistic lock of all rates. Returns the new state, or `undefined` where
   * it or one of the days has changed: of a transaction, the state can show up before a day does.
   */
  const write = async (
    state: RatesState,
    changes: readonly Change[],
    others: readonly Action[] = [],
  ): Promise<RatesState | undefined> => {
    const days = changes.map(({ day }) => day);
    const next: RatesState = {
      ratesVersion: state.ratesVersion + 1,
      firstDates: firstDatesWith(state.firstDates, days),
    };
    const outcome = await table.transact([
      {
        put: { ...ratesStateKey, ...next },
        condition: `${ifNotExists} OR ratesVersion = :last`,
        values: { ':last': state.ratesVersion },
      },
      ...changes.map(({ day, stored }) => ({
        put: { ...ratesKey(day.date), ...day },
        ...(stored
          ? { condition: 'rates = :stored', values: { ':stored': stored.rates } }
          : { condition: ifNotExists }),
      })),
      ...others,
    ]);
    return outcome.committed ? next : undefined;
  };

  /** The state. Rates of a time before there was one have none, so it is made of them. */
  const openState = async (): Promise<RatesState | undefined> =>
    (await readState()) ??
    write({ ratesVersion: 0, firstDates: firstDatesWith({}, await list(allDays)) }, []);

  return {
    list,

    /**
     * The rate for an entry of this date, or `undefined` where there is none to be had.
     * @param readVersion reads the version of the rates; with it what was found before may serve
     */
    find: async (
      pair: CurrencyPair,
      { date, today, readVersion }: { date: string; today: string; readVersion?: ReadVersion },
    ): Promise<ExchangeRate | undefined> => {
      if (pair.transaction === pair.reporting) return identityRate(date);
      const range = daysAccepted(date, { today, maximumAgeDays });
      const currencies = currenciesNeeded(pair);
      const day = await (readVersion
        ? cache.findDay(range, currencies, readVersion)
        : findDay(range, currencies));
      return day && rateBetween(pair, day);
    },

    /** Why there is no rate for an entry of this date. */
    explainMissing: async (
      pair: CurrencyPair,
      { date, today }: { date: string; today: string },
    ): Promise<MissingRate> => {
      const range = daysAccepted(date, { today, maximumAgeDays });
      const [state, newest] = await Promise.all([readState(), findDay(range, [])]);
      return explainMissingRate(pair, { date, newest, firstDates: state?.firstDates ?? {} });
    },

    /** The last day up to `to` that has rates at all. */
    findLatest: (to = allDays.to): Promise<DailyRates | undefined> =>
      findDay({ ...allDays, to }, []),

    /**
     * Adds the days that are not there yet, and to those that are the currencies that they lack,
     * oldest first, so that a run that breaks off leaves no gap before the newest day that it
     * added. What is there is never changed, since entries were posted at it; where the given
     * figures differ from it, the date is reported. A day with a rate that jumps is refused.
     */
    record: async (
      days: readonly DailyRates[],
      { acceptJumps = false }: { acceptJumps?: boolean } = {},
    ): Promise<RecordedRates> => {
      const dates = days.map(({ date }) => date).sort();
      const [from = '', to = ''] = [dates[0], dates.at(-1)];
      const counted = { added: 0, completed: 0 };
      if (from === '') return { ...counted, refused: [], differing: [] };
      return retryOnContention(async () => {
        // Before the days: what others write after it makes the writes below fail.
        let state = await openState();
        const stored = await list({ from: addDays(from, -comparableDays), to });
        const { additions, refused, differing } = checkRates(days, { stored, acceptJumps });
        for (let start = 0; state && start < additions.length; start += daysPerWrite) {
          const batch = additions.slice(start, start + daysPerWrite);
          state = await write(state, batch.map(completedDay));
          if (state === undefined) break;
          const completed = batch.filter((it) => it.stored !== undefined).length;
          counted.completed += completed;
          counted.added += batch.length - completed;
        }
        return state && { ...counted, refused, differing };
      });
    },

    /**
     * Puts a rate in the place of one that is stored, and keeps that one in the correction. Entries
     * that were posted have a copy of their rate, so they stay as they are.
     *
     * @returns the rate that was stored; the correction was made if it is another number
     */
    correct: (correction: Omit<RateCorrection, 'rateBefore'>): Promise<CorrectionOutcome> =>
      retryOnContention(async () => {
        const { date, currency, rate } = correction;
        const state = await openState();
        const [day] = await list({ from: date, to: date });
        const rateBefore = day?.rates[currency];
        if (day === undefined || rateBefore === undefined) return { rateBefore: undefined };
        if (state === undefined) return undefined;
        if (new Big(rateBefore).eq(rate)) return { rateBefore, corrected: false };
        const corrected = [...new Set([...(day.corrected ?? []), currency])];
        const rates = { ...day.rates, [currency]: rate };
        const change = { day: { date, rates, corrected }, stored: day };
        const key = rateCorrectionKey({ ...correction, version: state.ratesVersion + 1 });
        const item = { ...key, ...correction, rateBefore };
        const written = await write(state, [change], [{ put: item, condition: ifNotExists }]);
        return written && { rateBefore, corrected: true };
      }),

    /** The corrections of a day, by currency, the oldest first. */
    listCorrections: async (date: string): Promise<RateCorrection[]> => {
      const items = await table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': rateCorrectionsPartition(date) },
      });
      return items.map((item) => RateCorrection.parse(item));
    },
  };
};

const inRange = ({ from, to }: { from: string; to: string }) =>
  sortRange(ratesPartition, { first: from, last: to });

/** An addition with what the day has already. */
const completedDay = ({ day, stored }: Change): Change => ({
  day: { ...stored, ...day, rates: { ...stored?.rates, ...day.rates } },
  stored,
});
