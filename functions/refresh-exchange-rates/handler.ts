// Adds the European Central Bank's new reference rates, however many runs were missed.

import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { addDays, dateOf, daysBetween } from '#shared/money/dates.ts';
import { parseRatesXml, refuseFutureDays } from '#shared/rates/ecb-files.ts';
import type { ExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { DailyRates } from '#shared/rates/exchange-rates.ts';

export type Dependencies = {
  exchangeRates: Pick<ExchangeRates, 'findLatest' | 'list' | 'record'>;
  /** The address of the folder that has the files. */
  sourceUrl: string;
  /** How long a file may take to arrive, whole. */
  timeoutSeconds: Record<RatesFile, number>;
  log: Log;
  metrics: Metrics;
};

/** All days are a hundred times the size of the recent ones, and are only asked for if needed. */
const fileNames = { recentDays: 'eurofxref-hist-90d.xml', allDays: 'eurofxref-hist.xml' };
type RatesFile = keyof typeof fileNames;

/** A file of another unit would have thousands of rates that jump. */
const maximumLogged = 20;

export const createHandler = (dependencies: Dependencies) => {
  const { exchangeRates, sourceUrl, timeoutSeconds, log, metrics } = dependencies;

  const getDays = async (file: RatesFile, today: string): Promise<DailyRates[]> => {
    const url = new URL(fileNames[file], sourceUrl.replace(/\/?$/, '/')).href;
    try {
      const signal = AbortSignal.timeout(timeoutSeconds[file] * 1_000);
      const response = await fetch(url, { signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const days = parseRatesXml(await response.text());
      // A run can be late by hours, so that a file of the next day is in order.
      refuseFutureDays(days, addDays(today, 1));
      return days;
    } catch (error) {
      throw new Error(`no exchange rates from ${url}: ${reasonOf(error)}`, { cause: error });
    }
  };

  /**
   * Whether the days follow on those that are stored. Days are stored oldest first, so where the
   * oldest of these is stored there is no gap before it, even if an earlier run broke off.
   */
  const followOn = async ([oldest]: readonly DailyRates[]): Promise<boolean> => {
    if (oldest === undefined) return false;
    const stored = await exchangeRates.list({ from: oldest.date, to: oldest.date });
    return stored.length > 0;
  };

  const refresh = async (today: string) => {
    const recent = await getDays('recentDays', today);
    const days = (await followOn(recent)) ? recent : await getDays('allDays', today);
    const { refused, ...recorded } = await exchangeRates.record(days);
    // Every run finds them again for as long as the day is in the file: it is no fault of the run.
    if (recorded.differing.length > 0) {
      log.warn('the stored rates differ from those of the source, and stay', {
        dates: recorded.differing,
      });
    }
    for (const { date, currency, rate, dateBefore, rateBefore } of refused.slice(
      0,
      maximumLogged,
    )) {
      const before = { date_before: dateBefore, rate_before: rateBefore };
      log.warn('a day is refused, since a rate jumps', { date, currency, rate, ...before });
    }
    const refusedDates = [...new Set(refused.map(({ date }) => date))];
    metrics.rateDaysRefused(refusedDates.length);
    return { ...recorded, refused: refusedDates };
  };

  return createScheduleHandler(
    async ({ scheduledFor }) => {
      const today = dateOf(scheduledFor);
      const [refreshed] = await Promise.allSettled([refresh(today)]);
      // A feed that fails is when the age counts most: the alarm on stale rates hears of it alone.
      const latest = await exchangeRates.findLatest();
      const state = latest && {
        newest: latest.date,
        age_days: daysBetween({ from: latest.date, to: today }),
      };
      if (state) metrics.rateAge(state.age_days);
      if (refreshed.status === 'rejected') throw refreshed.reason;
      if (state === undefined) throw new Error('no exchange rates are stored after a run');
      return { ...refreshed.value, ...state };
    },
    { log, metrics },
  );
};

/** The messages of an error and of its causes: fetch says why it failed in the cause only. */
const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.cause ? reasonOf(error.cause) : ''].filter(Boolean).join(': ')
    : String(error);
