// Adds the European Central Bank's new reference rates, even after missed runs.

import { addDays } from '#shared/money/dates.ts';
import { parseRatesXml, refuseFutureDays } from '#shared/rates/ecb-files.ts';
import type { DailyRates } from '#shared/rates/exchange-rates.ts';
import { download, type RateDependencies, reportOf } from './download.ts';

/** The file of all days is a hundred times larger, so it is downloaded only if needed. */
const fileNames = { recentDays: 'eurofxref-hist-90d.xml', allDays: 'eurofxref-hist.xml' };
export type EcbFile = keyof typeof fileNames;

/** `sourceUrl` is the folder of the files, `timeoutSeconds` the maximum time to download each. */
type EcbOptions = { sourceUrl: string; timeoutSeconds: Record<EcbFile, number> };

export const refreshEcbRates = async (
  { exchangeRates, ...telemetry }: RateDependencies,
  { today, sourceUrl, timeoutSeconds }: EcbOptions & { today: string },
) => {
  const getDays = (file: EcbFile): Promise<DailyRates[]> => {
    const options = { sourceUrl, timeoutSeconds: timeoutSeconds[file] };
    return download(fileNames[file], options, (text) => {
      if (text === undefined) throw new Error('status 404');
      const days = parseRatesXml(text);
      // A run can be hours late, so the file may have the next day.
      refuseFutureDays(days, addDays(today, 1));
      return days;
    });
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

  const recent = await getDays('recentDays');
  const days = (await followOn(recent)) ? recent : await getDays('allDays');
  return reportOf([await exchangeRates.record(days)], telemetry);
};
