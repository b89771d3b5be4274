// What is scheduled for dates that have come, as a run of the schedule finds it.

import { openApplications } from '#shared/store/applications.ts';
import { openDueDates } from '#shared/store/due-dates.ts';
import { dueKeyOf, listDueItems, openDueWork } from '#shared/store/due-index.ts';
import { dueDatePartitions } from '#shared/store/due-keys.ts';
import { openEarlierDueEntries } from '#shared/store/earlier-due-entries.ts';
import { type DueEntry, openScheduledEntries } from '#shared/store/scheduled-entries.ts';
import type { Item, Table } from '#shared/store/table.ts';

/** What post-scheduled-entries is given of a table. */
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

/** Posts these entries, those of one tenant and date together, and returns how many it posted. */
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
