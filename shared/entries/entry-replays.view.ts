// The headers of a reply that repeats entries of an earlier request, and their differences.

import { isDeepStrictEqual } from 'node:util';
import Big from 'big.js';
import { pointerTo } from '../errors.ts';
import { type DraftLine, type EntryDraft, sides } from './drafts/draft.ts';
import type { JournalEntry, JournalLine } from './journal-entry.ts';

/** API Gateway allows 10,240 bytes for all headers together (API Gateway quotas). */
const maximumMismatchHeaderLength = 4_096;

/** A draft and the entry of the reply. `at` is the pointer to the draft in the request. */
export type DraftResult = {
  draft: EntryDraft;
  entry: JournalEntry;
  replayed: boolean;
  at: string;
};

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

/**
 * Fits pointers into a header of at most `longest` characters. If there are too many, parents
 * replace their fields: first single lines, then all lines, then whole entries of a batch.
 */
export const pointerList = (pointers: readonly string[], longest: number): string => {
  const atDepth = (depth: number) =>
    [
      ...new Set(
        pointers.map((it) =>
          it
            .split('/')
            .slice(0, depth + 1)
            .join('/'),
        ),
      ),
    ].join(', ');
  const deepest = Math.max(...pointers.map((it) => it.split('/').length - 1));
  const depths = Array.from({ length: deepest }, (_, above) => deepest - above);
  return depths.map(atDepth).find((list) => list.length <= longest) ?? '';
};

/** The header `Idempotent-Replayed` if every entry is a replay, and `Idempotency-Mismatch`. */
export const replayHeaders = (results: readonly DraftResult[]): Record<string, string> => {
  const replays = results.filter(({ replayed }) => replayed);
  const differing = replays.flatMap(({ draft, entry, at }) =>
    differences(draft, entry).map((pointer) => `${at}${pointer}`),
  );
  return {
    ...(replays.length === results.length && { 'Idempotent-Replayed': 'true' }),
    ...(differing.length > 0 && {
      'Idempotency-Mismatch': pointerList(differing, maximumMismatchHeaderLength),
    }),
  };
};
