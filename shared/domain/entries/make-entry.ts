// Makes an entry of its draft. Pure: time and rates are arguments.

import Big from 'big.js';
import type { Account } from '../accounts.ts';
import { convertAndAllocate, formatAmount, sumOf } from '../amounts.ts';
import { decimalsOf } from '../currencies.ts';
import type { ExchangeRate } from '../exchange-rates.ts';
import type { EntryDraft } from './draft.ts';
import type { ApiEntry, UnnumberedEntry } from './journal-entry.ts';

/** A line whose account is known. */
export type ResolvedLine = {
  account: { code: string; name: string; isCash: boolean };
  description: string;
  debit: Big;
  credit: Big;
};

/** What the sides of each line come to in another currency; both sides add up to the same. */
export type LineShares = { debits: readonly Big[]; credits: readonly Big[] };

/** Lines and their totals as the ledger keeps them. */
export type ConvertedLines = Pick<
  ApiEntry,
  'transactionAmount' | 'reportingAmount' | 'bookAmount' | 'lines'
>;

/** Converts lines to another currency. Each side adds up to the converted total exactly. */
export const sharesOf = (
  lines: readonly ResolvedLine[],
  conversion: { rate: Big; decimals: number },
): LineShares => {
  const ofSide = (side: 'debit' | 'credit') => {
    const amounts = lines.map((line) => line[side]);
    return convertAndAllocate(amounts, conversion).shares;
  };
  return { debits: ofSide('debit'), credits: ofSide('credit') };
};

/** Lines as the ledger keeps them, with their shares in the reporting and the book currency. */
export const convertedLines = (
  lines: readonly ResolvedLine[],
  { reporting, book }: { reporting: LineShares; book: LineShares },
): ConvertedLines => {
  const share = (shares: readonly Big[], index: number) =>
    formatAmount(shares[index] ?? new Big(0));
  return {
    transactionAmount: formatAmount(sumOf(lines.map(({ debit }) => debit))),
    reportingAmount: formatAmount(sumOf(reporting.debits)),
    bookAmount: formatAmount(sumOf(book.debits)),
    lines: lines.map((line, index) => ({
      lineNumber: index + 1,
      account: line.account.code,
      accountName: line.account.name,
      description: line.description,
      debit: formatAmount(line.debit),
      credit: formatAmount(line.credit),
      reportingDebit: share(reporting.debits, index),
      reportingCredit: share(reporting.credits, index),
      bookDebit: share(book.debits, index),
      bookCredit: share(book.credits, index),
      isCash: line.account.isCash,
    })),
  };
};

/**
 * What an entry needs beyond the draft. `today` is the UTC date of `createdAt`, and `bookRate` the
 * rate from the transaction currency to that of the tenant's books.
 */
export type EntryContext = {
  accounts: ReadonlyMap<string, Account>;
  exchangeRate: ExchangeRate;
  tenantCurrency: string;
  bookRate: ExchangeRate;
  createdAt: string;
  createdWithKey: string;
};

const resolveLines = (
  { lines }: EntryDraft,
  accounts: ReadonlyMap<string, Account>,
): ResolvedLine[] =>
  lines.map((line) => {
    const { name = '', cashFlow } = accounts.get(line.account) ?? {};
    return { ...line, account: { code: line.account, name, isCash: cashFlow === 'cash' } };
  });

/** Whether an entry of this accrual date waits for it, made on this date. */
export const isScheduled = (accrualDate: string | null | undefined, today: string): boolean =>
  typeof accrualDate === 'string' && accrualDate > today;

/** Makes the entry, all but its number and what comes with that. */
export const makeEntry = (
  draft: EntryDraft,
  { exchangeRate, tenantCurrency, bookRate, ...context }: EntryContext,
): UnnumberedEntry<ApiEntry> => {
  const scheduled = isScheduled(draft.accrualDate, context.createdAt.slice(0, 10));
  const lines = resolveLines(draft, context.accounts);
  const isBooked = draft.reportingCurrency === tenantCurrency;
  const shares = (currency: string, { rate }: ExchangeRate) =>
    sharesOf(lines, { rate: new Big(rate), decimals: decimalsOf(currency) });
  const reporting = shares(draft.reportingCurrency, exchangeRate);
  const converted = convertedLines(lines, {
    reporting,
    book: isBooked ? reporting : shares(tenantCurrency, bookRate),
  });
  return {
    date: draft.date,
    memo: draft.memo,
    entryType: 'Manual Journal',
    status: scheduled ? 'scheduled' : 'posted',
    postingDate: draft.accrualDate ?? draft.date,
    accrualDate: draft.accrualDate,
    externalId: draft.externalId,
    transactionCurrency: draft.transactionCurrency,
    transactionAmount: converted.transactionAmount,
    reportingCurrency: draft.reportingCurrency,
    reportingAmount: converted.reportingAmount,
    exchangeRate: exchangeRate.rate,
    exchangeRateDate: exchangeRate.date,
    exchangeRateSource: exchangeRate.source,
    bookCurrency: tenantCurrency,
    bookAmount: converted.bookAmount,
    bookExchangeRate: isBooked ? exchangeRate.rate : bookRate.rate,
    lines: converted.lines,
    metadata: draft.metadata,
    ...{ reverses: null, reversedBy: null, cancelledAt: null },
    createdAt: context.createdAt,
    createdWithKey: context.createdWithKey,
    userId: draft.userId,
    postedAt: scheduled ? null : context.createdAt,
  };
};
