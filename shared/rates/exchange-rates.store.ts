// Stores exchange rates by day, with their corrections.

import Big from 'big.js';
import * as z from 'zod/mini';
import { addDays } from '../money/dates.ts';
import { batchesOf } from '../table/batches.ts';
import { rateCorrectionKey, rateCorrectionsPartition } from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { ifNotExists, type Table } from '../table/table.ts';
import {
  baseCurrencies,
  type CurrencyPair,
  currenciesNeeded,
  type DailyRates,
  daysAccepted,
  type ExchangeRate,
  explainMissingRate,
  identityRate,
  type MissingRate,
  maximumAgeOf,
  type Publisher,
  publishers,
  rateBetween,
} from './exchange-rates.ts';
import { openRateCache, type ReadVersion } from './rate-cache.store.ts';
import { allDays, type Change, maximumDaysPerWrite, openRateDays } from './rate-days.store.ts';
import { type CheckedRates, checkRates, comparableDays } from './rate-jumps.ts';

/** An operator's correction of a rate. */
export const RateCorrection = z.object({
  /** Corrections of earlier versions have none: they are of the ECB's rates. */
  publisher: z.optional(z.enum(publishers)),
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

export type ExchangeRates = ReturnType<typeof openExchangeRates>;

/**
 * @param options.maximumAgeDays the maximum age of an ECB rate at the date of an entry; others have
 *   `maximumAgeOf`; `undefined` accepts any age
 * @param options.clock the wall clock: the cache also ages while the process is frozen
 */
export const openExchangeRates = (
  table: Table,
  {
    maximumAgeDays,
    clock = () => new Date(),
  }: { maximumAgeDays: number | undefined; clock?: () => Date },
) => {
  const { findDay, list, readState, openState, write, findFirstDate } = openRateDays(table);
  const cache = openRateCache({ findDay, clock });

  const rangeFor = (date: string, today: string, publisher: Publisher) =>
    daysAccepted(date, { today, maximumAgeDays: maximumAgeOf(publisher, maximumAgeDays) });

  return {
    list,
    findFirstDate,

    /**
     * The rate for an entry of this date; `undefined` if there is none. The first publisher with
     * rates of both currencies decides.
     * @param options.readVersion reads the version of the rates. The cache requires it.
     */
    find: async (
      pair: CurrencyPair,
      { date, today, readVersion }: { date: string; today: string; readVersion?: ReadVersion },
    ): Promise<ExchangeRate | undefined> => {
      if (pair.transaction === pair.reporting) return identityRate(date);
      for (const publisher of publishers) {
        const range = rangeFor(date, today, publisher);
        const currencies = currenciesNeeded(pair, publisher);
        const day = await (readVersion
          ? cache.findDay(range, currencies, { publisher, readVersion })
          : findDay(range, currencies, publisher));
        if (day) return rateBetween(pair, day, publisher);
      }
      return undefined;
    },

    /** Explains why there is no rate for an entry of this date. */
    explainMissing: async (
      pair: CurrencyPair,
      { date, today }: { date: string; today: string },
    ): Promise<MissingRate> => {
      const isServed = async (currencies: string[]): Promise<boolean> => {
        const days = publishers.map((it) =>
          findDay(rangeFor(date, today, it), currenciesOf(currencies, it), it),
        );
        return (await Promise.all(days)).some((day) => day !== undefined);
      };
      const needed = currenciesNeeded(pair);
      const [state, hasDays, ...areServed] = await Promise.all([
        readState(),
        isServed([]),
        ...needed.map((currency) => isServed([currency])),
      ]);
      return explainMissingRate(pair, {
        date,
        firstDates: state?.firstDates ?? {},
        served: hasDays ? new Set(needed.filter((_, index) => areServed[index])) : undefined,
      });
    },

    /** The last day with rates of these currencies, up to `to`. */
    findLatest: ({
      to = allDays.to,
      publisher = 'ecb',
      currencies = [],
    }: {
      to?: string | undefined;
      publisher?: Publisher;
      currencies?: string[];
    } = {}): Promise<DailyRates | undefined> => findDay({ ...allDays, to }, currencies, publisher),

    /**
     * Adds new days, and missing currencies of stored days. Adds the oldest first, so an
     * interrupted run leaves no gap before the newest added day. Stored rates never change, because
     * entries were posted at them. Returns the dates with different rates, and the refused rates
     * that jump. Up to 99 days are one transaction.
     */
    record: async (
      days: readonly DailyRates[],
      {
        acceptJumps = false,
        publisher = 'ecb',
      }: { acceptJumps?: boolean; publisher?: Publisher } = {},
    ): Promise<RecordedRates> => {
      const dates = days.map(({ date }) => date).sort();
      const [from = '', to = ''] = [dates[0], dates.at(-1)];
      const counted = { added: 0, completed: 0 };
      if (from === '') return { ...counted, refused: [], differing: [] };
      return retryOnContention(async () => {
        // Read before the days: if another process writes days after this, the writes below fail.
        let state = await openState();
        const stored = await list({ from: addDays(from, -comparableDays), to }, publisher);
        const checked = checkRates(days, { stored, acceptJumps, publisher });
        const { additions, refused, differing } = checked;
        for (const batch of batchesOf(additions, maximumDaysPerWrite)) {
          const changes = batch.map(completedDay);
          state = state && (await write(state, { changes, publisher }));
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
        const { date, currency, rate, publisher = 'ecb' } = correction;
        const state = await openState();
        const [day] = await list({ from: date, to: date }, publisher);
        const rateBefore = day?.rates[currency];
        if (day === undefined || rateBefore === undefined) return { rateBefore: undefined };
        if (state === undefined) return undefined;
        if (new Big(rateBefore).eq(rate)) return { rateBefore, corrected: false };
        const corrected = [...new Set([...(day.corrected ?? []), currency])];
        const rates = { ...day.rates, [currency]: rate };
        const change = { day: { date, rates, corrected }, stored: day };
        const key = rateCorrectionKey({ ...correction, version: state.ratesVersion + 1 });
        const item = { ...key, ...correction, rateBefore };
        const changes = { changes: [change], publisher };
        const written = await write(state, changes, [{ put: item, condition: ifNotExists }]);
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

/** The currencies except the publisher's own. */
const currenciesOf = (currencies: readonly string[], publisher: Publisher): string[] =>
  currencies.filter((it) => it !== baseCurrencies[publisher]);

/** An addition merged with the stored rates of its day. */
const completedDay = ({ day, stored }: Change): Change => ({
  day: { ...stored, ...day, rates: { ...stored?.rates, ...day.rates } },
  stored,
});
