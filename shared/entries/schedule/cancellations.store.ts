// Cancels scheduled entries. A cancelled entry keeps its number and external_id and never counts.

import { updateAction } from '../../table/field-updates.ts';
import { entryPrefix, type Key, keyText, type TenantName } from '../../table/keys.ts';
import { markerKeys, markerPrefixes } from '../../table/list-keys.ts';
import type { MigrationStep } from '../../table/migration-step.ts';
import {
  type Decision,
  itemIn,
  type Snapshot,
  writeOptimistically,
} from '../../table/optimistic-write.ts';
import type { ContentionBudget } from '../../table/retry.ts';
import {
  type Action,
  type Item,
  ifNotExists,
  type PutAction,
  type Table,
} from '../../table/table.ts';
import { namedAccountsOf, replaceScheduledAction, storedFieldsOf } from '../entry-items.store.ts';
import { keyOfEntryId } from '../entry-lookups.store.ts';
import { openEntryReader } from '../entry-reader.store.ts';
import type { JournalEntry } from '../journal-entry.ts';

/** A cancelled entry, and whether an earlier request cancelled it. */
export type CancelledEntry = { entry: JournalEntry; replayed: boolean };

/**
 * The actions that cancel a scheduled entry. If it is a reversal, its original can be reversed
 * again. The due date stays in the due index until a run finds no scheduled entries for it.
 */
const cancelActions = (
  name: TenantName,
  entry: JournalEntry & { cancelledAt: string },
): Action[] => {
  const { entryId, postingDate, reverses, cancelledAt } = entry;
  const key = keyOfEntryId(name, entryId);
  const markers = markerKeys(key, postingDate);
  return [
    replaceScheduledAction(key, entry),
    // The condition on the entry covers these two items too.
    { delete: markers.scheduled },
    { put: { ...markers.cancelled, cancelledAt, ...namedAccountsOf(entry) } },
    ...(reverses === null
      ? []
      : [
          updateAction(keyOfEntryId(name, reverses), {
            // `journal_entry.posted` must not be recorded again.
            set: { reversedBy: undefined, reversalCancelledAt: cancelledAt },
            expected: { reversedBy: entryId },
          }),
        ]),
  ];
};

const isCancelled = ({ sk, status }: Item): boolean =>
  status === 'cancelled' && String(sk).startsWith(entryPrefix);

/** Lists the cancelled entries of the stored format 5, which no items named. */
export const listCancelled: MigrationStep = {
  name: 'lists of cancelled entries',
  start: () => {
    const cancelled: PutAction[] = [];
    const listed = new Set<string>();
    return {
      convert: (item) => {
        const key = item as Key;
        if (isCancelled(item)) {
          const fields = storedFieldsOf([item]);
          const marker = markerKeys(key, '').cancelled;
          cancelled.push({
            put: { ...marker, ...(fields && namedAccountsOf(fields)) },
            condition: ifNotExists,
          });
        } else if (key.sk.startsWith(markerPrefixes.cancelled)) listed.add(keyText(key));
        return [];
      },
      finish: () =>
        cancelled.filter(({ put }) => !listed.has(keyText(put as Key))).map((action) => [action]),
    };
  },
};

export type EntryCancellations = ReturnType<typeof openEntryCancellations>;

export const openEntryCancellations = (table: Table) => {
  const reader = openEntryReader(table);

  return {
    /**
     * Cancels an entry, or replays an earlier cancellation.
     * @param read the entry before the cancellation
     * @returns `not_scheduled` for a posted entry
     */
    cancel: (
      name: TenantName,
      read: JournalEntry,
      {
        cancelledAt,
        cancelledWithKey,
        budget,
      }: { cancelledAt: string; cancelledWithKey: string; budget: ContentionBudget },
    ): Promise<CancelledEntry | 'not_scheduled'> => {
      const key = keyOfEntryId(name, read.entryId);
      const decide = async (
        snapshot: Snapshot,
      ): Promise<Decision<CancelledEntry | 'not_scheduled'>> => {
        const item = itemIn(snapshot, key);
        const entry = item ? await reader.get(key, [item]) : read;
        if (entry.status === 'cancelled') return { result: { entry, replayed: true } };
        if (entry.status === 'posted') return { result: 'not_scheduled' };
        const cancelled = { ...entry, status: 'cancelled' as const, cancelledAt, cancelledWithKey };
        return {
          result: { entry: cancelled, replayed: false },
          actions: cancelActions(name, cancelled),
        };
      };
      return writeOptimistically(table, new Map(), { decide, reread: [key], budget });
    },
  };
};
