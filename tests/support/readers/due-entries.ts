// The due entries that a run of the schedule finds.

import { openApplications } from '#shared/applications/applications.store.ts';
import { dueKeyOf, listDueItems, openDueWork } from '#shared/background/due-index.store.ts';
import { openDueDates } from '#shared/entries/schedule/due-dates.store.ts';
import { openEarlierDueEntries } from '#shared/entries/schedule/earlier-due-entries.store.ts';
import {
  type DueEntry,
  openScheduledEntries,
} from '#shared/entries/schedule/scheduled-entries.store.ts';
import { dueDatePartitions } from '#shared/table/due-keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** The stores of post-scheduled-entries. */
export const postingStoresOf = (table: Table) => ({
  applications: openApplications(table),
  dueWork: openDueWork(table),
  dueDates: openDueDates(table),
  earlierDueEntries: openEarlierDueEntries(table),
  scheduledEntries: openScheduledEntries(table),
});

/** Yields the scheduled entries that are due on a date or were before it. */
export async function* dueEntriesOf(table: Table, until: string): AsyncGenerator<DueEntry> {
  const { listPage } = openScheduledEntries(table);
  for await (const item of listDueItems(table, { partitions: dueDatePartitions, by: until })) {
    let from: Item | undefined;
    do {
      const { entries, next } = await listPage(dueKeyOf(item), from);
      yield* entries;
      from = next;
    } while (from !== undefined);
  }
}

/** Posts entries, grouped by tenant and date. Returns the number of posted ones. */
export const postEntries = async (
  table: Table,
  due: readonly DueEntry[],
  postedAt: string,
): Promise<number> => {
  let count = 0;
  const groups = Map.groupBy(due, ({ pk, postingDate }) => `${pk} ${postingDate}`);
  for (const group of groups.values()) {
    count += (await openScheduledEntries(table).post(group, postedAt)).posted;
  }
  return count;
};
