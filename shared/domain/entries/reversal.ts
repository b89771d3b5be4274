// The reversal of an entry: the same lines with their sides swapped, at the same rates, so that
// both together come to nothing, in every currency and to the cent. Pure: time is an argument.

import { isDeepStrictEqual } from 'node:util';
import { type Problem, problem } from '../../errors.ts';
import { lockProblems } from '../period-lock.ts';
import type { Tenant } from '../tenants.ts';
import { postingDateOf } from './draft.ts';
import type { ApiEntry, JournalEntry, JournalLine, UnnumberedEntry } from './journal-entry.ts';
import { isScheduled } from './make-entry.ts';

/** A reversal as it was asked for. */
export type ReversalDraft = {
  date: string;
  /** `undefined` stands for the memo that a reversal has by itself. */
  memo: string | undefined;
  accrualDate: string | null;
  externalId: string | null;
  userId: string | null;
  metadata: Record<string, string>;
};

/** A line with its sides swapped, in each of the three currencies. */
export const reversedLine = (line: JournalLine): JournalLine => ({
  ...line,
  ...{ debit: line.credit, credit: line.debit },
  ...{ reportingDebit: line.reportingCredit, reportingCredit: line.reportingDebit },
  ...{ bookDebit: line.bookCredit, bookCredit: line.bookDebit },
});

/** Makes the reversal of an entry, all but its number and what comes with that. */
export const makeReversal = (
  original: JournalEntry,
  draft: ReversalDraft,
  { createdAt, createdWithKey }: { createdAt: string; createdWithKey: string },
): UnnumberedEntry<ApiEntry> => {
  const scheduled = isScheduled(draft.accrualDate, createdAt.slice(0, 10));
  return {
    date: draft.date,
    memo: draft.memo ?? `Reversal of ${original.journalNumber}`,
    entryType: 'Manual Journal',
    status: scheduled ? 'scheduled' : 'posted',
    postingDate: draft.accrualDate ?? draft.date,
    accrualDate: draft.accrualDate,
    externalId: draft.externalId,
    transactionCurrency: original.transactionCurrency,
    transactionAmount: original.transactionAmount,
    reportingCurrency: original.reportingCurrency,
    reportingAmount: original.reportingAmount,
    exchangeRate: original.exchangeRate,
    exchangeRateDate: original.exchangeRateDate,
    exchangeRateSource: original.exchangeRateSource,
    bookCurrency: original.bookCurrency,
    bookAmount: original.bookAmount,
    bookExchangeRate: original.bookExchangeRate,
    lines: original.lines.map(reversedLine),
    metadata: draft.metadata,
    reverses: original.entryId,
    ...{ reversedBy: null, cancelledAt: null },
    ...{ createdAt, createdWithKey, userId: draft.userId },
    postedAt: scheduled ? null : createdAt,
  };
};

/** What is wrong with the posting date of a reversal, at the field that decides on it. */
export const reversalDateProblems = (
  { date, accrualDate }: { date: string | undefined; accrualDate: string | null | undefined },
  {
    tenant,
    original,
  }: { tenant: Pick<Tenant, 'lockDate'>; original: Pick<JournalEntry, 'postingDate'> | undefined },
): Problem[] => {
  const postingDate = postingDateOf({ date, accrualDate });
  if (postingDate === undefined) return [];
  const isBefore = original !== undefined && postingDate < original.postingDate;
  const pointer = accrualDate === null ? '/date' : '/accrual_date';
  const params = { posting_date: postingDate, original_posting_date: original?.postingDate ?? '' };
  return [
    ...lockProblems({ postingDate, accrualDate }, tenant),
    ...(isBefore ? [problem('reversal_before_entry', pointer, params)] : []),
  ];
};

/** Where a repeated request differs from the reversal that it repeats, as pointers into it. */
export const differencesOfReversal = (draft: ReversalDraft, kept: JournalEntry): string[] => {
  const isSameMetadata = isDeepStrictEqual(draft.metadata, kept.metadata);
  return [
    ...(draft.date === kept.date ? [] : ['/date']),
    ...(draft.memo === undefined || draft.memo === kept.memo ? [] : ['/memo']),
    ...(draft.accrualDate === kept.accrualDate ? [] : ['/accrual_date']),
    ...(draft.externalId === kept.externalId ? [] : ['/external_id']),
    ...(draft.userId === kept.userId ? [] : ['/user_id']),
    ...(isSameMetadata ? [] : ['/metadata']),
  ];
};
