// The reversal of an entry: the same lines with swapped sides, at the same rates. Together, the two
// entries add up to exactly zero in every currency.

import { isDeepStrictEqual } from 'node:util';
import { type Problem, problem } from '../../errors.ts';
import { indexedKeysOf } from '../../tenants/indexed-metadata.ts';
import { lockProblems } from '../../tenants/period-lock.ts';
import type { Tenant } from '../../tenants/tenants.ts';
import { type DateQuotas, dateRangeProblems, horizonOf, postingDateOf } from '../drafts/draft.ts';
import {
  type ApiEntry,
  type JournalEntry,
  reversedLine,
  type UnnumberedEntry,
} from '../journal-entry.ts';
import { type EntryContext, isScheduled } from '../make-entry.ts';

export type ReversalDraft = {
  /** Null if the request has none. */
  date: string | null;
  /** Defaults to `Reversal of` and the journal number. */
  memo: string | undefined;
  accrualDate: string | null;
  externalId: string | null;
  userId: string | null;
  metadata: Record<string, string>;
};

/** The date of a reversal without one: today, or the original's date if that is after today. */
export const defaultReversalDate = (
  original: Pick<JournalEntry, 'date'> | undefined,
  today: string,
): string => (original && original.date > today ? original.date : today);

/** Makes the reversal without its number, id and hash. */
export const makeReversal = (
  original: JournalEntry,
  draft: ReversalDraft & { date: string },
  {
    createdAt,
    createdWithKey,
    ...tenant
  }: Pick<EntryContext, 'createdAt' | 'createdWithKey' | 'indexedMetadata'>,
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
    ...(original.knownExchangeRate !== undefined && {
      knownExchangeRate: original.knownExchangeRate,
    }),
    bookCurrency: original.bookCurrency,
    bookAmount: original.bookAmount,
    bookExchangeRate: original.bookExchangeRate,
    lines: original.lines.map(reversedLine),
    metadata: draft.metadata,
    ...indexedKeysOf(draft.metadata, tenant),
    reverses: original.entryId,
    reversedBy: null,
    cancelledAt: null,
    createdAt,
    createdWithKey,
    userId: draft.userId,
    postedAt: scheduled ? null : createdAt,
  };
};

/**
 * Checks the dates. A problem of the posting date points at the field that sets it. A reversal can
 * be as old as its original, and as late.
 */
export const reversalDateProblems = (
  { date, accrualDate }: { date: string | undefined; accrualDate: string | null | undefined },
  {
    tenant,
    original,
    today,
    quotas,
  }: {
    tenant: Pick<Tenant, 'lockDate' | 'entryYearsBack' | 'entryYearsAhead'>;
    original: Pick<JournalEntry, 'date' | 'postingDate'> | undefined;
    today: string;
    quotas: DateQuotas;
  },
): Problem[] => {
  const isLate = (it: string | null | undefined) => it && it > today && it !== original?.date;
  const lateDates = {
    date: isLate(date) ? date : undefined,
    accrualDate: isLate(accrualDate) ? accrualDate : undefined,
  };
  const tooLate = dateRangeProblems(lateDates, { today, horizon: horizonOf(tenant, quotas) });
  if (tooLate.length > 0) return tooLate;
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
    ...(draft.date === null || draft.date === entry.date ? [] : ['/date']),
    ...(draft.memo === undefined || draft.memo === entry.memo ? [] : ['/memo']),
    ...(draft.accrualDate === entry.accrualDate ? [] : ['/accrual_date']),
    ...(draft.externalId === entry.externalId ? [] : ['/external_id']),
    ...(draft.userId === entry.userId ? [] : ['/user_id']),
    ...(isSameMetadata ? [] : ['/metadata']),
  ];
};
