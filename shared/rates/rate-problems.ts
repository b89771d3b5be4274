// The problems of a request that needs an exchange rate. `pointers` name the request's fields.

import { type Problem, problem } from '../errors.ts';
import { lastDayOf } from '../money/amounts.ts';
import type { CurrencyPair, MissingRate } from './exchange-rates.ts';

type RatePointers = { transaction: string; reporting: string; date: string };

/** Finds currencies that were withdrawn before the date. Skips parts that could not be read. */
export const withdrawnProblems = (
  date: string | undefined,
  currencies: readonly { pointer: string; currency: string | undefined }[],
): Problem[] =>
  currencies.flatMap(({ pointer, currency }) => {
    const lastDay = currency === undefined ? undefined : lastDayOf(currency);
    if (currency === undefined || lastDay === undefined || date === undefined) return [];
    if (date <= lastDay) return [];
    return [problem('currency_not_in_use', pointer, { currency, last_day: lastDay, date })];
  });

/** Refuses a conversion on a date after today: its rate is not known yet. */
export const problemsAfterToday = (
  pairs: readonly (CurrencyPair & { date: string })[],
  { today, pointers }: { today: string; pointers: Pick<RatePointers, 'date'> },
): Problem[] => {
  const pair = pairs.find((it) => it.transaction !== it.reporting && it.date > today);
  return pair ? [problem('no_rate_after_today', pointers.date, { date: pair.date, today })] : [];
};

/**
 * The problems of a pair without a rate on a date. They point at the currencies that have no rate,
 * or at the date if both have rates on other dates.
 * @param options.isBook whether the second currency is the tenant's, which no field names
 */
export const missingRateProblems = (
  { transaction, reporting, date }: CurrencyPair & { date: string },
  { currencies, firstDate }: MissingRate,
  { pointers, isBook = false }: { pointers: RatePointers; isBook?: boolean },
): Problem[] => {
  // Without rates for the book currency, the tenant can only keep entries in that currency.
  const lacksReporting = currencies.includes(reporting);
  const lacksTransaction = currencies.includes(transaction) || (isBook && lacksReporting);
  const currencyPointers = [
    ...(lacksTransaction ? [pointers.transaction] : []),
    ...(lacksReporting && !isBook ? [pointers.reporting] : []),
  ];
  return (currencies.length > 0 ? currencyPointers : [pointers.date]).map((pointer) =>
    problem('exchange_rate_unavailable', pointer, {
      transaction,
      [isBook ? 'book' : 'reporting']: reporting,
      date,
      ...(firstDate !== undefined && { first_date: firstDate }),
    }),
  );
};
