// Adds the new tables of the National Bank of Poland, and some of its history in each run.

import { addDays, daysBetween, earlierOf } from '#shared/money/dates.ts';
import { refuseFutureDays } from '#shared/rates/ecb-files.ts';
import type { DailyRates } from '#shared/rates/exchange-rates.ts';
import { parseNbpTables } from '#shared/rates/nbp-tables.ts';
import { type DownloadOptions, download, type RateDependencies, reportOf } from './download.ts';

/**
 * "a single enquiry cannot cover a period longer than 93 days" (https://api.nbp.pl/en.html). Its
 * working days are one transaction, so the stored days have no gap.
 */
const windowDays = 93;

/** The first day of the bank's API (https://api.nbp.pl/en.html). */
const firstDay = '2002-01-02';

/** Each run reads these days again, so that it adds what an earlier run could not. */
const repeatedDays = 31;

/** The whole history takes 98 windows, so about 50 runs. */
const historyWindows = 2;

/**
 * A currency of table B only, since 2002. Its newest rate has the age of the newest weekly table.
 */
const weeklyCurrency = 'AED';

export const refreshNbpRates = async (
  { exchangeRates, ...telemetry }: RateDependencies,
  { today, ...options }: DownloadOptions & { today: string },
) => {
  const getTables = async (table: 'A' | 'B', { from, to }: { from: string; to: string }) => {
    const path = `exchangerates/tables/${table}/${from}/${to}/?format=json`;
    return download(path, options, (text) => {
      // 404 is the reply for a period without tables.
      const days = text === undefined ? [] : parseNbpTables(text);
      refuseFutureDays(days, addDays(today, 1));
      return days;
    });
  };

  /** The days of both tables. */
  const getDays = async (range: { from: string; to: string }): Promise<DailyRates[]> => {
    const days = new Map<string, DailyRates>();
    const tables = await Promise.all([getTables('B', range), getTables('A', range)]);
    for (const { date, rates } of tables.flat()) {
      days.set(date, { date, rates: { ...days.get(date)?.rates, ...rates } });
    }
    return [...days.values()];
  };

  const newest = (await exchangeRates.findLatest({ to: today, publisher: 'nbp' }))?.date;
  const start = newest ? addDays(newest, -repeatedDays) : addDays(today, 1 - windowDays);
  const reports = [];
  for (let from = start; from <= today; from = addDays(from, windowDays)) {
    const days = await getDays({ from, to: earlierOf(addDays(from, windowDays - 1), today) });
    reports.push(await exchangeRates.record(days, { publisher: 'nbp' }));
  }
  for (let windows = 0; windows < historyWindows; windows += 1) {
    const oldest = await exchangeRates.findFirstDate('nbp');
    if (oldest === undefined || oldest <= firstDay) break;
    const to = addDays(oldest, -1);
    const from = addDays(oldest, -windowDays);
    const days = await getDays({ from: from < firstDay ? firstDay : from, to });
    if (days.length === 0) break;
    // Rates of the past were corrected by the bank if they were wrong, and their jumps are known.
    reports.push(await exchangeRates.record(days, { publisher: 'nbp', acceptJumps: true }));
  }
  return reportOf(reports, telemetry);
};

/** The newest day with the weekly table, and its age. */
export const nbpAge = async (
  { exchangeRates }: Pick<RateDependencies, 'exchangeRates'>,
  today: string,
) => {
  const currencies = [weeklyCurrency];
  const latest = await exchangeRates.findLatest({ publisher: 'nbp', currencies });
  return latest && { newest: latest.date, age_days: daysBetween({ from: latest.date, to: today }) };
};
