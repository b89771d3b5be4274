// Lists the scheduled entries of a due date and posts them.

import { WorkStuck } from '../../background/stuck-work.ts';
import { ApiError } from '../../errors.ts';
import { countEntry, type SheetName } from '../../sheets/day-sheet.ts';
import { hasRoom, sheetActions } from '../../sheets/day-sheets.store.ts';
import { newSheetCheck, sheetIn } from '../../sheets/new-sheets.store.ts';
import {
  dateOfPlace,
  type Key,
  keyOfItem,
  readEntryKey,
  sheetKey,
  type TenantName,
  tenantNameOf,
} from '../../table/keys.ts';
import { entryKeyUnderDate, markerKeys, scheduledOn } from '../../table/list-keys.ts';
import {
  type Decision,
  itemIn,
  readSnapshot,
  type Snapshot,
  writeOptimistically,
} from '../../table/optimistic-write.ts';
import { prefixRange } from '../../table/sort-ranges.ts';
import type { Action, Item, Table } from '../../table/table.ts';
import { BooksDiffer } from '../entry-checks.ts';
import { hashOfScheduled } from '../entry-hash.ts';
import { replaceScheduledAction } from '../entry-items.store.ts';
import { openEntryReader } from '../entry-reader.store.ts';
import type { EntryWithKey } from '../entry-recording.store.ts';
import type { JournalEntry } from '../journal-entry.ts';

/** The key of a scheduled entry, and its posting date. */
export type DueEntry = Key & { postingDate: string };

/** Each entry takes three actions of a transaction, and the sheet takes one more. */
export const maximumDueEntries = 32;

/** Short, because other tenants wait for their turns. */
const maximumContentionMilliseconds = 3_000;

/** A page of the due entries of a date. `next` is the item to continue after. */
export type DueEntryPage = { entries: DueEntry[]; next: Item | undefined };

/** The numbers of posted and of other entries. Entries without a number are not scheduled. */
export type PostedEntries = { posted: number; unreadable: number; altered: number };

/** Whether an entry differs from what was scheduled. Earlier formats stored no hash. */
const isAltered = (entry: JournalEntry): boolean =>
  entry.hash !== null && entry.hash !== hashOfScheduled(entry);

export type ScheduledEntries = ReturnType<typeof openScheduledEntries>;

export const openScheduledEntries = (table: Table) => {
  const reader = openEntryReader(table);

  /** The complete entry; `undefined` if its items are missing or invalid. */
  const findReadable = async (
    key: Key,
    item: Item | undefined,
  ): Promise<JournalEntry | undefined> => {
    try {
      return item && (await reader.find(key, [item]));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      return undefined;
    }
  };

  /** The entries without those that somebody has altered. Reads each alone, which is rare. */
  const soundOf = async (due: readonly DueEntry[]): Promise<DueEntry[]> => {
    const sound: DueEntry[] = [];
    for (const entry of due) {
      const isSound = await table.get(keyOfItem(entry)).then(
        () => true,
        (error: unknown) => {
          if (error instanceof BooksDiffer) return false;
          throw error;
        },
      );
      if (isSound) sound.push(entry);
    }
    return sound;
  };

  const postAll = async (due: readonly DueEntry[], postedAt: string): Promise<PostedEntries> => {
    const [first] = due;
    if (first === undefined) return { posted: 0, unreadable: 0, altered: 0 };
    const name = tenantNameOf(first);
    if (name === undefined) throw new Error('a due entry belongs to no tenant');
    const sheet = { series: readEntryKey(first).series, date: first.postingDate };
    const keys = due.map(keyOfItem);
    const reread = [sheetKey(name, sheet), ...keys];

    const decide = async (snapshot: Snapshot): Promise<Decision<PostedEntries>> => {
      const entries = await Promise.all(
        keys.map(async (key) => ({
          key,
          entry: await findReadable(key, itemIn(snapshot, key)),
        })),
      );
      const readable = entries.filter((it): it is EntryWithKey => it.entry !== undefined);
      const scheduled = readable.filter(({ entry }) => entry.status === 'scheduled');
      const unaltered = scheduled.filter(({ entry }) => !isAltered(entry));
      const result = {
        posted: unaltered.length,
        unreadable: entries.length - readable.length,
        altered: scheduled.length - unaltered.length,
      };
      if (unaltered.length === 0) return { result };
      return {
        result,
        actions: postingActions(name, { sheet, entries: unaltered, postedAt }, snapshot),
      };
    };
    return writeOptimistically(table, await readSnapshot(table, reread), {
      decide,
      reread,
      budget: { milliseconds: maximumContentionMilliseconds },
    });
  };

  return {
    /** A page of the entries that are scheduled for a date, ordered by their keys. */
    listPage: async (dueDate: Key, from?: Item): Promise<DueEntryPage> => {
      const postingDate = dateOfPlace(dueDate);
      const range = prefixRange(dueDate.pk, scheduledOn(postingDate));
      const query = { ...range, Limit: maximumDueEntries };
      const { items, next } = await table.queryPage(query, from);
      const entries = items.map((item) => ({ ...entryKeyUnderDate(keyOfItem(item)), postingDate }));
      return { entries, next };
    },

    /**
     * Posts up to `maximumDueEntries` entries of one tenant, series and posting date in one
     * transaction, in this order.
     * @throws WorkStuck `date_full` if the sheet of the date has no room for all entries
     */
    post: async (due: readonly DueEntry[], postedAt: string): Promise<PostedEntries> => {
      try {
        return await postAll(due, postedAt);
      } catch (error) {
        if (!(error instanceof BooksDiffer)) throw error;
        const sound = await soundOf(due);
        if (sound.length === due.length) throw error;
        const result = await postAll(sound, postedAt);
        return { ...result, altered: result.altered + due.length - sound.length };
      }
    },
  };
};

/** The actions that count these entries, in this order, on the sheet of their posting date. */
const postingActions = (
  name: TenantName,
  {
    sheet,
    entries,
    postedAt,
  }: {
    sheet: SheetName;
    entries: readonly EntryWithKey[];
    postedAt: string;
  },
  snapshot: Snapshot,
): Action[] => {
  const before = sheetIn(snapshot, name, sheet);
  let after = before;
  const entryActions = entries.flatMap(({ key, entry }): Action[] => {
    const counted = countEntry({ ...entry, status: 'posted' as const, postedAt }, after);
    after = counted.sheet;
    const places = markerKeys(key, entry.postingDate);
    return [
      replaceScheduledAction(key, counted.entry),
      // The condition on the entry covers these two items too.
      { delete: places.scheduled },
      { put: { ...places.posted, postedAt } },
    ];
  });
  if (!hasRoom(after)) throw new WorkStuck('date_full');
  return [
    ...sheetActions(name, sheet, { before, after }),
    ...newSheetCheck(name, new Map([[sheet.date, before]]), postedAt.slice(0, 10)),
    ...entryActions,
  ];
};
