// Records one entry as if its dates had no sheets. If they do, the table refuses the first attempt.

import { sheetKeysOf } from '#shared/entries/entry-recording.store.ts';
import type {
  JournalEntries,
  PostingRequest,
  RecordOptions,
} from '#shared/entries/journal-entries.store.ts';
import type { ApiEntry, UnnumberedEntry } from '#shared/entries/journal-entry.ts';
import type { RecordedEntry } from '#shared/entries/recording-queues.store.ts';
import { keyText, type TenantName } from '#shared/table/keys.ts';

export type UnnumberedApiEntry = UnnumberedEntry<ApiEntry>;

export const recordEntry = async (
  journalEntries: Pick<JournalEntries, 'record'>,
  name: TenantName,
  entry: UnnumberedApiEntry,
  {
    snapshot,
    startedAt = performance.now(),
    idempotencyKey,
    isBatch = false,
  }: Partial<RecordOptions & Pick<PostingRequest, 'idempotencyKey' | 'isBatch'>> = {},
): Promise<RecordedEntry> => {
  const emptySheets = sheetKeysOf(name, { series: 'MJ', entries: [entry] });
  const [recorded] = await journalEntries.record(
    name,
    {
      entries: [entry],
      externalIds: [entry.externalId],
      users: new Map(),
      idempotencyKey,
      isBatch,
    },
    {
      snapshot: snapshot ?? new Map(emptySheets.map((key) => [keyText(key), undefined])),
      startedAt,
    },
  );
  if (recorded === undefined) throw new Error('nothing was recorded');
  return recorded;
};
