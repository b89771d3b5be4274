// Adds the European Central Bank's new reference rates, even after missed runs.

import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import { addDays, dateOf, daysBetween } from '#shared/money/dates.ts';
import { parseRatesXml, refuseFutureDays } from '#shared/rates/ecb-files.ts';
import type { ExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import type { DailyRates } from '#shared/rates/exchange-rates.ts';
import type { Telemetry } from '#shared/telemetry.ts';

export type Dependencies = Telemetry & {
  exchangeRates: Pick<ExchangeRates, 'findLatest' | 'list' | 'record'>;
  /** The URL of the folder with the files. */
  sourceUrl: string;
  /** The maximum time to download a file. */
  timeoutSeconds: Record<RatesFile, number>;
};

/** The file of all days is a hundred times larger, so it is downloaded only if needed. */
const fileNames = { recentDays: 'eurofxref-hist-90d.xml', allDays: 'eurofxref-hist.xml' };
type RatesFile = keyof typeof fileNames;

/** The maximum number of warnings. A file in another unit would cause thousands. */
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
      // A run can be hours late, so the file may have the next day.
      refuseFutureDays(days, addDays(today, 1));
      return days;
    } catch (error) {
      throw new Error(`no exchange rates from ${url}: ${reasonOf(error)}`, { cause: error });
    }
  };

  /**
   * Whether these days follow the stored days without a gap. Days are stored oldest first. So if
   * the oldest of these is stored, all days before it are stored, even if an earlier run failed.
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
    // A warning only: every run reports these days until they leave the file.
    if (recorded.differing.length > 0) {
      log.warn('stored rates differ from the source and stay unchanged', {
        dates: recorded.differing,
      });
    }
    for (const { date, currency, rate, dateBefore, rateBefore } of refused.slice(
      0,
      maximumLogged,
    )) {
      const before = { date_before: dateBefore, rate_before: rateBefore };
      log.warn('a day is refused because a rate jumps', { date, currency, rate, ...before });
    }
    const refusedDates = [...new Set(refused.map(({ date }) => date))];
    metrics.rateDaysRefused(refusedDates.length);
    return { ...recorded, refused: refusedDates };
  };

  return createScheduleHandler(
    async ({ scheduledFor }) => {
      const today = dateOf(scheduledFor);
      const [refreshResult] = await Promise.allSettled([refresh(today)]);
      // The age matters most when the download fails: it triggers the alarm on stale rates.
      const latest = await exchangeRates.findLatest();
      const state = latest && {
        newest: latest.date,
        age_days: daysBetween({ from: latest.date, to: today }),
      };
      if (state) metrics.rateAge(state.age_days);
      if (refreshResult.status === 'rejected') throw refreshResult.reason;
      if (state === undefined) throw new Error('no exchange rates are stored after a run');
      return { ...refreshResult.value, ...state };
    },
    { log, metrics },
  );
};

/** The messages of an error and its causes. Errors of fetch have the reason only in the cause. */
const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.cause ? reasonOf(error.cause) : ''].filter(Boolean).join(': ')
    : String(error);
