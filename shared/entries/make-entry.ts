// Makes an entry from a draft.

import Big from 'big.js';
import type { Account } from '../accounts/accounts.ts';
import { type LineClass, lineClassOf } from '../accounts/line-classes.ts';
import { classifiedOn } from '../accounts/reclassification.ts';
import { convertAndAllocate, decimalsOf, formatAmount, sumOf } from '../money/amounts.ts';
import { type Sides, totalOf } from '../money/sides.ts';
import type { ExchangeRate } from '../rates/exchange-rates.ts';
import { indexedKeysOf } from '../tenants/indexed-metadata.ts';
import type { Tenant } from '../tenants/tenants.ts';
import type { EntryDraft } from './drafts/draft.ts';
import type { ApiEntry, UnnumberedEntry } from './journal-entry.ts';

/** A line with its account from the chart. */
export type ResolvedLine = Sides & {
  account: { code: string; name: string; lineClass: LineClass; number?: number | undefined };
  description: string;
};

/** The sides of each line in another currency. Both sides have the same total. */
export type LineShares = { debits: readonly Big[]; credits: readonly Big[] };

/** The currencies of an entry's amounts. */
type EntryCurrencies = Pick<ApiEntry, 'transactionCurrency' | 'reportingCurrency' | 'bookCurrency'>;

type ConvertedLines = Pick<
  ApiEntry,
  'transactionAmount' | 'reportingAmount' | 'bookAmount' | 'lines'
>;

/** Converts lines to another currency. Each side adds up exactly to the converted total. */
export const sharesOf = (
  lines: readonly ResolvedLine[],
  conversion: { rate: Big; decimals: number },
): LineShares => {
  const ofSide = (side: 'debit' | 'credit') => {
    const amounts = lines.map((line) => line[side]);
    return convertAndAllocate(amounts, conversion);
  };
  return { debits: ofSide('debit'), credits: ofSide('credit') };
};

/** The lines of an entry, with their amounts in the reporting and the book currency. */
export const convertedLines = (
  lines: readonly ResolvedLine[],
  { reporting, book, ...currencies }: { reporting: LineShares; book: LineShares } & EntryCurrencies,
): ConvertedLines => {
  const formatIn = (currency: string) => (amount: Big | undefined) =>
    formatAmount(amount ?? new Big(0), currency);
  const inTransaction = formatIn(currencies.transactionCurrency);
  const inReporting = formatIn(currencies.reportingCurrency);
  const inBook = formatIn(currencies.bookCurrency);
  return {
    transactionAmount: inTransaction(totalOf(lines, 'debit')),
    reportingAmount: inReporting(sumOf(reporting.debits)),
    bookAmount: inBook(sumOf(book.debits)),
    lines: lines.map((line, index) => ({
      lineNumber: index + 1,
      account: line.account.code,
      ...(line.account.number !== undefined && { accountNumber: line.account.number }),
      accountName: line.account.name,
      description: line.description,
      debit: inTransaction(line.debit),
      credit: inTransaction(line.credit),
      reportingDebit: inReporting(reporting.debits[index]),
      reportingCredit: inReporting(reporting.credits[index]),
      bookDebit: inBook(book.debits[index]),
      bookCredit: inBook(book.credits[index]),
      lineClass: line.account.lineClass,
    })),
  };
};

/**
 * The data that the draft does not have. `bookRate` is the rate from the transaction currency to
 * `tenantCurrency`.
 */
export type EntryContext = {
  accounts: ReadonlyMap<string, Account>;
  exchangeRate: ExchangeRate;
  tenantCurrency: string;
  bookRate: ExchangeRate;
  createdAt: string;
  createdWithKey: string;
  indexedMetadata: Tenant['indexedMetadata'];
};

/** The lines with their classes on the date on which they count. */
const resolveLines = (
  { lines, accrualDate, date }: EntryDraft,
  accounts: ReadonlyMap<string, Account>,
): ResolvedLine[] =>
  lines.map((line) => {
    const account = accounts.get(line.account);
    const lineClass = account ? lineClassOf(classifiedOn(account, accrualDate ?? date)) : 'unknown';
    const { name = '', number } = account ?? {};
    return { ...line, account: { code: line.account, name, lineClass, number } };
  });

/** Whether an entry with this accrual date is scheduled instead of posted. */
export const isScheduled = (accrualDate: string | null | undefined, today: string): boolean =>
  typeof accrualDate === 'string' && accrualDate > today;

/** Makes the entry without its number, id and hash. */
export const makeEntry = (
  draft: EntryDraft,
  { exchangeRate, tenantCurrency, bookRate, ...context }: EntryContext,
): UnnumberedEntry<ApiEntry> => {
  const scheduled = isScheduled(draft.accrualDate, context.createdAt.slice(0, 10));
  const lines = resolveLines(draft, context.accounts);
  const isBooked = draft.reportingCurrency === tenantCurrency;
  const currencies = {
    transactionCurrency: draft.transactionCurrency,
    reportingCurrency: draft.reportingCurrency,
    bookCurrency: tenantCurrency,
  };
  const shares = (currency: string, { rate }: ExchangeRate) =>
    sharesOf(lines, { rate: new Big(rate), decimals: decimalsOf(currency) });
  const reporting = shares(draft.reportingCurrency, exchangeRate);
  const converted = convertedLines(lines, {
    reporting,
    book: isBooked ? reporting : shares(tenantCurrency, bookRate),
    ...currencies,
  });
  return {
    date: draft.date,
    memo: draft.memo,
    entryType: 'Manual Journal',
    status: scheduled ? 'scheduled' : 'posted',
    postingDate: draft.accrualDate ?? draft.date,
    accrualDate: draft.accrualDate,
    externalId: draft.externalId,
    ...currencies,
    ...converted,
    exchangeRate: exchangeRate.rate,
    exchangeRateDate: exchangeRate.date,
    exchangeRateSource: exchangeRate.source,
    ...(exchangeRate.known !== undefined && { knownExchangeRate: exchangeRate.known }),
    bookExchangeRate: isBooked ? exchangeRate.rate : bookRate.rate,
    metadata: draft.metadata,
    ...indexedKeysOf(draft.metadata, context),
    reverses: null,
    reversedBy: null,
    cancelledAt: null,
    createdAt: context.createdAt,
    createdWithKey: context.createdWithKey,
    userId: draft.userId,
    postedAt: scheduled ? null : context.createdAt,
  };
};
