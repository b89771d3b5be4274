// Exchange rates between any two currencies, derived from the rates that a bank published on one
// day. The banks are the European Central Bank (ECB), which publishes some 30 currencies for
// information only, and the National Bank of Poland (NBP), which publishes some 150.

import Big from 'big.js';
import * as z from 'zod/mini';
import { addDays, earlierOf, firstDate } from '../money/dates.ts';

/** The banks that publish rates, in order of preference. */
export const publishers = ['ecb', 'nbp'] as const;
export type Publisher = (typeof publishers)[number];

/** The currency that each bank's rates are relative to. */
export const baseCurrencies = { ecb: 'EUR', nbp: 'PLN' } as const satisfies Record<
  Publisher,
  string
>;

/**
 * The rates of one day, as decimal text: of the ECB, the units of each currency for one euro; of
 * the NBP, the units of PLN for one unit of each currency.
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
  'nbp_published',
  'nbp_derived',
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

export const euro = baseCurrencies.ecb;
export const rateDecimals = 11;

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

/** The currencies of a pair except the publisher's own, which needs no rate. */
export const currenciesNeeded = (
  { transaction, reporting }: CurrencyPair,
  publisher: Publisher = 'ecb',
): string[] =>
  [...new Set([transaction, reporting])].filter((it) => it !== baseCurrencies[publisher]);

/** The rate between equal currencies. */
export const identityRate = (date: string): ExchangeRate => ({
  rate: formatRate(new Big(1)),
  date,
  source: 'same_currency',
});

/**
 * The rate of a pair on a day, from the rates of one publisher only: the cross rate through its own
 * currency. So the rate between dollars and dirhams, which the NBP publishes on Wednesdays, is the
 * quotient of its rates of that Wednesday, and the rate between euro and dirhams as well. A rate of
 * one bank and day keeps fixed exchange rates as they are, and an auditor can recompute it.
 * @throws RangeError if the day lacks one of the currencies
 */
export const rateBetween = (
  pair: CurrencyPair,
  day: DailyRates,
  publisher: Publisher = 'ecb',
): ExchangeRate => {
  const base = baseCurrencies[publisher];
  const rateOf = (currency: string): string => {
    const rate = currency === base ? '1' : day.rates[currency];
    if (rate === undefined) throw new RangeError(`no ${currency} rate on ${day.date}`);
    return rate;
  };
  const [transaction, reporting] = [rateOf(pair.transaction), rateOf(pair.reporting)];
  const rate =
    publisher === 'ecb'
      ? new RateNumber(reporting).div(transaction)
      : new RateNumber(transaction).div(reporting);
  const isCorrected = currenciesNeeded(pair, publisher).some((it) => day.corrected?.includes(it));
  const isPublished = base === (publisher === 'ecb' ? pair.transaction : pair.reporting);
  return {
    rate: formatRate(rate),
    date: day.date,
    source: isCorrected
      ? 'operator_corrected'
      : (`${publisher}_${isPublished ? 'published' : 'derived'}` as const),
  };
};

/** A weekly table serves entries for a week longer than daily rates do. */
const weeklyTableDays = 7;

/**
 * The maximum age of a publisher's rates. In production, the ECB's serve entries for 7 days and the
 * NBP's for 14. The largest gap between two of its tables B since 2005 was 13 days, and 9 since
 * 2008.
 *
 * @param maximumAgeDays of the ECB's rates; `undefined` accepts any age
 */
export const maximumAgeOf = (
  publisher: Publisher,
  maximumAgeDays: number | undefined,
): number | undefined =>
  maximumAgeDays === undefined || publisher === 'ecb'
    ? maximumAgeDays
    : maximumAgeDays + weeklyTableDays;

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
  return { from: maximumAgeDays === undefined ? firstDate : addDays(to, -maximumAgeDays), to };
};

/** The date of each currency's first rate, of any publisher. */
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
 * @param served the currencies with an acceptable rate for the date; `undefined` if there is no
 *   acceptable day
 */
export const explainMissingRate = (
  pair: CurrencyPair,
  {
    date,
    firstDates,
    served,
  }: { date: string; firstDates: FirstDates; served: ReadonlySet<string> | undefined },
): MissingRate => {
  const needed = currenciesNeeded(pair);
  const without = needed.filter((currency) => firstDates[currency] === undefined);
  if (without.length > 0) return { currencies: without, firstDate: undefined };
  const firstDate = needed
    .map((currency) => firstDates[currency] ?? '')
    .sort()
    .at(-1);
  const isDateAtFault = served === undefined || (firstDate !== undefined && date < firstDate);
  const ended = isDateAtFault ? [] : needed.filter((currency) => !served.has(currency));
  return { currencies: ended, firstDate };
};
