// Adds the new exchange rates of both sources. A failure of one does not stop the other.

import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import { dateOf, daysBetween } from '#shared/money/dates.ts';
import type { RateDependencies } from './download.ts';
import { type EcbFile, refreshEcbRates } from './ecb-rates.ts';
import { nbpAge, refreshNbpRates } from './nbp-rates.ts';

export type Dependencies = RateDependencies & {
  /** The URL of the folder with the European Central Bank's files. */
  sourceUrl: string;
  /** The URL of the National Bank of Poland's API. */
  nbpUrl: string;
  /** The maximum time of a download. `tables` is for each request to the NBP. */
  timeoutSeconds: Record<EcbFile | 'tables', number>;
};

export const createHandler = ({
  sourceUrl,
  nbpUrl,
  timeoutSeconds,
  ...dependencies
}: Dependencies) => {
  const { exchangeRates, log, metrics } = dependencies;

  /**
   * A failure is not one of the run, because the NBP's rates serve fewer entries, for longer. If it
   * lasts, an alarm on their age follows.
   */
  const refreshNbp = async (today: string) => {
    const options = { today, sourceUrl: nbpUrl, timeoutSeconds: timeoutSeconds.tables };
    const [result] = await Promise.allSettled([refreshNbpRates(dependencies, options)]);
    if (result.status === 'rejected') {
      const { message } = result.reason as Error;
      log.error('no rates of the National Bank of Poland', { reason: message });
    }
    const age = await nbpAge(dependencies, today);
    if (age) metrics.nbpRateAge(age.age_days);
    const fields = { ...(result.status === 'fulfilled' && result.value), ...age };
    return Object.fromEntries([
      ['nbp_outcome', result.status === 'fulfilled' ? 'success' : 'failed'],
      ...Object.entries(fields).map(([name, value]) => [`nbp_${name}`, value]),
    ]);
  };

  return createScheduleHandler(
    async ({ scheduledFor }) => {
      const today = dateOf(scheduledFor);
      const [ofEcb] = await Promise.allSettled([
        refreshEcbRates(dependencies, { today, sourceUrl, timeoutSeconds }),
      ]);
      const [ofNbp] = await Promise.allSettled([refreshNbp(today)]);
      // The age matters most when the download fails: it triggers the alarm on stale rates.
      const latest = await exchangeRates.findLatest();
      const state = latest && {
        newest: latest.date,
        age_days: daysBetween({ from: latest.date, to: today }),
      };
      if (state) metrics.rateAge(state.age_days);
      if (ofEcb.status === 'rejected') throw ofEcb.reason;
      if (ofNbp.status === 'rejected') throw ofNbp.reason;
      if (state === undefined) throw new Error('no exchange rates are stored after a run');
      return { ...ofEcb.value, ...state, ...ofNbp.value };
    },
    { log, metrics },
  );
};
