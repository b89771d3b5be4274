// Converts a journal of an accounting platform into an entry.

import Big from 'big.js';
import { maximumBatchLines } from '../entries/drafts/draft.ts';
import {
  type ImportedJournal,
  maximumDescriptionLength,
  maximumMemoLength,
  type UnnumberedEntry,
} from '../entries/journal-entry.ts';
import {
  convertedLines,
  type LineShares,
  type ResolvedLine,
  sharesOf,
} from '../entries/make-entry.ts';
import {
  decimalsOf,
  fitsDecimals,
  isCurrency,
  maximumAmount,
  shownDecimalsOf,
  sumOf,
} from '../money/amounts.ts';
import { isCalendarDate } from '../money/dates.ts';
import { totalOf } from '../money/sides.ts';
import { formatRate, rateDecimals } from '../rates/exchange-rates.ts';
import { cleaned, truncate } from '../texts.ts';

/** `reportingAmount` is the platform's amount in the company's currency; null if it states none. */
export type LineToImport = ResolvedLine & { reportingAmount: Big | null };

/**
 * A journal with accounts from the tenant's chart. `exchangeRate` is the units of the tenant's
 * currency for one unit of `currency`.
 */
export type JournalToImport = {
  reference: string;
  date: string;
  memo: string;
  currency: string;
  exchangeRate: Big | null;
  lines: LineToImport[];
};

/**
 * Why a journal cannot be imported. Usual reasons are too many decimals, an unreadable account,
 * different totals of the sides, or a period that was locked before the journal was recorded. The
 * journal is not imported and the import's report names it, because guessing would be worse.
 */
export type ImportRejection =
  | 'account_not_found'
  | 'amount_too_large'
  | 'amount_too_precise'
  | 'currency_unknown'
  | 'date_not_valid'
  | 'debits_must_equal_credits'
  | 'exchange_rate_missing'
  | 'period_locked'
  | 'too_few_lines'
  | 'too_many_lines';

export const maximumImportedLines = maximumBatchLines;

/** Checks the rules that do not depend on the tenant's currency. */
const rejectionOf = ({ date, currency, lines }: JournalToImport): ImportRejection | undefined => {
  if (!isCalendarDate(date)) return 'date_not_valid';
  if (!isCurrency(currency)) return 'currency_unknown';
  if (lines.length < 2) return 'too_few_lines';
  if (lines.length > maximumImportedLines) return 'too_many_lines';
  const amounts = lines.flatMap(({ debit, credit }) => [debit, credit]);
  const decimals = shownDecimalsOf(currency);
  if (!amounts.every((amount) => fitsDecimals(amount, decimals))) return 'amount_too_precise';
  return totalOf(lines, 'debit').eq(totalOf(lines, 'credit'))
    ? undefined
    : 'debits_must_equal_credits';
};

/** The rate rounded to the decimals of an entry; `undefined` if there is none. */
const rateOf = (
  { currency, exchangeRate }: Pick<JournalToImport, 'currency' | 'exchangeRate'>,
  tenantCurrency: string,
): Big | undefined => {
  if (currency === tenantCurrency) return new Big(1);
  const rate = exchangeRate?.round(rateDecimals, Big.roundHalfEven);
  return rate?.gt(0) ? rate : undefined;
};

/** Makes the entry without its number, or returns the reason for a rejection. */
export const makeImportedJournal = (
  journal: JournalToImport,
  context: { tenantCurrency: string; createdAt: string },
): { entry: UnnumberedEntry<ImportedJournal> } | { rejected: ImportRejection } => {
  const rejected = rejectionOf(journal);
  if (rejected !== undefined) return { rejected };
  const rate = rateOf(journal, context.tenantCurrency);
  if (rate === undefined) return { rejected: 'exchange_rate_missing' };
  const total = totalOf(journal.lines, 'debit');
  const isTooLarge = total.gt(maximumAmount) || total.times(rate).gt(maximumAmount);
  if (isTooLarge) return { rejected: 'amount_too_large' };
  return { entry: entryOf(journal, { ...context, rate }) };
};

/**
 * The platform's own amounts in the company's currency, if every line has one and they balance. The
 * platform's books have these amounts with its own rounding; converting again could differ by
 * cents.
 */
const statedShares = (
  lines: readonly LineToImport[],
  { isConverted, decimals }: { isConverted: boolean; decimals: number },
): LineShares | undefined => {
  const statedOf = (side: 'debit' | 'credit') =>
    lines.map((line) => (line[side].gt(0) ? (line.reportingAmount ?? new Big(0)) : new Big(0)));
  const [debits, credits] = [statedOf('debit'), statedOf('credit')];
  const isUsable = lines.every(({ reportingAmount, debit, credit }) => {
    if (reportingAmount === null || reportingAmount.lt(0)) return false;
    const isWhole = fitsDecimals(reportingAmount, decimals);
    const isSame = reportingAmount.eq(debit.plus(credit));
    return isWhole && (isSame || (isConverted && debit.plus(credit).gt(0)));
  });
  const total = sumOf(debits);
  const isBalanced = total.eq(sumOf(credits)) && total.lte(maximumAmount);
  return isUsable && isBalanced ? { debits, credits } : undefined;
};

const entryOf = (
  journal: JournalToImport,
  { rate, ...context }: { rate: Big; tenantCurrency: string; createdAt: string },
): UnnumberedEntry<ImportedJournal> => {
  const lines = journal.lines.map((line) => ({
    ...line,
    description: truncate(maximumDescriptionLength, cleaned('free', line.description)),
  }));
  const isConverted = journal.currency !== context.tenantCurrency;
  // Platforms use decimals even in currencies without them in ISO 4217. Unconverted amounts keep
  // them.
  const shownDecimals = shownDecimalsOf(context.tenantCurrency);
  const decimals = isConverted ? decimalsOf(context.tenantCurrency) : shownDecimals;
  const reporting =
    statedShares(lines, { isConverted, decimals: shownDecimals }) ??
    sharesOf(lines, { rate, decimals });
  const currencies = {
    transactionCurrency: journal.currency,
    reportingCurrency: context.tenantCurrency,
    bookCurrency: context.tenantCurrency,
  };
  const converted = convertedLines(lines, { reporting, book: reporting, ...currencies });
  return {
    date: journal.date,
    memo: truncate(maximumMemoLength, cleaned('free', journal.memo)),
    entryType: 'Imported Journal',
    status: 'posted',
    postingDate: journal.date,
    accrualDate: null,
    externalId: null,
    platformReference: journal.reference,
    ...currencies,
    transactionAmount: converted.transactionAmount,
    reportingAmount: converted.reportingAmount,
    exchangeRate: formatRate(rate),
    exchangeRateDate: journal.date,
    exchangeRateSource: isConverted ? 'platform' : 'same_currency',
    bookAmount: converted.bookAmount,
    bookExchangeRate: formatRate(rate),
    lines: converted.lines,
    metadata: {},
    reverses: null,
    reversedBy: null,
    cancelledAt: null,
    createdAt: context.createdAt,
    createdWithKey: null,
    userId: null,
    postedAt: context.createdAt,
  };
};
