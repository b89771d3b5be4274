// Scheduled entries: found when they are due, and posted, so that they count from then on.

import * as z from 'zod/mini';
import { countEntry } from '../domain/entries/day-sheet.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { sheetAction, sheetOf } from './day-sheets.ts';
import { listDueItems } from './due-index.ts';
import { readEntry } from './entry-items.ts';
import {
  dueShards,
  dueTimeOf,
  type Key,
  keyText,
  postingDateKeys,
  readEntryKey,
  sheetKey,
  type TenantName,
  tenantNameOf,
} from './keys.ts';
import { retryOnContention } from './retry.ts';
import { type Action, type Item, type Table, transactionOf } from './table.ts';
import { findWhole } from './whole-entries.ts';

/** Where an entry is, as the due index names it, and the date on which it is to count. */
export const DueEntry = z.object({ pk: z.string(), sk: z.string(), postingDate: z.string() });
export type DueEntry = z.infer<typeof DueEntry>;

/** Each entry takes three actions of a transaction's hundred, and their sheet one. */
export const maximumDueEntries = 32;

/** A scheduled entry with where it is. */
type Waiting = { key: Key; entry: JournalEntry };

export type ScheduledEntries = ReturnType<typeof openScheduledEntries>;

export const openScheduledEntries = (table: Table) => {
  /** The whole entry; the further lines of a long one are read apart. */
  const readWhole = async (key: Key, header: Item): Promise<JournalEntry> => {
    const entry = readEntry([header]) ?? (await findWhole(table, key));
    if (entry === undefined) throw new Error('a due entry lacks some of its lines');
    return entry;
  };

  /** Those of these entries that are scheduled still, and the sheet on which they will count. */
  const readDue = async (sheet: Key, keys: readonly Key[]) => {
    const items = await table.getMany([sheet, ...keys]);
    const entries = await Promise.all(
      keys.map(async (key): Promise<Waiting[]> => {
        const header = items.get(keyText(key));
        if (header === undefined) throw new Error('a due entry is not there');
        const entry = await readWhole(key, header);
        return entry.status === 'scheduled' ? [{ key, entry }] : [];
      }),
    );
    return { sheet: sheetOf(items.get(keyText(sheet))), waiting: entries.flat() };
  };

  return {
    /** Yields the scheduled entries that are due on `date` or were before it. */
    listDue: async function* (date: string): AsyncGenerator<DueEntry> {
      for await (const { due_sk, ...key } of listDueItems(table, {
        partitions: dueShards,
        by: date,
      })) {
        yield { ...key, postingDate: dueTimeOf(due_sk) };
      }
    },

    /**
     * Posts scheduled entries of one tenant, series and posting date, at most `maximumDueEntries`,
     * in their order, and returns how many of them were not posted before. All of them count on
     * their date in one write.
     */
    post: (due: readonly DueEntry[], postedAt: string): Promise<number> => {
      const [first] = due;
      if (first === undefined) return Promise.resolve(0);
      const name = tenantNameOf(first);
      if (name === undefined) throw new Error('a due entry belongs to no tenant');
      const { series } = readEntryKey(first);
      const of = { series, date: first.postingDate };
      const keys = due.map(({ pk, sk }) => ({ pk, sk }));
      const read = async () => {
        const { sheet, waiting } = await readDue(sheetKey(name, of), keys);
        const actions = postingActions(name, { of, sheet, waiting, postedAt });
        return { count: waiting.length, transaction: transactionOf(actions) };
      };
      let asked: Awaited<ReturnType<typeof read>> | undefined;
      return retryOnContention(async () => {
        asked ??= await read();
        if (asked.count === 0) return 0;
        const outcome = await table.tryTransact(asked.transaction);
        if (outcome?.committed) return asked.count;
        // Another run or a post came in between; contention alone is met by the same transaction
        // again, so that one whose reply was lost is known for ours.
        if (outcome) asked = undefined;
        return undefined;
      });
    },
  };
};

/** The actions by which these entries count, one after the other, from this moment on. */
const postingActions = (
  name: TenantName,
  {
    of,
    sheet,
    waiting,
    postedAt,
  }: {
    of: Parameters<typeof sheetKey>[1];
    sheet: ReturnType<typeof sheetOf>;
    waiting: readonly Waiting[];
    postedAt: string;
  },
): Action[] => {
  let after = sheet;
  const actions = waiting.flatMap(({ key, entry }): Action[] => {
    const counted = countEntry(entry, after);
    after = counted.sheet;
    const places = postingDateKeys(key, entry.postingDate);
    return [
      {
        update: key,
        expression:
          'SET #status = :posted, postedAt = :postedAt, postingSequence = :sequence, ' +
          '#hash = :hash REMOVE due_pk, due_sk',
        condition: '#status = :scheduled',
        names: { '#status': 'status', '#hash': 'hash' },
        values: {
          ...{ ':posted': 'posted', ':scheduled': 'scheduled', ':postedAt': postedAt },
          ...{ ':sequence': counted.entry.postingSequence, ':hash': counted.entry.hash },
        },
      },
      { delete: places.scheduled },
      // The entry's own condition stands for these two.
      { put: places.posted },
    ];
  });
  return [sheetAction(name, of, { before: sheet, after }), ...actions];
};
