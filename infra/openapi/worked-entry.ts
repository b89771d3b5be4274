// An entry of the worked year of books, and the request that posts it.

import type * as z from 'zod/mini';
import type { EntryRequest } from '#shared/domain/entries/entry-request.ts';

/** Amounts by account, as decimal text in the currency of the entry. */
type Amounts = Readonly<Record<string, string>>;

export type WorkedEntry = {
  /** Its place in the year, from 1. */
  number: number;
  date: string;
  accrualDate?: string;
  memo: string;
  /** Euro, where it is not given. */
  currency?: 'USD';
  debits: Amounts;
  credits: Amounts;
};

export const externalIdOf = (number: number): string => `harbour-${number}`;

const linesOf = (side: 'debit' | 'credit', amounts: Amounts) =>
  Object.entries(amounts).map(([account, amount]) => ({ account, [side]: amount }));

/** The entry as one of many of a request. */
export const entryRequestOf = (entry: WorkedEntry): z.input<typeof EntryRequest> => ({
  external_id: externalIdOf(entry.number),
  date: entry.date,
  ...(entry.accrualDate && { accrual_date: entry.accrualDate }),
  memo: entry.memo,
  transactionCurrency: entry.currency ?? 'EUR',
  reportingCurrency: 'EUR',
  entries: [...linesOf('debit', entry.debits), ...linesOf('credit', entry.credits)],
});
