// The type of an entry in the worked year of books, and the request that posts it.

import type * as z from 'zod/mini';
import type { EntryRequest } from '#shared/entries/drafts/entry-request.ts';

/** Decimal amounts by account, in the currency of the entry. */
type Amounts = Readonly<Record<string, string>>;

export type WorkedEntry = {
  /** Position in the year, from 1. */
  number: number;
  date: string;
  accrualDate?: string;
  memo: string;
  /** Defaults to euro. */
  currency?: 'USD';
  debits: Amounts;
  credits: Amounts;
};

export const externalIdOf = (number: number): string => `harbour-${number}`;

const linesOf = (side: 'debit' | 'credit', amounts: Amounts) =>
  Object.entries(amounts).map(([account, amount]) => ({ account, [side]: amount }));

/** The entry as part of a create-journal-entries request. */
export const entryRequestOf = (entry: WorkedEntry): z.input<typeof EntryRequest> => ({
  external_id: externalIdOf(entry.number),
  date: entry.date,
  ...(entry.accrualDate && { accrual_date: entry.accrualDate }),
  memo: entry.memo,
  transactionCurrency: entry.currency ?? 'EUR',
  reportingCurrency: 'EUR',
  entries: [...linesOf('debit', entry.debits), ...linesOf('credit', entry.credits)],
});
