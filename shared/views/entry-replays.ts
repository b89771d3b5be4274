// What a reply says, beside the entries, of those that an earlier request had made.

import type { EntryDraft } from '../domain/entries/draft.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { differences, pointerList } from '../domain/entries/replay-differences.ts';

/** All headers together may have 10,240 bytes (API Gateway quotas); this leaves ample room. */
const maximumMismatchHeaderLength = 4_096;

/** What was asked for, and the entry that stands for it. `at` points at it in the request. */
export type AnsweredDraft = {
  draft: EntryDraft;
  entry: JournalEntry;
  replayed: boolean;
  at: string;
};

/** The headers by which a reply tells repeats from what is new, and where they differ. */
export const replayHeaders = (answered: readonly AnsweredDraft[]): Record<string, string> => {
  const replays = answered.filter(({ replayed }) => replayed);
  const differing = replays.flatMap(({ draft, entry, at }) =>
    differences(draft, entry).map((pointer) => `${at}${pointer}`),
  );
  return {
    ...(replays.length === answered.length && { 'Idempotent-Replayed': 'true' }),
    ...(differing.length > 0 && {
      'Idempotency-Mismatch': pointerList(differing, maximumMismatchHeaderLength),
    }),
  };
};
