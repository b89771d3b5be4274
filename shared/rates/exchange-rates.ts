// Exchange rates between any two currencies, derived from the euro reference rates of one day.
// Source: the European Central Bank, which publishes them for information only.

import Big from 'big.js';
import * as z from 'zod/mini';
import { addDays, earlierOf } from '../money/dates.ts';

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
]);
export type RateSource = z.infer<typeof RateSource>;

/** `rate` is the units of the reporting currency for one transaction unit, with 11 decimals. */
export type ExchangeRate = { rate: string; date: string; source: RateSource };

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

/** The currencies of a pair except the euro, which needs no rate. */
export const currenciesNeeded = ({ transaction, reporting }: CurrencyPair): string[] =>
  [...new Set([transaction, reporting])].filter((currency) => currency !== euro);

/** The rate between equal currencies. */
export const identityRate = (date: string): ExchangeRate => ({
  rate: new Big(1).toFixed(rateDecimals),
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
    rate: rate.toFixed(rateDecimals),
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
