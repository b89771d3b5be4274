// Finds the exchange rates of drafts: to the reporting currency and to the tenant's book currency.

import Big from 'big.js';
import type { Problem } from '../../errors.ts';
import { callerRateOf, callerRateProblems } from '../../rates/caller-rates.ts';
import type { ExchangeRates } from '../../rates/exchange-rates.store.ts';
import type { CurrencyPair, ExchangeRate } from '../../rates/exchange-rates.ts';
import {
  missingRateProblems,
  problemsAfterToday,
  withdrawnProblems,
} from '../../rates/rate-problems.ts';
import { isScheduled } from '../make-entry.ts';
import { convertedProblems, type PartialDraft } from './draft.ts';

/**
 * A currency pair on a date, and its rate if there is one. `known` is the service's rate, `rate`
 * the caller's if the draft has one.
 */
type RateOnDate = CurrencyPair & {
  date: string;
  rate: ExchangeRate | undefined;
  known: ExchangeRate | undefined;
};

/** The rates of a draft, to its reporting currency and to the book currency. */
export type DraftRates = { reporting: RateOnDate | undefined; book: RateOnDate | undefined };

const pointers = {
  transaction: '/transactionCurrency',
  reporting: '/reportingCurrency',
  date: '/date',
};

export const openDraftRates = (exchangeRates: Pick<ExchangeRates, 'find' | 'explainMissing'>) => {
  const problemsOfRate = async (
    rateOnDate: RateOnDate | undefined,
    { today, isBook = false }: { today: string; isBook?: boolean },
  ): Promise<Problem[]> => {
    if (rateOnDate === undefined || rateOnDate.rate !== undefined) return [];
    const missing = await exchangeRates.explainMissing(rateOnDate, {
      date: rateOnDate.date,
      today,
    });
    return missingRateProblems(rateOnDate, missing, { pointers, isBook });
  };

  return {
    /**
     * Finds the rates of a request's drafts, each pair and date once. It runs while the posting
     * context is read: `readVersion` and `readBookCurrency` wait for that read.
     */
    find: async (
      drafts: readonly PartialDraft[],
      {
        today,
        readVersion,
        readBookCurrency,
      }: {
        today: string;
        readVersion: (() => Promise<number>) | undefined;
        readBookCurrency: () => Promise<string | undefined>;
      },
    ): Promise<DraftRates[]> => {
      const searches = new Map<string, Promise<RateOnDate>>();
      const findOnce = (pair: CurrencyPair, date: string): Promise<RateOnDate> => {
        const key = `${pair.transaction} ${pair.reporting} ${date}`;
        const search =
          searches.get(key) ??
          exchangeRates
            .find(pair, { date, today, ...(readVersion && { readVersion }) })
            .then((rate) => ({ ...pair, date, rate, known: rate }));
        searches.set(key, search);
        return search;
      };
      const reportingRates = Promise.all(
        drafts.map(async ({ transactionCurrency, reportingCurrency, date, exchangeRate }) => {
          if (!transactionCurrency || !reportingCurrency || !date) return undefined;
          const pair = { transaction: transactionCurrency, reporting: reportingCurrency };
          const found = await findOnce(pair, date);
          if (!exchangeRate || transactionCurrency === reportingCurrency) return found;
          return { ...found, rate: callerRateOf(exchangeRate, found) };
        }),
      );
      const [reporting, bookCurrency] = await Promise.all([reportingRates, readBookCurrency()]);
      // The book currency is nearly always the reporting currency; then nothing more is read, and
      // the caller's rate is also the rate of the books. Otherwise the books have the service's.
      const book = await Promise.all(
        drafts.map(({ transactionCurrency, reportingCurrency, date }, index) => {
          if (bookCurrency === reportingCurrency) return reporting[index];
          return bookCurrency && transactionCurrency && date
            ? findOnce({ transaction: transactionCurrency, reporting: bookCurrency }, date)
            : undefined;
        }),
      );
      return drafts.map((_, index) => ({ reporting: reporting[index], book: book[index] }));
    },

    /** Finds withdrawn currencies, and rates that are missing, not known yet or not plausible. */
    problemsOf: async (
      draft: PartialDraft,
      { reporting, book }: DraftRates,
      today: string,
    ): Promise<Problem[]> => {
      const withdrawnCurrencies = withdrawnProblems(draft.date, [
        { pointer: pointers.transaction, currency: draft.transactionCurrency },
        { pointer: pointers.reporting, currency: draft.reportingCurrency },
      ]);
      // A withdrawn currency has no rate either, so one problem is enough.
      if (withdrawnCurrencies.length > 0) return withdrawnCurrencies;
      const { accrualDate, exchangeRate, isRateAccepted: isAccepted } = draft;
      if (exchangeRate && reporting) {
        const { known } = reporting;
        const problems = callerRateProblems(exchangeRate, reporting, { known, isAccepted });
        if (problems.length > 0) return problems;
      }
      // A rate of the caller that could not be read may replace a missing one.
      const isOwn = exchangeRate !== null;
      const needed = [isOwn ? undefined : reporting, book === reporting ? undefined : book];
      // A scheduled entry keeps the last known rate. Its date can be after today.
      const isPosted = accrualDate !== undefined && !isScheduled(accrualDate, today);
      const pairs = isPosted ? needed.filter((it) => it !== undefined) : [];
      const afterToday = problemsAfterToday(pairs, { today, pointers });
      if (afterToday.length > 0) return afterToday;
      const [ofReporting, ofBook] = needed;
      const reportingProblems = await problemsOfRate(ofReporting, { today });
      return reportingProblems.length > 0
        ? reportingProblems
        : problemsOfRate(ofBook, { today, isBook: true });
    },
  };
};

/** Finds amounts that are too large in the reporting or the book currency. */
export const convertedSizeProblems = (
  draft: PartialDraft,
  { reporting, book }: DraftRates,
): Problem[] => {
  const [inReporting, inBook] = [reporting, book].map((rateOnDate) => {
    const { rate, reporting: currency } = rateOnDate ?? {};
    return rate && currency ? convertedProblems(draft, { currency, rate: new Big(rate.rate) }) : [];
  });
  return inReporting?.length ? inReporting : (inBook ?? []);
};
