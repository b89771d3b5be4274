// The headers of a reply that repeats entries of an earlier request.

import type { EntryDraft } from './drafts/draft.ts';
import { differences } from './drafts/draft-differences.ts';
import type { JournalEntry } from './journal-entry.ts';

/** API Gateway allows 10,240 bytes for all headers together (API Gateway quotas). */
const maximumMismatchHeaderLength = 4_096;

/** A draft and the entry of the reply. `at` is the pointer to the draft in the request. */
type DraftResult = {
  draft: EntryDraft;
  entry: JournalEntry;
  replayed: boolean;
  at: string;
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
