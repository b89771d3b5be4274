// Posts the scheduled entries of one tenant and date, one transaction at a time.

import type { Step } from '../../background/background-turns.service.ts';
import { WorkStuck } from '../../background/stuck-work.ts';
import type { Key } from '../../table/keys.ts';
import type { DueDates } from './due-dates.store.ts';
import type { DueEntryPage, PostedEntries, ScheduledEntries } from './scheduled-entries.store.ts';

export type PostingStores = {
  dueDates: Pick<DueDates, 'findRevision' | 'remove'>;
  scheduledEntries: Pick<ScheduledEntries, 'listPage' | 'post'>;
};

/** One pass over the entries of a date. */
type Pass = {
  revision: number;
  from: DueEntryPage['next'];
  left: Pick<PostedEntries, 'unreadable' | 'altered'>;
};

/**
 * Each step posts as many entries of the date as fit into one transaction. Unreadable and
 * altered entries are skipped; once all others are posted, the step throws `WorkStuck`.
 * @param onPosted receives the number of entries that a step has posted
 */
export const postDueDate = (
  { dueDates, scheduledEntries }: PostingStores,
  dueDate: Key,
  { clock, onPosted }: { clock: () => Date; onPosted: (posted: number) => void },
): Step => {
  let pass: Pass | undefined;

  const begin = async (): Promise<Pass | undefined> => {
    // Read before the list: an entry scheduled in the meantime changes the revision.
    const revision = await dueDates.findRevision(dueDate);
    return revision === undefined
      ? undefined
      : { revision, from: undefined, left: { unreadable: 0, altered: 0 } };
  };

  return async () => {
    pass ??= await begin();
    if (pass === undefined) return 'done';
    const { entries, next } = await scheduledEntries.listPage(dueDate, pass.from);
    const { posted, ...left } = await scheduledEntries.post(entries, clock().toISOString());
    onPosted(posted);
    pass.left.unreadable += left.unreadable;
    pass.left.altered += left.altered;
    pass.from = next;
    if (next !== undefined) return 'more';
    if (pass.left.altered > 0) throw new WorkStuck('entry_altered');
    if (pass.left.unreadable > 0) throw new WorkStuck('entry_unreadable');
    if (await dueDates.remove(dueDate, pass.revision)) return 'done';
    pass = undefined;
    return 'more';
  };
};
