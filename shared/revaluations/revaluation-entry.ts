// The entry that posts a revaluation: a line for each difference, and the gains and the losses.
//
// All amounts are in the book currency: no balance in another currency changes. Gains and losses
// have a line each, so that the statement of cash flows finds those of cash (IAS 7.28).

import Big from 'big.js';
import { type Account, isCash } from '../accounts/accounts.ts';
import type { LineClass } from '../accounts/line-classes.ts';
import type { ApiEntry, JournalLine, UnnumberedEntry } from '../entries/journal-entry.ts';
import { convertedLines, type ResolvedLine } from '../entries/make-entry.ts';
import { amountFormatOf } from '../money/amounts.ts';
import { sidesOf } from '../money/sides.ts';
import { formatThousandths } from '../money/thousandths.ts';
import { identityRate } from '../rates/exchange-rates.ts';
import { differencesOf, type RevaluedPosition } from './revaluation.ts';

/** The maximum number of differences in an entry: its lines without those of gains and losses. */
export const maximumDifferences = 498;

/** The fields of a revaluation that a request sets. */
export type RevaluationDraft = {
  date: string;
  memo: string | undefined;
  externalId: string | null;
};

const lineOf = (
  { lineClass, ...account }: Account & { lineClass: LineClass },
  description: string,
  amount: bigint,
): ResolvedLine => ({
  account: { ...account, lineClass },
  description,
  ...sidesOf(new Big(formatThousandths(amount))),
});

/** For example `USD 1000.00 at 0.86236633322 of 2026-03-31`. */
const descriptionOf = ({ currency, balance, rate }: RevaluedPosition): string => {
  const amount = `${currency} ${amountFormatOf(currency)(balance)}`;
  return rate === null ? amount : `${amount} at ${rate.rate} of ${rate.date}`;
};

/** @param positions at least one, all with a difference */
export const makeRevaluation = (
  draft: RevaluationDraft,
  positions: readonly RevaluedPosition[],
  {
    exchangeAccount,
    bookCurrency,
    ...creation
  }: {
    /** The account of exchange differences. */
    exchangeAccount: Account;
    bookCurrency: string;
    createdAt: string;
    createdWithKey: string;
  },
): UnnumberedEntry<ApiEntry> => {
  const { gains, losses } = differencesOf(positions);
  // What was gained or lost on cash is the effect of exchange rates; the rest is no flow.
  const exchange = { ...exchangeAccount, lineClass: 'exchange_difference' as const };
  const revalued = ({ account }: RevaluedPosition) => ({
    ...account,
    lineClass: isCash(account) ? ('cash' as const) : ('revalued' as const),
  });
  const lines = [
    ...positions.map((it) => lineOf(revalued(it), descriptionOf(it), it.difference)),
    ...(gains > 0n ? [lineOf(exchange, 'Exchange gains', -gains)] : []),
    ...(losses > 0n ? [lineOf(exchange, 'Exchange losses', losses)] : []),
  ];
  const shares = {
    debits: lines.map(({ debit }) => debit),
    credits: lines.map(({ credit }) => credit),
  };
  const currencies = {
    transactionCurrency: bookCurrency,
    reportingCurrency: bookCurrency,
    bookCurrency,
  };
  const converted = convertedLines(lines, { reporting: shares, book: shares, ...currencies });
  const { rate, date: exchangeRateDate, source } = identityRate(draft.date);
  return {
    date: draft.date,
    memo: draft.memo ?? `Revaluation as of ${draft.date}`,
    entryType: 'Revaluation',
    status: 'posted',
    postingDate: draft.date,
    accrualDate: null,
    externalId: draft.externalId,
    ...currencies,
    ...converted,
    exchangeRate: rate,
    exchangeRateDate,
    exchangeRateSource: source,
    bookExchangeRate: rate,
    lines: converted.lines.map((line, index): JournalLine => {
      const revaluedCurrency = positions[index]?.currency;
      return { ...line, ...(revaluedCurrency !== undefined && { revaluedCurrency }) };
    }),
    metadata: {},
    reverses: null,
    reversedBy: null,
    cancelledAt: null,
    userId: null,
    postedAt: creation.createdAt,
    ...creation,
  };
};
