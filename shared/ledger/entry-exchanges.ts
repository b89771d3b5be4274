// The exchange rates of entries: to the currency that each is reported in, and to that of the
// tenant's books.

import Big from 'big.js';
import { convertedProblems, currencyProblems, type PartialDraft } from '../domain/entries/draft.ts';
import type { CurrencyPair, ExchangeRate } from '../domain/exchange-rates.ts';
import { type Problem, problem } from '../errors.ts';
import type { ExchangeRates } from '../store/exchange-rates.ts';

/** What is exchanged on which date, and the rate for it if there is one. */
export type Exchange = CurrencyPair & { date: string; rate: ExchangeRate | undefined };

/** The rates of a draft: to its reporting currency, and to that of the tenant's books. */
export type Exchanges = { reporting: Exchange | undefined; book: Exchange | undefined };

type ReadVersion = () => Promise<number>;

export type EntryExchanges = ReturnType<typeof openEntryExchanges>;

export const openEntryExchanges = (
  exchangeRates: Pick<ExchangeRates, 'find' | 'explainMissing'>,
) => {
  /** Says which currency has no rate, or that it is the date, and the first date that has one. */
  const rateProblems = async (
    exchange: Exchange | undefined,
    { today, isBook = false }: { today: string; isBook?: boolean },
  ): Promise<Problem[]> => {
    if (exchange === undefined || exchange.rate !== undefined) return [];
    const { transaction, reporting, date } = exchange;
    const missing = await exchangeRates.explainMissing(exchange, { date, today });
    const { currencies, firstDate } = missing;
    // Where the books' own currency has none, only entries in that currency can be kept.
    const lacksReporting = currencies.includes(reporting);
    const lacksTransaction = currencies.includes(transaction) || (isBook && lacksReporting);
    const ofCurrencies = [
      ...(lacksTransaction ? ['/transactionCurrency'] : []),
      ...(lacksReporting && !isBook ? ['/reportingCurrency'] : []),
    ];
    return (currencies.length > 0 ? ofCurrencies : ['/date']).map((pointer) =>
      problem('exchange_rate_unavailable', pointer, {
        ...{ transaction, [isBook ? 'book' : 'reporting']: reporting, date },
        ...(firstDate !== undefined && { first_date: firstDate }),
      }),
    );
  };

  return {
    /**
     * Finds the rates of a request's drafts, each once, while its context is read: with it comes
     * the version of the rates where they are exchanged.
     */
    find: async (
      drafts: readonly PartialDraft[],
      {
        today,
        readVersion,
        readBookCurrency,
      }: {
        today: string;
        readVersion: ReadVersion | undefined;
        readBookCurrency: () => Promise<string | undefined>;
      },
    ): Promise<Exchanges[]> => {
      const known = new Map<string, Promise<Exchange>>();
      const findOnce = (pair: CurrencyPair, date: string): Promise<Exchange> => {
        const key = `${pair.transaction} ${pair.reporting} ${date}`;
        const finding =
          known.get(key) ??
          exchangeRates
            .find(pair, { date, today, ...(readVersion && { readVersion }) })
            .then((rate) => ({ ...pair, date, rate }));
        known.set(key, finding);
        return finding;
      };
      const ofReporting = Promise.all(
        drafts.map(({ transactionCurrency, reportingCurrency, date }) =>
          transactionCurrency && reportingCurrency && date
            ? findOnce({ transaction: transactionCurrency, reporting: reportingCurrency }, date)
            : undefined,
        ),
      );
      const [reporting, bookCurrency] = await Promise.all([ofReporting, readBookCurrency()]);
      // The currency of the books is nearly always the reporting one; then nothing more is read.
      const book = await Promise.all(
        drafts.map(({ transactionCurrency, date }) =>
          bookCurrency && transactionCurrency && date
            ? findOnce({ transaction: transactionCurrency, reporting: bookCurrency }, date)
            : undefined,
        ),
      );
      return drafts.map((_, index) => ({ reporting: reporting[index], book: book[index] }));
    },

    /** What is wrong with the currencies of a draft. */
    problemsOf: async (
      draft: PartialDraft,
      { reporting, book }: Exchanges,
      today: string,
    ): Promise<Problem[]> => {
      const ofCurrencies = currencyProblems(draft);
      // A currency that is not in use has no rate either.
      if (ofCurrencies.length > 0) return ofCurrencies;
      const ofReporting = await rateProblems(reporting, { today });
      const isOther = book !== reporting && ofReporting.length === 0;
      return isOther ? rateProblems(book, { today, isBook: true }) : ofReporting;
    },
  };
};

/** The problems of amounts that are too large in the currencies to which they are converted. */
export const sizeProblems = (draft: PartialDraft, { reporting, book }: Exchanges): Problem[] => {
  const [ofReporting, ofBook] = [reporting, book].map((exchange) => {
    const { rate, reporting: currency } = exchange ?? {};
    return rate && currency ? convertedProblems(draft, { currency, rate: new Big(rate.rate) }) : [];
  });
  return ofReporting?.length ? ofReporting : (ofBook ?? []);
};
