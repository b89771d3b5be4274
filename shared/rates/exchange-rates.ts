// Exchange rates between any two currencies, derived from the euro reference rates of one day.
// Source: the European Central Bank, which publishes them for information only. Also checks new
// rates against earlier rates: a rate that jumps is probably a mistake, and entries would be posted
// at it.

import Big from 'big.js';
import * as z from 'zod/mini';
import { addDays, daysBetween, earlierOf } from '../money/dates.ts';

/**
 * The rates of one day. `rates` has the units of each currency for one euro, as decimal text.
 * `corrected` has the currencies with a rate that an operator replaced.
 */
export type DailyRates = {
  date: string;
  rates: Record<string, string>;
  corrected?: readonly string[] | undefined;
};

/** The source of an entry's rate. journal-entry.view.ts explains the values. */
export const RateSource = z.enum([
  'ecb_published',
  'ecb_derived',
  'operator_corrected',
  'same_currency',
  'caller',
]);
export type RateSource = z.infer<typeof RateSource>;

/** `rate` is the units of the reporting currency for one transaction unit, with 11 decimals. */
export type ExchangeRate = {
  rate: string;
  date: string;
  source: RateSource;
  /** Only with the source `caller`: the rate that the service knows, null if it knows none. */
  known?: string | null;
};

export type CurrencyPair = { transaction: string; reporting: string };

export const euro = 'EUR';
const rateDecimals = 11;

/**
 * Divides to eleven decimals, rounding the exact quotient half to even.
 *
 * Amounts are converted with this rounded rate, not with the exact quotient, so that an auditor can
 * recompute every figure from the entry alone. The rounded rate has at least seven significant
 * digits (IDR to EUR, the smallest), and nine or more for most pairs. Revisit when an accountant
 * asks for more.
 */
const RateNumber = Big();
RateNumber.DP = rateDecimals;
RateNumber.RM = Big.roundHalfEven;

/** A rate with eleven decimals. */
export const formatRate = (rate: Big): string => rate.toFixed(rateDecimals);

/** The currencies of a pair except the euro, which needs no rate. */
export const currenciesNeeded = ({ transaction, reporting }: CurrencyPair): string[] =>
  [...new Set([transaction, reporting])].filter((currency) => currency !== euro);

/** The rate between equal currencies. */
export const identityRate = (date: string): ExchangeRate => ({
  rate: formatRate(new Big(1)),
  date,
  source: 'same_currency',
});

/**
 * The rate of a pair on a day.
 * @throws RangeError if the day lacks one of the currencies
 */
export const rateBetween = (pair: CurrencyPair, day: DailyRates): ExchangeRate => {
  const perEuro = (currency: string): string => {
    const rate = currency === euro ? '1' : day.rates[currency];
    if (rate === undefined) throw new RangeError(`no ${currency} rate on ${day.date}`);
    return rate;
  };
  const rate = new RateNumber(perEuro(pair.reporting)).div(perEuro(pair.transaction));
  const isCorrected = currenciesNeeded(pair).some((it) => day.corrected?.includes(it));
  const uncorrected = pair.transaction === euro ? 'ecb_published' : 'ecb_derived';
  return {
    rate: formatRate(rate),
    date: day.date,
    source: isCorrected ? 'operator_corrected' : uncorrected,
  };
};

/**
 * The range of days with acceptable rates for an entry. The age of a rate counts back from the
 * entry date, or from today if the entry date is in the future.
 *
 * @param maximumAgeDays `undefined` accepts any age
 */
export const daysAccepted = (
  entryDate: string,
  { today, maximumAgeDays }: { today: string; maximumAgeDays: number | undefined },
): { from: string; to: string } => {
  const to = earlierOf(entryDate, today);
  return { from: maximumAgeDays === undefined ? '0001-01-01' : addDays(to, -maximumAgeDays), to };
};

/** The date of each currency's first rate. */
export type FirstDates = Readonly<Record<string, string>>;

/** Merges new days into the first dates. */
export const firstDatesWith = (before: FirstDates, days: readonly DailyRates[]): FirstDates => {
  const firstDates: Record<string, string> = { ...before };
  for (const { date, rates } of days) {
    for (const currency of Object.keys(rates)) {
      const first = firstDates[currency];
      if (first === undefined || date < first) firstDates[currency] = date;
    }
  }
  return firstDates;
};

export type MissingRate = {
  /** The currencies without a rate. Empty if only the date is at fault. */
  currencies: string[];
  /** The first date with rates for both currencies, if there is one. */
  firstDate: string | undefined;
};

/**
 * Explains why a pair has no rate on a date. Either a currency never had a rate or its rates have
 * ended, or the date is before the first rate, or there are no rates at all.
 *
 * @param newest the last acceptable day for the date, with any currencies
 */
export const explainMissingRate = (
  pair: CurrencyPair,
  {
    date,
    firstDates,
    newest,
  }: { date: string; firstDates: FirstDates; newest: DailyRates | undefined },
): MissingRate => {
  const needed = currenciesNeeded(pair);
  const without = needed.filter((currency) => firstDates[currency] === undefined);
  if (without.length > 0) return { currencies: without, firstDate: undefined };
  const firstDate = needed
    .map((currency) => firstDates[currency] ?? '')
    .sort()
    .at(-1);
  const isDateAtFault = newest === undefined || (firstDate !== undefined && date < firstDate);
  const ended = isDateAtFault
    ? []
    : needed.filter((currency) => newest.rates[currency] === undefined);
  return { currencies: ended, firstDate };
};

/**
 * A rate jumps if it changes by this factor, up or down. From 4 January 1999 to 13 April 2026, no
 * rate of the European Central Bank jumped. The largest changes from one day to the next were 1.68
 * (lira, 22 February 2001), 1.49 (króna, 6 November 2008) and 1.36 (lira, 21 December 2021); the
 * largest within a week was 1.95 (króna, October 2008). A misplaced decimal point makes 10. Revisit
 * when the bank publishes a larger change.
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
  /** A day with a jump is refused as a whole. */
  refused: RateJump[];
  /** Stored days with a different rate for the same currency. */
  differing: string[];
};

/**
 * Checks days in date order. Each rate is compared with the currency's last good rate, which is
 * stored or was accepted by this check.
 *
 * @param stored the stored days of the same range and of the `comparableDays` before it
 */
export const checkRates = (
  newDays: readonly DailyRates[],
  { stored, acceptJumps }: { stored: readonly DailyRates[]; acceptJumps: boolean },
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
    const addition = { date, rates: Object.fromEntries(missing) };
    const jumps = acceptJumps ? [] : jumpsOf(addition, lastGood);
    checked.refused.push(...jumps);
    if (before) setLastGood(before);
    if (jumps.length > 0 || missing.length === 0) continue;
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
