// Cancels scheduled entries: they never count, and keep their number and their external_id.

import { BooksDiffer } from '../domain/entries/entry-checks.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { keyOfEntryId } from './entry-lookups.ts';
import { postingDateKeys, type TenantName } from './keys.ts';
import { type ContentionBudget, retryOnContention } from './retry.ts';
import { type Action, type Table, transactionOf } from './table.ts';
import { getWhole } from './whole-entries.ts';

/** A cancelled entry, and whether it was cancelled by an earlier request. */
export type CancelledEntry = { entry: JournalEntry; replayed: boolean };

/**
 * The actions by which an entry leaves what is scheduled, and frees what it reverses. Its date
 * stays listed as due; the run that finds nothing scheduled for it removes it.
 */
const cancelActions = (
  name: TenantName,
  { entryId, postingDate, reverses }: JournalEntry,
  cancelledAt: string,
): Action[] => {
  const key = keyOfEntryId(name, entryId);
  const cancellation: Action = {
    update: key,
    expression: 'SET #status = :cancelled, cancelledAt = :cancelledAt',
    condition: '#status = :scheduled',
    names: { '#status': 'status' },
    values: {
      ...{ ':cancelled': 'cancelled', ':scheduled': 'scheduled' },
      ':cancelledAt': cancelledAt,
    },
  };
  // The entry's own condition stands for this one.
  const unlisting: Action = { delete: postingDateKeys(key, postingDate).scheduled };
  if (reverses === null) return [cancellation, unlisting];
  const release: Action = {
    update: keyOfEntryId(name, reverses),
    expression: 'REMOVE reversedBy',
    condition: 'reversedBy = :reversal',
    values: { ':reversal': entryId },
  };
  return [cancellation, unlisting, release];
};

export type EntryCancellations = ReturnType<typeof openEntryCancellations>;

export const openEntryCancellations = (table: Table) => {
  return {
    /**
     * Cancels an entry, unless it is cancelled already. A cancelled reversal leaves its original as
     * if nobody had reversed it, in the same write.
     *
     * @param found the entry as it was read
     * @returns `not_scheduled` where it is posted
     */
    cancel: (
      name: TenantName,
      found: JournalEntry,
      { cancelledAt, budget }: { cancelledAt: string; budget: ContentionBudget },
    ): Promise<CancelledEntry | 'not_scheduled'> => {
      const transaction = transactionOf(cancelActions(name, found, cancelledAt));
      const key = keyOfEntryId(name, found.entryId);
      let entry = found;
      /** What there is to say of an entry that is not scheduled; `undefined` where it is. */
      const settled = (): CancelledEntry | 'not_scheduled' | undefined => {
        if (entry.status === 'cancelled') return { entry, replayed: true };
        return entry.status === 'posted' ? 'not_scheduled' : undefined;
      };
      const before = settled();
      if (before !== undefined) return Promise.resolve(before);
      return retryOnContention<CancelledEntry | 'not_scheduled'>(
        async () => {
          const outcome = await table.tryTransact(transaction);
          if (outcome === undefined) return undefined;
          if (outcome.committed) {
            const cancelled = { ...entry, status: 'cancelled', cancelledAt } as const;
            return { entry: cancelled, replayed: false };
          }
          entry = await getWhole(table, key);
          // Where another cancellation is about to be done, its items show up one by one.
          if (entry.status === 'scheduled' && !outcome.contended) {
            throw new BooksDiffer(`${entry.journalNumber} is not what its original is reversed by`);
          }
          return settled();
        },
        { ...budget, mayBeDone: () => transaction.mayBeDone === true },
      );
    },
  };
};
