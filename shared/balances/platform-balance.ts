// Makes the entries that bring the books to a platform's trial balance.

import Big from 'big.js';
import type { PlatformBalance, UnnumberedEntry } from '../entries/journal-entry.ts';
import { convertedLines, type ResolvedLine } from '../entries/make-entry.ts';
import { formatAmount } from '../money/amounts.ts';
import { sidesOf } from '../money/sides.ts';
import { formatRate } from '../rates/exchange-rates.ts';

/** The report that an entry comes from. */
type ReportOrigin = { fetchedAt: string; total: Big };

/** What an account lacks, positive for a debit. */
export type Difference = {
  accountId: string;
  account: ResolvedLine['account'];
  amount: Big;
};

/** The maximum number of differences in an entry, which leaves room for one more line. */
const maximumDifferences = 999;

const zero = new Big(0);

const lineOf = ({ account, amount }: Difference): ResolvedLine => ({
  account,
  description: '',
  ...sidesOf(amount),
});

/**
 * Divides differences that add up to zero into entries that balance. If there are too many for one,
 * the first account takes what is missing in each; over all entries it gets its own difference.
 */
export const divided = (
  differences: readonly Difference[],
  maximum = maximumDifferences,
): Difference[][] => {
  if (differences.length <= maximum) return [[...differences]];
  const [carrier, ...others] = differences;
  if (carrier === undefined) return [];
  const starts = others.flatMap((_, index) => (index % maximum === 0 ? [index] : []));
  return starts.map((start) => {
    const batch = others.slice(start, start + maximum);
    const missing = batch.reduce((sum, { amount }) => sum.minus(amount), zero);
    return missing.eq(0) ? batch : [{ ...carrier, amount: missing }, ...batch];
  });
};

/** Makes an entry without its number. The differences add up to zero. */
export const makePlatformBalance = (
  differences: readonly Difference[],
  {
    date,
    currency,
    createdAt,
    origin,
    isOpening,
  }: {
    date: string;
    currency: string;
    createdAt: string;
    origin: ReportOrigin;
    isOpening: boolean;
  },
): UnnumberedEntry<PlatformBalance> => {
  const lines = differences.map(lineOf);
  const shares = {
    debits: lines.map(({ debit }) => debit),
    credits: lines.map(({ credit }) => credit),
  };
  const currencies = {
    transactionCurrency: currency,
    reportingCurrency: currency,
    bookCurrency: currency,
  };
  return {
    date,
    memo: isOpening
      ? `Opening balances of the platform at ${date}`
      : `Difference to the platform's trial balance at ${date}`,
    entryType: 'Platform Balance',
    status: 'posted',
    postingDate: date,
    accrualDate: null,
    externalId: null,
    ...currencies,
    exchangeRate: sameRate,
    exchangeRateDate: date,
    exchangeRateSource: 'same_currency',
    bookExchangeRate: sameRate,
    ...convertedLines(lines, { reporting: shares, book: shares, ...currencies }),
    metadata: {
      platform_report_fetched_at: origin.fetchedAt,
      platform_report_total: formatAmount(origin.total, currency),
    },
    reverses: null,
    reversedBy: null,
    cancelledAt: null,
    createdAt,
    createdWithKey: null,
    userId: null,
    postedAt: createdAt,
  };
};

const sameRate = formatRate(new Big(1));
