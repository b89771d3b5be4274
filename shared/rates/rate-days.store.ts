// Stores the days of rates of each publisher, and the version of all rates.

import * as z from 'zod/mini';
import { firstDate, lastDate } from '../money/dates.ts';
import { keyText, ratesKey, ratesPartitions, ratesStateKey } from '../table/keys.ts';
import { sortRange } from '../table/sort-ranges.ts';
import {
  type Action,
  type Item,
  ifNotExists,
  maximumTransactionActions,
  type Table,
} from '../table/table.ts';
import { type DailyRates, firstDatesWith, type Publisher, publishers } from './exchange-rates.ts';
import type { CheckedRates } from './rate-jumps.ts';

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

/** A day and its stored rates. */
export type Change = CheckedRates['additions'][number];

/** One action of each transaction is for the state. */
export const maximumDaysPerWrite = maximumTransactionActions - 1;

/** Every date. */
export const allDays = { from: firstDate, to: lastDate };

const inRange = ({ from, to }: { from: string; to: string }, publisher: Publisher) =>
  sortRange(ratesPartitions[publisher], { first: from, last: to });

export const openRateDays = (table: Table) => {
  /** The last day of a range with rates for all these currencies. */
  const findDay = async (
    range: { from: string; to: string },
    currencies: string[],
    publisher: Publisher,
  ): Promise<DailyRates | undefined> => {
    const newestFirst = { ...inRange(range, publisher), ScanIndexForward: false };
    // The newest day nearly always has all currencies. An ended currency and a weekly one need a
    // search.
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

  /** The stored days of a range, oldest first. */
  const list = async (
    range: { from: string; to: string },
    publisher: Publisher = 'ecb',
  ): Promise<DailyRates[]> =>
    (await table.query(inRange(range, publisher))).map((item) => StoredRates.parse(item));

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
    { changes, publisher }: { changes: readonly Change[]; publisher: Publisher },
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
        put: { ...ratesKey(day.date, publisher), ...day },
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
    write(
      {
        ratesVersion: 0,
        firstDates: firstDatesWith(
          {},
          (await Promise.all(publishers.map((it) => list(allDays, it)))).flat(),
        ),
      },
      { changes: [], publisher: 'ecb' },
    );

  return {
    findDay,
    list,
    readState,
    openState,
    write,

    /** The date of a publisher's first day with rates. */
    findFirstDate: async (publisher: Publisher): Promise<string | undefined> => {
      const { items } = await table.queryPage({ ...inRange(allDays, publisher), Limit: 1 });
      return items[0] && StoredRates.parse(items[0]).date;
    },
  };
};
