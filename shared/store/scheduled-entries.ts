// Scheduled entries: found under the dates on which they are due, and posted, so that they count
// from then on.

import * as z from 'zod/mini';
import { countEntry } from '../domain/entries/day-sheet.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { WorkStuck } from '../domain/stuck-work.ts';
import { ApiError } from '../errors.ts';
import { hasRoom, sheetAction, sheetOf } from './day-sheets.ts';
import { readEntry } from './entry-items.ts';
import {
  dateOfPlace,
  entryKeyUnderDate,
  type Key,
  keyText,
  postingDateKeys,
  readEntryKey,
  scheduledOn,
  sheetKey,
  type TenantName,
  tenantNameOf,
} from './keys.ts';
import { retryOnContention } from './retry.ts';
import { type Action, type Item, type Table, transactionOf } from './table.ts';
import { findWhole } from './whole-entries.ts';

/** Where a scheduled entry is, and the date on which it is to count. */
export const DueEntry = z.object({ pk: z.string(), sk: z.string(), postingDate: z.string() });
export type DueEntry = z.infer<typeof DueEntry>;

/** Each entry takes three actions of a transaction's hundred, and their sheet one. */
export const maximumDueEntries = 32;

/** Others wait for their turns while a run tries again to post on a date that is contended. */
const contentionMilliseconds = 3_000;

/** A scheduled entry with where it is. */
type Waiting = { key: Key; entry: JournalEntry };

/** Some of a date's entries that are due, and the place from which to go on, if there are more. */
export type DueEntryPage = { entries: DueEntry[]; next: Item | undefined };

/** How many entries were posted, and how many cannot be read. The others were posted before. */
export type PostedEntries = { posted: number; unreadable: number };

export type ScheduledEntries = ReturnType<typeof openScheduledEntries>;

export const openScheduledEntries = (table: Table) => {
  /** The whole entry, or `undefined` if it cannot be read. */
  const readWhole = async (
    key: Key,
    header: Item | undefined,
  ): Promise<JournalEntry | undefined> => {
    try {
      // The further lines of a long entry are read apart.
      return header && (readEntry([header]) ?? (await findWhole(table, key)));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      return undefined;
    }
  };

  /** Those of these entries that are scheduled still, and the sheet on which they will count. */
  const readDue = async (sheet: Key, keys: readonly Key[]) => {
    const items = await table.getMany([sheet, ...keys]);
    const entries = await Promise.all(
      keys.map(async (key) => ({ key, entry: await readWhole(key, items.get(keyText(key))) })),
    );
    const readable = entries.filter((it): it is Waiting => it.entry !== undefined);
    return {
      sheet: sheetOf(items.get(keyText(sheet))),
      waiting: readable.filter(({ entry }) => entry.status === 'scheduled'),
      unreadable: entries.length - readable.length,
    };
  };

  return {
    /** A page of the entries that are scheduled for a date, in their order. */
    listPage: async (dueDate: Key, from?: Item): Promise<DueEntryPage> => {
      const postingDate = dateOfPlace(dueDate);
      const query = {
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :date)',
        ExpressionAttributeValues: { ':pk': dueDate.pk, ':date': scheduledOn(postingDate) },
        Limit: maximumDueEntries,
      };
      const { items, next } = await table.queryPage(query, from);
      const entries = items.map((item) => ({ ...entryKeyUnderDate(item as Key), postingDate }));
      return { entries, next };
    },

    /**
     * Posts scheduled entries of one tenant, series and posting date, at most `maximumDueEntries`,
     * in their order. All of them count on their date in one write.
     * @throws WorkStuck `date_full` if the sheet of their date has no room for all of them
     */
    post: async (due: readonly DueEntry[], postedAt: string): Promise<PostedEntries> => {
      const [first] = due;
      if (first === undefined) return { posted: 0, unreadable: 0 };
      const name = tenantNameOf(first);
      if (name === undefined) throw new Error('a due entry belongs to no tenant');
      const { series } = readEntryKey(first);
      const of = { series, date: first.postingDate };
      const keys = due.map(({ pk, sk }) => ({ pk, sk }));
      const read = async () => {
        const { sheet, waiting, unreadable } = await readDue(sheetKey(name, of), keys);
        const actions = postingActions(name, { of, sheet, waiting, postedAt });
        const result = { posted: waiting.length, unreadable };
        return { result, transaction: transactionOf(actions) };
      };
      let attempt: Awaited<ReturnType<typeof read>> | undefined;
      return retryOnContention(
        async () => {
          attempt ??= await read();
          if (attempt.result.posted === 0) return attempt.result;
          const outcome = await table.tryTransact(attempt.transaction);
          if (outcome?.committed) return attempt.result;
          // Another run or a post came in between; contention alone is met by the same transaction
          // again, so that one whose reply was lost is known for ours.
          if (outcome) attempt = undefined;
          return undefined;
        },
        { milliseconds: contentionMilliseconds },
      );
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
          'SET #status = :posted, postedAt = :postedAt, postingSequence = :sequence, #hash = :hash',
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
  if (waiting.length > 0 && !hasRoom(after)) throw new WorkStuck('date_full');
  return [sheetAction(name, of, { before: sheet, after }), ...actions];
};
