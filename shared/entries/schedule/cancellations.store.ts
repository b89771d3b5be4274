// Cancels scheduled entries: a cancelled entry never counts, and keeps its number and external_id.

import { postingDateKeys, type TenantName } from '../../table/keys.ts';
import {
  type Decision,
  itemIn,
  type Snapshot,
  writeOptimistically,
} from '../../table/optimistic-write.ts';
import type { ContentionBudget } from '../../table/retry.ts';
import type { Action, Table } from '../../table/table.ts';
import { keyOfEntryId } from '../entry-lookups.store.ts';
import { openEntryReader } from '../entry-reader.store.ts';
import type { JournalEntry } from '../journal-entry.ts';

/** A cancelled entry, and whether an earlier request cancelled it. */
export type CancelledEntry = { entry: JournalEntry; replayed: boolean };

/**
 * The actions that cancel a scheduled entry and, if it is a reversal, free its original. Its
 * posting date stays in the due index; the run that finds nothing scheduled for the date removes
 * it.
 */
const cancelActions = (
  name: TenantName,
  { entryId, postingDate, reverses }: JournalEntry,
  cancelledAt: string,
): Action[] => {
  const key = keyOfEntryId(name, entryId);
  return [
    {
      update: key,
      expression: 'SET #status = :cancelled, cancelledAt = :cancelledAt',
      condition: '#status = :scheduled',
      names: { '#status': 'status' },
      values: {
        ':cancelled': 'cancelled',
        ':scheduled': 'scheduled',
        ':cancelledAt': cancelledAt,
      },
    },
    // The condition on the entry covers this item too.
    { delete: postingDateKeys(key, postingDate).scheduled },
    ...(reverses === null
      ? []
      : [
          {
            update: keyOfEntryId(name, reverses),
            expression: 'REMOVE reversedBy',
            condition: 'reversedBy = :reversal',
            values: { ':reversal': entryId },
          },
        ]),
  ];
};

export type EntryCancellations = ReturnType<typeof openEntryCancellations>;

export const openEntryCancellations = (table: Table) => {
  const reader = openEntryReader(table);

  return {
    /**
     * Cancels an entry, unless it is cancelled already. If it is a reversal, the same write frees
     * its original, which can be reversed again.
     *
     * @param read the entry as it was read
     * @returns `not_scheduled` if it is posted
     */
    cancel: (
      name: TenantName,
      read: JournalEntry,
      { cancelledAt, budget }: { cancelledAt: string; budget: ContentionBudget },
    ): Promise<CancelledEntry | 'not_scheduled'> => {
      const key = keyOfEntryId(name, read.entryId);
      const decide = async (
        snapshot: Snapshot,
      ): Promise<Decision<CancelledEntry | 'not_scheduled'>> => {
        const item = itemIn(snapshot, key);
        const entry = item ? await reader.get(key, [item]) : read;
        if (entry.status === 'cancelled') return { result: { entry, replayed: true } };
        if (entry.status === 'posted') return { result: 'not_scheduled' };
        return {
          result: { entry: { ...entry, status: 'cancelled', cancelledAt }, replayed: false },
          actions: cancelActions(name, entry, cancelledAt),
        };
      };
      return writeOptimistically(table, new Map(), { decide, reread: [key], budget });
    },
  };
};
