// The reversal of an entry: the same lines with swapped sides, at the same rates. Together, the two
// entries add up to exactly zero in every currency.

import { isDeepStrictEqual } from 'node:util';
import { type Problem, problem } from '../../errors.ts';
import { lockProblems } from '../../tenants/period-lock.ts';
import type { Tenant } from '../../tenants/tenants.ts';
import { postingDateOf } from '../drafts/draft.ts';
import {
  type ApiEntry,
  type JournalEntry,
  reversedLine,
  type UnnumberedEntry,
} from '../journal-entry.ts';
import { isScheduled } from '../make-entry.ts';

export type ReversalDraft = {
  date: string;
  /** Defaults to `Reversal of` and the journal number. */
  memo: string | undefined;
  accrualDate: string | null;
  externalId: string | null;
  userId: string | null;
  metadata: Record<string, string>;
};

/** Makes the reversal without its number, id and hash. */
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
    reversedBy: null,
    cancelledAt: null,
    createdAt,
    createdWithKey,
    userId: draft.userId,
    postedAt: scheduled ? null : createdAt,
  };
};

/** Checks the posting date. A problem points at the field that sets it. */
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

/** Compares a repeated request with the existing reversal. Returns pointers into the request. */
export const differencesOfReversal = (draft: ReversalDraft, entry: JournalEntry): string[] => {
  const isSameMetadata = isDeepStrictEqual(draft.metadata, entry.metadata);
  return [
    ...(draft.date === entry.date ? [] : ['/date']),
    ...(draft.memo === undefined || draft.memo === entry.memo ? [] : ['/memo']),
    ...(draft.accrualDate === entry.accrualDate ? [] : ['/accrual_date']),
    ...(draft.externalId === entry.externalId ? [] : ['/external_id']),
    ...(draft.userId === entry.userId ? [] : ['/user_id']),
    ...(isSameMetadata ? [] : ['/metadata']),
  ];
};
