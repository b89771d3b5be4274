// Judges new exchange rates against those before them: a rate that jumps is more likely a mistake
// than the truth, and entries would be posted at it.

import Big from 'big.js';
import { daysBetween } from './dates.ts';
import type { DailyRates } from './exchange-rates.ts';

/**
 * A rate jumps where it comes to this many times the rate before it, or to such a part of it. In
 * the history of the European Central Bank, from 4 January 1999 to 13 April 2026, no rate does so:
 * the largest step from one of its days to the next is 1.68 (the lira, 22 February 2001), then 1.49
 * (the króna, 6 November 2008) and 1.36 (the lira, 21 December 2021), and the largest within a week
 * is 1.95 (the króna, October 2008). A misplaced decimal point makes 10. Revisit when the bank
 * publishes a larger one.
 */
export const jumpFactor = 2;

/**
 * For how long a currency's last rate says what its next may be. One that the bank did not publish
 * for longer begins anew: the króna came back after nine years at 2.3 times its rate.
 */
export const comparableDays = 366;

/** A rate that jumps, and the last good one before it. */
export type RateJump = {
  date: string;
  currency: string;
  rate: string;
  dateBefore: string;
  rateBefore: string;
};

/** A jump in words, for an operator. */
export const describeJump = ({ date, currency, rate, dateBefore, rateBefore }: RateJump): string =>
  `${date} ${currency} ${rate}, after ${rateBefore} on ${dateBefore}`;

export type CheckedRates = {
  /** What is to be added, oldest first: days, or the currencies that stored days lack. */
  additions: { day: DailyRates; stored: DailyRates | undefined }[];
  /** The jumps for which days were refused, whole. */
  refused: RateJump[];
  /** The stored days that have other figures for the same currencies. */
  differing: string[];
};

/**
 * Judges days in the order of their dates, each currency against its last good rate: one that is
 * stored, or one that was judged good. A currency that leaves the list is no jump.
 *
 * @param stored the days of the same range, and of `comparableDays` before it
 */
export const checkRates = (
  given: readonly DailyRates[],
  { stored, acceptJumps }: { stored: readonly DailyRates[]; acceptJumps: boolean },
): CheckedRates => {
  const judged: CheckedRates = { additions: [], refused: [], differing: [] };
  const lastGood = new Map<string, { date: string; rate: string }>();
  const keep = ({ date, rates }: DailyRates): void => {
    for (const [currency, rate] of Object.entries(rates)) lastGood.set(currency, { date, rate });
  };
  const storedByDate = new Map(stored.map((day) => [day.date, day]));
  const givenByDate = new Map(given.map((day) => [day.date, day]));
  for (const date of [...new Set([...storedByDate.keys(), ...givenByDate.keys()])].sort()) {
    const before = storedByDate.get(date);
    const rates = Object.entries(givenByDate.get(date)?.rates ?? {});
    const isOther = ([currency, rate]: [string, string]): boolean =>
      before?.rates[currency] !== undefined && !new Big(rate).eq(before.rates[currency]);
    if (rates.some(isOther)) judged.differing.push(date);
    const missing = rates.filter(([currency]) => before?.rates[currency] === undefined);
    const addition = { date, rates: Object.fromEntries(missing) };
    const jumps = acceptJumps ? [] : jumpsOf(addition, lastGood);
    judged.refused.push(...jumps);
    if (before) keep(before);
    if (jumps.length > 0 || missing.length === 0) continue;
    judged.additions.push({ day: addition, stored: before });
    keep(addition);
  }
  return judged;
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
