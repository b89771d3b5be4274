// Caches days of rates until a rate changes.

import { isWithin } from '../money/dates.ts';
import type { DailyRates, Publisher } from './exchange-rates.ts';

/** Returns the version of the rates. Repeated calls share one read. */
export type ReadVersion = () => Promise<number>;

type Range = { from: string; to: string };
type FindDay = (
  range: Range,
  currencies: string[],
  publisher: Publisher,
) => Promise<DailyRates | undefined>;

/**
 * A day expires even if the version stays the same. The items of a transaction become visible one
 * by one, so the cache can get the old day with the new version.
 */
const cacheTtlMilliseconds = 5 * 60_000;
const maximumCacheEntries = 1_000;

/**
 * A cache of the last days with certain currencies, also of their absence. A day is valid for the
 * version that was read before it, so the next request uses a new rate. A caller reads the version
 * in the same call as its other items, and the day at the same time. Only the first request of a
 * process, and the first for each day after a change, need another call in sequence.
 */
export const openRateCache = ({ findDay, clock }: { findDay: FindDay; clock: () => Date }) => {
  type Cached = { day: DailyRates | undefined; version: number; since: number };
  const cache = new Map<string, Cached>();
  let lastVersion: number | undefined;

  return {
    findDay: async (
      range: Range,
      currencies: string[],
      { publisher, readVersion }: { publisher: Publisher; readVersion: ReadVersion },
    ): Promise<DailyRates | undefined> => {
      const cacheKey = [publisher, range.to, ...currencies].join();
      const now = clock().getTime();
      const entry = cache.get(cacheKey);
      const isValid = entry && isWithin(cacheTtlMilliseconds, { since: entry.since, now });
      const cached = isValid ? entry : undefined;
      const before = cached || lastVersion === undefined ? await readVersion() : lastVersion;
      if (cached?.version === before) return cached.day;
      const [day, version] = await Promise.all([
        findDay(range, currencies, publisher),
        readVersion(),
      ]);
      lastVersion = version;
      if (version === before) {
        if (cache.size >= maximumCacheEntries) cache.clear();
        cache.set(cacheKey, { day, version, since: now });
      }
      return day;
    },
  };
};
