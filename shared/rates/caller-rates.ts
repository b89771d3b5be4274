// An exchange rate of the caller's own, and its comparison with the rate that the service knows.

import Big from 'big.js';
import { type Problem, problem } from '../errors.ts';
import { type CurrencyPair, type ExchangeRate, formatRate } from './exchange-rates.ts';

/** Up to 12 digits before the point and 11 decimals. */
export const callerRatePattern = /^\d{1,12}(?:\.\d{1,11})?$/;

/** Whether the text is a rate that a caller can send: positive, with at most eleven decimals. */
export const isCallerRate = (text: string): boolean =>
  callerRatePattern.test(text) && new Big(text).gt(0);

/**
 * The caller's rate may differ from the known rate by this factor, up or down. A larger difference
 * is probably a mistake, such as a rate of the opposite direction.
 */
const acceptedFactor = 2;

const pointer = '/exchange_rate';

/**
 * The caller's rate as the rate of an entry.
 * @param known the rate that the entry would have otherwise; `undefined` if there is none
 */
export const callerRateOf = (
  rate: string,
  { date, known }: { date: string; known: ExchangeRate | undefined },
): ExchangeRate => ({
  rate: formatRate(new Big(rate)),
  date,
  source: 'caller',
  known: known?.rate ?? null,
});

/** Refuses a rate other than 1 between equal currencies, and a rate far from the known rate. */
export const callerRateProblems = (
  rate: string,
  { transaction, reporting }: CurrencyPair,
  { known, isAccepted }: { known: ExchangeRate | undefined; isAccepted: boolean },
): Problem[] => {
  const own = new Big(rate);
  if (transaction === reporting) {
    return own.eq(1) ? [] : [problem('exchange_rate_not_one', pointer, { currency: reporting })];
  }
  if (known === undefined || isAccepted) return [];
  const isClose =
    own.lte(new Big(known.rate).times(acceptedFactor)) && own.times(acceptedFactor).gte(known.rate);
  if (isClose) return [];
  return [
    problem('exchange_rate_differs', pointer, {
      exchange_rate: formatRate(own),
      known_exchange_rate: known.rate,
      known_exchange_rate_date: known.date,
      known_exchange_rate_source: known.source,
    }),
  ];
};
