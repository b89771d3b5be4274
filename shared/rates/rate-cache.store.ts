// Keeps the days of rates that were found, for as long as no rate has changed.

import { isWithin } from '../elapsed-time.ts';
import type { DailyRates } from './exchange-rates.ts';

/** Reads the version of the rates, or gives the one that is being read already. */
export type ReadVersion = () => Promise<number>;

type Range = { from: string; to: string };
type FindDay = (range: Range, currencies: string[]) => Promise<DailyRates | undefined>;

/**
 * How long a day is kept whatever the version says. The items of a transaction show up one by one,
 * so a day can be read as it was just before, under the version that comes with the change.
 */
const cacheTtlMilliseconds = 5 * 60_000;
const maximumCacheEntries = 1_000;

/**
 * A cache of the last day of a range that has some currencies. A day is kept under a version that
 * was read before the day was, and serves while that is the version still; so a rate that arrives
 * is used by whoever asks next. A caller reads the version together with what it needs anyway; a
 * day that is not here is read meanwhile. One more call in sequence is made only by the first look
 * of a process, and by the first for each day after a rate has changed.
 */
export const openRateCache = ({ findDay, clock }: { findDay: FindDay; clock: () => Date }) => {
  const cache = new Map<string, { day: DailyRates; version: number; since: number }>();
  let lastVersion: number | undefined;

  return {
    findDay: async (
      range: Range,
      currencies: string[],
      readVersion: ReadVersion,
    ): Promise<DailyRates | undefined> => {
      const cacheKey = [range.to, ...currencies].join();
      const now = clock().getTime();
      const found = cache.get(cacheKey);
      const isFresh = found && isWithin(cacheTtlMilliseconds, { since: found.since, now });
      const cached = isFresh ? found : undefined;
      const before = cached || lastVersion === undefined ? await readVersion() : lastVersion;
      if (cached?.version === before) return cached.day;
      const [day, version] = await Promise.all([findDay(range, currencies), readVersion()]);
      lastVersion = version;
      if (day && version === before) {
        if (cache.size >= maximumCacheEntries) cache.clear();
        cache.set(cacheKey, { day, version, since: now });
      }
      return day;
    },
  };
};
