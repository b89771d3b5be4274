// Posts the scheduled entries of a tenant's date, some with each step, until none is left.

import { WorkStuck } from '../domain/stuck-work.ts';
import type { DueDates } from '../store/due-dates.ts';
import type { Key } from '../store/keys.ts';
import type { DueEntryPage, ScheduledEntries } from '../store/scheduled-entries.ts';
import type { Step } from './background-turns.ts';

export type PostingStores = {
  dueDates: Pick<DueDates, 'findRevision' | 'remove'>;
  scheduledEntries: Pick<ScheduledEntries, 'listPage' | 'post'>;
};

/** A walk through the entries of a date, from its first to its last. */
type Pass = { revision: number; from: DueEntryPage['next']; unreadable: number };

/**
 * The step that posts the next entries of a date, as many as go into one transaction. Entries that
 * cannot be read are passed over; then the date is stuck once all others are posted.
 * @param onPosted is told how many entries a step has posted
 */
export const postDueDate = (
  { dueDates, scheduledEntries }: PostingStores,
  dueDate: Key,
  { clock, onPosted }: { clock: () => Date; onPosted: (posted: number) => void },
): Step => {
  let pass: Pass | undefined;

  const begin = async (): Promise<Pass | undefined> => {
    // Read before the entries are listed: what is scheduled later changes it.
    const revision = await dueDates.findRevision(dueDate);
    return revision === undefined ? undefined : { revision, from: undefined, unreadable: 0 };
  };

  return async () => {
    pass ??= await begin();
    if (pass === undefined) return 'done';
    const { entries, next } = await scheduledEntries.listPage(dueDate, pass.from);
    const { posted, unreadable } = await scheduledEntries.post(entries, clock().toISOString());
    onPosted(posted);
    pass = { ...pass, from: next, unreadable: pass.unreadable + unreadable };
    if (next !== undefined) return 'more';
    if (pass.unreadable > 0) throw new WorkStuck('entry_unreadable');
    if (await dueDates.remove(dueDate, pass.revision)) return 'done';
    pass = undefined;
    return 'more';
  };
};
