// The differences between a repeated request and the entry that an earlier request recorded.

import { isDeepStrictEqual } from 'node:util';
import Big from 'big.js';
import * as z from 'zod/mini';
import { sides } from '../../accounts/accounts.ts';
import { type Problem, pointerTo, problem } from '../../errors.ts';
import type { JournalEntry, JournalLine } from '../journal-entry.ts';
import type { DraftLine, EntryDraft } from './draft.ts';

/** What a request wants if it repeats another request with different content. */
export const onMismatch = z
  .optional(z.enum(['return_original', 'refuse']))
  .check(
    z.describe(
      'What to do if the `external_id` or the `Idempotency-Key` was used before and the content ' +
        'differs. `return_original`, the default: the reply has the original entry, and the ' +
        'header `Idempotency-Mismatch`. `refuse`: nothing is posted, and `details` has the ' +
        'problem `differs_from_original` for every field that differs.',
    ),
  );

/** @param pointers the fields that differ */
export const problemsOfMismatch = (pointers: readonly string[]): Problem[] =>
  pointers.map((pointer) => problem('differs_from_original', pointer));

/** Whether both have the same rate of the caller, or both have none. */
const isSameRate = (
  { exchangeRate }: EntryDraft,
  { exchangeRate: recorded, exchangeRateSource: source }: JournalEntry,
): boolean =>
  exchangeRate === null
    ? source !== 'caller'
    : (source === 'caller' || source === 'same_currency') && new Big(exchangeRate).eq(recorded);

/** Compares a repeated request with the original entry. Returns pointers into the request. */
export const differences = (draft: EntryDraft, entry: JournalEntry): string[] => {
  const fields = [
    ['/date', draft.date, entry.date],
    ['/memo', draft.memo, entry.memo],
    ['/transactionCurrency', draft.transactionCurrency, entry.transactionCurrency],
    ['/reportingCurrency', draft.reportingCurrency, entry.reportingCurrency],
    ['/accrual_date', draft.accrualDate, entry.accrualDate],
    ['/external_id', draft.externalId, entry.externalId],
    ['/user_id', draft.userId, entry.userId],
  ] as const;
  const rate = isSameRate(draft, entry) ? [] : ['/exchange_rate'];
  const metadata = isDeepStrictEqual(draft.metadata, entry.metadata) ? [] : ['/metadata'];
  const lineCount = Math.max(draft.lines.length, entry.lines.length);
  return [
    ...fields
      .filter(([, requested, recorded]) => requested !== recorded)
      .map(([pointer]) => pointer),
    ...rate,
    ...metadata,
    ...Array.from({ length: lineCount }, (_, index) =>
      differencesOfLine(index, { line: draft.lines[index], original: entry.lines[index] }),
    ).flat(),
  ];
};

const differencesOfLine = (
  index: number,
  { line, original }: { line: DraftLine | undefined; original: JournalLine | undefined },
): string[] => {
  if (line === undefined || original === undefined) return [pointerTo('entries', index)];
  return [
    ...(['account', 'description'] as const).filter((field) => line[field] !== original[field]),
    ...sides.filter((side) => !line[side].eq(original[side])),
  ].map((field) => pointerTo('entries', index, field));
};
