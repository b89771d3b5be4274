// Stores exchange rates by day, with their corrections.

import Big from 'big.js';
import * as z from 'zod/mini';
import { addDays } from '../money/dates.ts';
import { batchesOf } from '../table/batches.ts';
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
import {
  type Action,
  type Item,
  ifNotExists,
  maximumTransactionActions,
  type Table,
} from '../table/table.ts';
import {
  type CheckedRates,
  type CurrencyPair,
  checkRates,
  comparableDays,
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

const StoredRates = z.object({
  date: z.string(),
  rates: z.record(z.string(), z.string()),
  corrected: z.optional(z.array(z.string())),
});

/** The version of all rates, and the date of each currency's first rate. */
export const RatesState = z.object({
  ratesVersion: z.int(),
  firstDates: z.record(z.string(), z.string()),
});
export type RatesState = z.infer<typeof RatesState>;

/** The version of the rates in their state item; 0 before the first rates. */
export const ratesVersionOf = (item: Item | undefined): number =>
  item ? RatesState.parse(item).ratesVersion : 0;

/** An operator's correction of a rate. */
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

/** The stored rate before a correction, and whether the correction changed it. */
export type CorrectionOutcome =
  | { rateBefore: undefined }
  | { rateBefore: string; corrected: boolean };

/** The number of new days, and of stored days with new currencies. */
export type RecordedRates = Pick<CheckedRates, 'refused' | 'differing'> & {
  added: number;
  completed: number;
};

/** A day and its stored rates. */
type Change = CheckedRates['additions'][number];

/** One action of each transaction is for the state. */
const maximumDaysPerWrite = maximumTransactionActions - 1;

const allDays = { from: '0001-01-01', to: '9999-12-31' };

export type ExchangeRates = ReturnType<typeof openExchangeRates>;

/**
 * @param options.maximumAgeDays the maximum age of a rate at the date of an entry; `undefined`
 *   accepts any age
 * @param options.clock the wall clock: the cache also ages while the process is frozen
 */
export const openExchangeRates = (
  table: Table,
  {
    maximumAgeDays,
    clock = () => new Date(),
  }: { maximumAgeDays: number | undefined; clock?: () => Date },
) => {
  /** The last day of a range with rates for all these currencies. */
  const findDay = async (
    range: { from: string; to: string },
    currencies: string[],
  ): Promise<DailyRates | undefined> => {
    const newestFirst = { ...inRange(range), ScanIndexForward: false };
    // The newest day nearly always has all currencies. Only an ended currency needs a search.
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
   * Writes days and further actions, if the state has not changed. The state is the optimistic lock
   * of all rates. Returns the new state, or `undefined` if the state or a day has changed. Days
   * have their own condition, because a reader can see the new state of another transaction before
   * its new days.
   */
  const write = async (
    state: RatesState,
    changes: readonly Change[],
    furtherActions: readonly Action[] = [],
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
      ...furtherActions,
    ]);
    return outcome.committed ? next : undefined;
  };

  /** The state. If it is missing, derives it from the stored rates. */
  const openState = async (): Promise<RatesState | undefined> =>
    (await readState()) ??
    write({ ratesVersion: 0, firstDates: firstDatesWith({}, await list(allDays)) }, []);

  return {
    list,

    /**
     * The rate for an entry of this date; `undefined` if there is none.
     * @param options.readVersion reads the version of the rates. The cache requires it.
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

    /** Explains why there is no rate for an entry of this date. */
    explainMissing: async (
      pair: CurrencyPair,
      { date, today }: { date: string; today: string },
    ): Promise<MissingRate> => {
      const range = daysAccepted(date, { today, maximumAgeDays });
      const [state, newest] = await Promise.all([readState(), findDay(range, [])]);
      return explainMissingRate(pair, { date, newest, firstDates: state?.firstDates ?? {} });
    },

    /** The last day with rates, up to `to`. */
    findLatest: (to = allDays.to): Promise<DailyRates | undefined> =>
      findDay({ ...allDays, to }, []),

    /**
     * Adds new days, and missing currencies of stored days. Adds the oldest first, so an
     * interrupted run leaves no gap before the newest added day. Stored rates never change, because
     * entries were posted at them. Returns the dates with different rates, and the refused rates
     * that jump.
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
        // Read before the days: if another process writes days after this, the writes below fail.
        let state = await openState();
        const stored = await list({ from: addDays(from, -comparableDays), to });
        const { additions, refused, differing } = checkRates(days, { stored, acceptJumps });
        for (const batch of batchesOf(additions, maximumDaysPerWrite)) {
          state = state && (await write(state, batch.map(completedDay)));
          if (state === undefined) return undefined;
          const completed = batch.filter((it) => it.stored !== undefined).length;
          counted.completed += completed;
          counted.added += batch.length - completed;
        }
        return state && { ...counted, refused, differing };
      });
    },

    /**
     * Replaces a stored rate, and keeps the old rate in the correction. Posted entries do not
     * change, because each has a copy of its rate. Nothing changes if the rates are equal numbers.
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

    /** The corrections of a day, ordered by currency and then by time. */
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

/** An addition merged with the stored rates of its day. */
const completedDay = ({ day, stored }: Change): Change => ({
  day: { ...stored, ...day, rates: { ...stored?.rates, ...day.rates } },
  stored,
});
