// Exchange rates between any two currencies, from euro reference rates of one day.
// Source of the figures: the European Central Bank, which publishes them for information only.

import Big from 'big.js';
import * as z from 'zod/mini';
import { addDays, earlierOf } from './dates.ts';

/**
 * The rates of one day. `rates` has units of each currency for one euro, as decimal text;
 * `corrected` names the currencies whose rate is no longer the bank's but an operator's.
 */
export type DailyRates = {
  date: string;
  rates: Record<string, string>;
  corrected?: readonly string[] | undefined;
};

/** Where the rate of an entry comes from that was made here; the view says what each means. */
export const RateSource = z.enum([
  'ecb_published',
  'ecb_derived',
  'operator_corrected',
  'same_currency',
]);
export type RateSource = z.infer<typeof RateSource>;

/** A rate as an entry keeps it: `rate` reporting units for one transaction unit, 11 decimals. */
export type ExchangeRate = { rate: string; date: string; source: RateSource };

export type CurrencyPair = { transaction: string; reporting: string };

export const euro = 'EUR';
const rateDecimals = 11;

/**
 * Divides to eleven decimals, rounding the exact quotient half to even.
 *
 * Amounts are converted with the rate as it is shown, not with the quotient, so that an auditor can
 * recompute every figure from the entry alone. The rate shown is exact to at least seven digits
 * (IDR to EUR, the smallest), and to nine or more for most pairs. Revisit when an accountant asks
 * for it.
 */
const RateNumber = Big();
RateNumber.DP = rateDecimals;
RateNumber.RM = Big.roundHalfEven;

/** The currencies whose rates a pair needs: both, less the euro. */
export const currenciesNeeded = ({ transaction, reporting }: CurrencyPair): string[] =>
  [...new Set([transaction, reporting])].filter((currency) => currency !== euro);

/** The rate of a pair in which nothing is exchanged. */
export const identityRate = (date: string): ExchangeRate => ({
  rate: new Big(1).toFixed(rateDecimals),
  date,
  source: 'same_currency',
});

/**
 * The rate of a pair on a day.
 * @throws RangeError where the day lacks one of the currencies
 */
export const rateBetween = (pair: CurrencyPair, day: DailyRates): ExchangeRate => {
  const perEuro = (currency: string): string => {
    const rate = currency === euro ? '1' : day.rates[currency];
    if (rate === undefined) throw new RangeError(`no ${currency} rate on ${day.date}`);
    return rate;
  };
  const rate = new RateNumber(perEuro(pair.reporting)).div(perEuro(pair.transaction));
  const isCorrected = currenciesNeeded(pair).some((it) => day.corrected?.includes(it));
  const ofBank = pair.transaction === euro ? 'ecb_published' : 'ecb_derived';
  return {
    rate: rate.toFixed(rateDecimals),
    date: day.date,
    source: isCorrected ? 'operator_corrected' : ofBank,
  };
};

/**
 * The days whose rates may serve an entry. A date in the future is served by the latest day known
 * today, so age counts back from the earlier of the two.
 *
 * @param maximumAgeDays `undefined` accepts a rate of any age
 */
export const daysAccepted = (
  entryDate: string,
  { today, maximumAgeDays }: { today: string; maximumAgeDays: number | undefined },
): { from: string; to: string } => {
  const to = earlierOf(entryDate, today);
  return { from: maximumAgeDays === undefined ? '0001-01-01' : addDays(to, -maximumAgeDays), to };
};

/** The first date of each currency. */
export type FirstDates = Readonly<Record<string, string>>;

/** The first dates with these days among them. */
export const firstDatesWith = (known: FirstDates, days: readonly DailyRates[]): FirstDates => {
  const firstDates: Record<string, string> = { ...known };
  for (const { date, rates } of days) {
    for (const currency of Object.keys(rates)) {
      const first = firstDates[currency];
      if (first === undefined || date < first) firstDates[currency] = date;
    }
  }
  return firstDates;
};

/** Why a pair has no rate on a date. */
export type MissingRate = {
  /** Those that are at fault; none of them where it is the date. */
  currencies: string[];
  /** The first date that has the rates of both, where there is one. */
  firstDate: string | undefined;
};

/**
 * Why a pair has no rate on a date: a currency never had one, or has none any more; or the date is
 * before the first rate of one of them, or has no rates at all.
 *
 * @param newest the last day that could serve the date, for whatever currencies
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
  const isOfDate = newest === undefined || (firstDate !== undefined && date < firstDate);
  const ended = isOfDate ? [] : needed.filter((currency) => newest.rates[currency] === undefined);
  return { currencies: ended, firstDate };
};
