// Makes the transaction that records the new entries of a request, with the guards that recognize a
// repeated request.

import { ApiError, pointerTo, problem, throwIfProblems } from '../errors.ts';
import { type Key, type TenantName, tenantLinkKey } from '../table/keys.ts';
import { isMissingIn, type Snapshot } from '../table/optimistic-write.ts';
import { type Action, maximumTransactionActions } from '../table/table.ts';
import { type LinkedUser, linkedCheck, userNotLinked } from '../tenants/tenant-links.store.ts';
import { maximumBatchLines, pointerToEntry } from './drafts/draft.ts';
import { idempotencyGuardActions, type RequestIdentity } from './entry-guards.store.ts';
import { recordingOf, withBlocks } from './entry-recording.store.ts';
import type { ApiEntry, JournalEntry, UnnumberedEntry } from './journal-entry.ts';

/**
 * The share of a transaction's 4 MB (DynamoDB Developer Guide, "Quotas") for the sheets that a
 * batch changes. A single sheet is always smaller.
 */
const maximumSheetBytes = 2 ** 20;

/** A new entry of a request, its place in the request, and the random part of its id. */
export type NewEntry = {
  entry: UnnumberedEntry<ApiEntry>;
  index: number;
  random: Uint8Array;
};

type RequestToRecord = Omit<RequestIdentity, 'externalIds'> & {
  newEntries: readonly NewEntry[];
  /** The keys of the entries that were recorded before; undefined for new ones. */
  recordedKeys: readonly (Key | undefined)[];
  /** The users who post, by their ids. The tenant must be linked to each. */
  users: ReadonlyMap<string, LinkedUser>;
};

const batchTooLarge = (params: Record<string, number>): ApiError =>
  new ApiError('validation_failed', {
    details: [problem('batch_too_large', pointerTo('journal_entries'), params)],
  });

/**
 * Checks that the reply has room for all entries of a request. Entries that were recorded before
 * come with all of their lines, even if the request has fewer.
 * @throws ApiError `validation_failed` with `batch_too_large`
 */
export const assertRoomInReply = (entries: readonly Pick<JournalEntry, 'lines'>[]): void => {
  const lines = entries.reduce((sum, entry) => sum + entry.lines.length, 0);
  if (lines > maximumBatchLines) throw batchTooLarge({ lines, maximum_lines: maximumBatchLines });
};

/**
 * Numbers the new entries of a request and makes the actions that record them.
 * @param furtherActions the other actions of the transaction
 * @throws ApiError `validation_failed` if a user is not linked to the tenant, if a sheet has no
 *   room, or if the actions do not fit into one transaction
 */
export const requestRecordingOf = (
  name: TenantName,
  { newEntries, recordedKeys, users, idempotencyKey, isBatch }: RequestToRecord,
  {
    snapshot,
    furtherActions = () => [],
  }: { snapshot: Snapshot; furtherActions?: (entries: readonly JournalEntry[]) => Action[] },
): { entries: JournalEntry[]; actions: Action[] } => {
  const pointers = newEntries.map(({ index }) => pointerToEntry(index, { isBatch }));
  const userOf = ({ entry: { userId } }: NewEntry) =>
    userId === null ? undefined : users.get(userId);
  throwIfProblems(
    newEntries.flatMap((it, index) => {
      const user = userOf(it);
      const isUnlinked = user && isMissingIn(snapshot, tenantLinkKey(user, name.schemaName));
      return isUnlinked ? [userNotLinked(pointers[index])] : [];
    }),
  );
  const entries = newEntries.map(({ entry, random }, index) => ({
    entry,
    random,
    isKeyed: idempotencyKey !== undefined,
    pointer: pointers[index] ?? '',
  }));
  const recording = recordingOf(name, { series: 'MJ', entries }, snapshot);
  const posters = new Set(newEntries.flatMap((it) => userOf(it) ?? []));
  const newKeys = recording.recorded.map(({ key }) => key);
  const keys = recordedKeys.flatMap((key) => key ?? newKeys.shift() ?? []);
  const newPlaces = recordedKeys.flatMap((key, place) => (key === undefined ? place : []));
  const recorded = newPlaces.length === keys.length ? true : newPlaces;
  const journals = recording.recorded.map(({ entry }) => entry);
  const actions: Action[] = [
    ...recording.actions,
    ...[...posters].map((user) => linkedCheck(user, name)),
    ...furtherActions(journals),
    ...idempotencyGuardActions(name, idempotencyKey, { keys, recorded, isBatch }),
  ];
  if (actions.length > maximumTransactionActions) {
    throw batchTooLarge({ writes: actions.length, maximum_writes: maximumTransactionActions });
  }
  const { sheetBytes } = recording;
  if (sheetBytes > maximumSheetBytes) {
    throw batchTooLarge({ bytes_of_dates: sheetBytes, maximum_bytes_of_dates: maximumSheetBytes });
  }
  return { entries: journals, actions: withBlocks(actions, recording.blocks) };
};
