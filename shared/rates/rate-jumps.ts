// Checks new rates against earlier rates. A rate that jumps is probably a mistake, and entries
// would be posted at it.

import Big from 'big.js';
import { daysBetween } from '../money/dates.ts';
import type { DailyRates, Publisher } from './exchange-rates.ts';

/**
 * A rate jumps if it changes by this factor, up or down. From 4 January 1999 to 13 April 2026, no
 * rate of the European Central Bank jumped. The largest changes from one day to the next were 1.68
 * (lira, 22 February 2001), 1.49 (króna, 6 November 2008) and 1.36 (lira, 21 December 2021); the
 * largest within a week was 1.95 (króna, October 2008). A misplaced decimal point makes 10. Revisit
 * when the bank publishes a larger change.
 *
 * Rates of the National Bank of Poland jumped 47 times from 2002 to October 2026, always at a
 * devaluation or redenomination of one or two currencies, such as ARS in December 2023.
 */
export const jumpFactor = 2;

/**
 * A rate is compared only with a rate of the last year. The króna returned after nine years at 2.3
 * times its last rate.
 */
export const comparableDays = 366;

/** A rate that jumps, and the last good rate before it. */
export type RateJump = {
  date: string;
  currency: string;
  rate: string;
  dateBefore: string;
  rateBefore: string;
};

export const describeJump = ({ date, currency, rate, dateBefore, rateBefore }: RateJump): string =>
  `${date} ${currency} ${rate}, after ${rateBefore} on ${dateBefore}`;

export type CheckedRates = {
  /** New days, and missing currencies of stored days; oldest first. */
  additions: { day: DailyRates; stored: DailyRates | undefined }[];
  refused: RateJump[];
  /** Stored days with a different rate for the same currency. */
  differing: string[];
};

/**
 * What is refused for a jump: the whole day, or only the rate. A jump of the ECB's rates is
 * probably an error in the whole file. Of the many currencies of the NBP, one can really jump, and
 * the others are still needed.
 */
const refusedParts: Record<Publisher, 'day' | 'rate'> = { ecb: 'day', nbp: 'rate' };

/**
 * Checks days in date order. Each rate is compared with the currency's last good rate, which is
 * stored or was accepted by this check.
 *
 * @param stored the stored days of the same range and of the `comparableDays` before it
 */
export const checkRates = (
  newDays: readonly DailyRates[],
  {
    stored,
    acceptJumps,
    publisher,
  }: { stored: readonly DailyRates[]; acceptJumps: boolean; publisher: Publisher },
): CheckedRates => {
  const checked: CheckedRates = { additions: [], refused: [], differing: [] };
  const lastGood = new Map<string, { date: string; rate: string }>();
  const setLastGood = ({ date, rates }: DailyRates): void => {
    for (const [currency, rate] of Object.entries(rates)) lastGood.set(currency, { date, rate });
  };
  const storedByDate = new Map(stored.map((day) => [day.date, day]));
  const newByDate = new Map(newDays.map((day) => [day.date, day]));
  for (const date of [...new Set([...storedByDate.keys(), ...newByDate.keys()])].sort()) {
    const before = storedByDate.get(date);
    const rates = Object.entries(newByDate.get(date)?.rates ?? {});
    const differs = ([currency, rate]: [string, string]): boolean =>
      before?.rates[currency] !== undefined && !new Big(rate).eq(before.rates[currency]);
    if (rates.some(differs)) checked.differing.push(date);
    const missing = rates.filter(([currency]) => before?.rates[currency] === undefined);
    const jumps = acceptJumps
      ? []
      : jumpsOf({ date, rates: Object.fromEntries(missing) }, lastGood);
    checked.refused.push(...jumps);
    if (before) setLastGood(before);
    const isRefused = ([currency]: [string, string]): boolean =>
      refusedParts[publisher] === 'day'
        ? jumps.length > 0
        : jumps.some((jump) => jump.currency === currency);
    const accepted = missing.filter((rate) => !isRefused(rate));
    if (accepted.length === 0) continue;
    const addition = { date, rates: Object.fromEntries(accepted) };
    checked.additions.push({ day: addition, stored: before });
    setLastGood(addition);
  }
  return checked;
};

const jumpsOf = (
  { date, rates }: DailyRates,
  lastGood: ReadonlyMap<string, { date: string; rate: string }>,
): RateJump[] =>
  Object.entries(rates).flatMap(([currency, rate]) => {
    const before = lastGood.get(currency);
    if (before === undefined || daysBetween({ from: before.date, to: date }) > comparableDays) {
      return [];
    }
    const [now, then] = [new Big(rate), new Big(before.rate)];
    const isJump = now.gte(then.times(jumpFactor)) || then.gte(now.times(jumpFactor));
    return isJump
      ? [{ date, currency, rate, dateBefore: before.date, rateBefore: before.rate }]
      : [];
  });
