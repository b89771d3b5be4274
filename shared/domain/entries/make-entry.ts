// Makes an entry of its draft. Pure: time, ids and numbers are arguments.

import Big from 'big.js';
import type { Account } from '../accounts.ts';
import { convertAndAllocate, formatAmount, sumOf } from '../amounts.ts';
import { decimalsOf } from '../currencies.ts';
import type { ExchangeRate } from '../exchange-rates.ts';
import type { EntryDraft } from './draft.ts';
import type { JournalLine, ManualJournal } from './journal-entry.ts';

/** A line whose account is known. */
export type ResolvedLine = {
  account: { code: string; name: string };
  description: string;
  debit: Big;
  credit: Big;
};

/** Lines and their totals as the ledger keeps them. */
export type ReportedLines = {
  transactionAmount: string;
  reportingAmount: string;
  lines: JournalLine[];
};

/**
 * Lines as the ledger keeps them, with what each side comes to in the reporting currency, line by
 * line. These amounts add up to the same on both sides.
 */
export const reportLines = (
  lines: readonly ResolvedLine[],
  { debits, credits }: { debits: readonly Big[]; credits: readonly Big[] },
): ReportedLines => ({
  transactionAmount: formatAmount(sumOf(lines.map(({ debit }) => debit))),
  reportingAmount: formatAmount(sumOf(debits)),
  lines: lines.map((line, index) => ({
    lineNumber: index + 1,
    account: line.account.code,
    accountName: line.account.name,
    description: line.description,
    debit: formatAmount(line.debit),
    credit: formatAmount(line.credit),
    reportingDebit: formatAmount(debits[index] ?? new Big(0)),
    reportingCredit: formatAmount(credits[index] ?? new Big(0)),
  })),
});

/**
 * Converts lines to the reporting currency. Reporting debits and reporting credits each add up to
 * `reportingAmount`, to the last unit.
 */
export const convertLines = (
  lines: readonly ResolvedLine[],
  conversion: { rate: Big; decimals: number },
): ReportedLines => {
  const sharesOf = (side: 'debit' | 'credit') => {
    const amounts = lines.map((line) => line[side]);
    return convertAndAllocate(amounts, conversion).shares;
  };
  return reportLines(lines, { debits: sharesOf('debit'), credits: sharesOf('credit') });
};

/** What an entry needs beyond the draft. `today` is the UTC date of `createdAt`. */
export type EntryContext = {
  accounts: ReadonlyMap<string, Account>;
  exchangeRate: ExchangeRate;
  entryId: string;
  createdAt: string;
  createdWithKey: string;
};

/** Makes the entry, all but its number. */
export const makeEntry = (
  draft: EntryDraft,
  context: EntryContext,
): Omit<ManualJournal, 'journalNumber'> => {
  const today = context.createdAt.slice(0, 10);
  const scheduled = draft.accrualDate !== null && draft.accrualDate > today;
  const nameOf = (code: string): string => context.accounts.get(code)?.name ?? '';
  const converted = convertLines(
    draft.lines.map((line) => ({
      ...line,
      account: { code: line.account, name: nameOf(line.account) },
    })),
    {
      rate: new Big(context.exchangeRate.rate),
      decimals: decimalsOf(draft.reportingCurrency),
    },
  );
  return {
    entryId: context.entryId,
    date: draft.date,
    memo: draft.memo,
    entryType: 'Manual Journal',
    status: scheduled ? 'scheduled' : 'posted',
    accrualDate: draft.accrualDate,
    externalId: draft.externalId,
    transactionCurrency: draft.transactionCurrency,
    transactionAmount: converted.transactionAmount,
    reportingCurrency: draft.reportingCurrency,
    reportingAmount: converted.reportingAmount,
    exchangeRate: context.exchangeRate.rate,
    exchangeRateDate: context.exchangeRate.date,
    exchangeRateSource: context.exchangeRate.source,
    lines: converted.lines,
    createdAt: context.createdAt,
    createdWithKey: context.createdWithKey,
    userId: draft.userId,
    postedAt: scheduled ? null : context.createdAt,
  };
};
