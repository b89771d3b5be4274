// Journals imported from a platform: each once, by the platform's own reference, numbered without
// gaps in a series of their own.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { countEntry, type DaySheet, withNumberGiven } from '../domain/entries/day-sheet.ts';
import { entryIdOf, entryIdRandomBytes } from '../domain/entries/entry-ids.ts';
import { maximumImportedLines } from '../domain/entries/imported-journals.ts';
import {
  type ImportedJournal,
  journalNumber,
  type UnnumberedEntry,
} from '../domain/entries/journal-entry.ts';
import { isLocked } from '../domain/period-lock.ts';
import { openDaySheets, rowsBytesOf, sheetAction, sheetOf } from './day-sheets.ts';
import { entryActions, linesPerItem } from './entry-items.ts';
import {
  entryKey,
  journalReferenceKey,
  keyText,
  sheetKey,
  type TenantName,
  tenantKey,
} from './keys.ts';
import { retryOnContention } from './retry.ts';
import { type Action, ifNotExists, type Table, type Transaction, transactionOf } from './table.ts';

/**
 * What is kept of a journal as it was at its platform: a hash of its content, and what was assumed
 * to import it. Journals that were imported before this was kept have nothing of it.
 */
const JournalOrigin = z.object({
  contentHash: z.optional(z.string()),
  assumption: z.optional(z.literal('tax_clearing_used')),
});
export type JournalOrigin = z.infer<typeof JournalOrigin>;

/** An imported journal before it has its number. */
export type UnnumberedJournal = UnnumberedEntry<ImportedJournal>;

/** A journal to be recorded, and what it was like at its platform. */
export type JournalToRecord = { journal: UnnumberedJournal; origin: JournalOrigin };

/**
 * What became of journals that were to be recorded: how many were new, and the references of those
 * that were not recorded since they are in the locked period, with the lock that they met.
 */
export type RecordedJournals = { recorded: number; locked: string[]; lockDate: string | null };

type NewRandom = (size: number) => Uint8Array;

/** What of its tenant decides on a journal. */
const Locked = z.object({ lockDate: z.optional(z.string()) });

const series = 'IJ';

/** A transaction takes a hundred actions and 4 MB (DynamoDB Developer Guide, "Quotas"). */
const maximumActions = 100;

/** So much room is left for sheets beside the longest lines; a single sheet has less than that. */
const maximumRowsBytes = 400 * 1024;

/** The most actions that a journal takes: sheet, guard, and its items. */
const actionsOf = ({ journal }: JournalToRecord): number =>
  2 + Math.ceil(journal.lines.length / linesPerItem);

/** Divides journals, in their order, into batches that fit into one transaction each. */
const batchesOf = (journals: readonly JournalToRecord[]): JournalToRecord[][] => {
  const batches: JournalToRecord[][] = [];
  let room = { actions: 0, lines: 0 };
  for (const journal of journals) {
    const needed = { actions: actionsOf(journal), lines: journal.journal.lines.length };
    const fits = needed.actions <= room.actions && needed.lines <= room.lines;
    if (!fits) {
      batches.push([]);
      room = { actions: maximumActions, lines: maximumImportedLines };
    }
    batches.at(-1)?.push(journal);
    room = { actions: room.actions - needed.actions, lines: room.lines - needed.lines };
  }
  return batches;
};

export type ImportedJournals = ReturnType<typeof openImportedJournals>;

/** @param newRandom as many random bytes as it is asked for, for the ids of entries */
export const openImportedJournals = (table: Table, newRandom: NewRandom = randomBytes) => {
  /**
   * What becomes of a batch, and the transaction that records what is new. The tenant is read with
   * it, as shortly before as a post reads it: a lock is in force soon (domain/period-lock.ts), and
   * what was read is used for no longer than contention is met.
   */
  const readBatch = async (
    name: TenantName,
    batch: readonly JournalToRecord[],
  ): Promise<{ result: RecordedJournals; transaction: Transaction; rowsBytes: number }> => {
    const dates = [...new Set(batch.map(({ journal }) => journal.date))];
    const guardOf = ({ journal }: JournalToRecord) =>
      journalReferenceKey(name, journal.platformReference);
    const items = await table.getMany([
      tenantKey(name),
      ...batch.map(guardOf),
      ...dates.map((date) => sheetKey(name, { series, date })),
    ]);
    const tenant = Locked.parse(items.get(keyText(tenantKey(name))) ?? {});
    const unknown = batch.filter((it) => !items.has(keyText(guardOf(it))));
    const [locked = [], fresh = []] = [true, false].map((isSo) =>
      unknown.filter(({ journal }) => isLocked(journal.postingDate, tenant) === isSo),
    );
    const ofDates = dates.map((date) =>
      actionsOfDate(name, {
        date,
        journals: fresh.filter(({ journal }) => journal.date === date),
        before: sheetOf(items.get(keyText(sheetKey(name, { series, date })))),
        newRandom,
      }),
    );
    return {
      result: {
        recorded: fresh.length,
        locked: locked.map(({ journal }) => journal.platformReference),
        lockDate: locked.length > 0 ? (tenant.lockDate ?? null) : null,
      },
      transaction: transactionOf(ofDates.flat()),
      rowsBytes: ofDates.reduce((sum, [sheet]) => sum + rowsBytesOf(sheet), 0),
    };
  };

  const recordBatch = (
    name: TenantName,
    batch: readonly JournalToRecord[],
  ): Promise<RecordedJournals> => {
    let read: Awaited<ReturnType<typeof readBatch>> | undefined;
    return retryOnContention(async () => {
      read ??= await readBatch(name, batch);
      if (read.result.recorded === 0) return read.result;
      if (read.rowsBytes > maximumRowsBytes && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        const first = await recordBatch(name, batch.slice(0, middle));
        return bothOf(first, await recordBatch(name, batch.slice(middle)));
      }
      const outcome = await table.tryTransact(read.transaction);
      if (outcome?.committed) return read.result;
      // Somebody else came in between; contention alone is met by the same transaction again.
      if (outcome) read = undefined;
      return undefined;
    });
  };

  return {
    /** Those of these references that were imported before, with what was kept of each. */
    findKnown: async (
      name: TenantName,
      references: readonly string[],
    ): Promise<Map<string, JournalOrigin>> => {
      const items = await table.getMany(references.map((it) => journalReferenceKey(name, it)));
      return new Map(
        references.flatMap((it) => {
          const item = items.get(keyText(journalReferenceKey(name, it)));
          return item ? [[it, JournalOrigin.parse(item)] as const] : [];
        }),
      );
    },

    /** How many there are: every one of them counts on its date. */
    count: async (name: TenantName): Promise<number> =>
      (await openDaySheets(table).list(name))
        .filter((sheet) => sheet.series === series)
        .reduce((total, { counted }) => total + counted, 0),

    /**
     * Records journals under the next numbers of their dates, but for those in the locked period.
     * Numbers, sheets, entries and guards are one write for each batch: what a crash leaves is
     * whole.
     * No reference may come twice.
     */
    record: async (
      name: TenantName,
      journals: readonly JournalToRecord[],
    ): Promise<RecordedJournals> => {
      let result: RecordedJournals = { recorded: 0, locked: [], lockDate: null };
      for (const batch of batchesOf(journals)) {
        result = bothOf(result, await recordBatch(name, batch));
      }
      return result;
    },
  };
};

const bothOf = (one: RecordedJournals, other: RecordedJournals): RecordedJournals => ({
  recorded: one.recorded + other.recorded,
  locked: [...one.locked, ...other.locked],
  lockDate: other.lockDate ?? one.lockDate,
});

const actionsOfDate = (
  name: TenantName,
  {
    date,
    journals,
    before,
    newRandom,
  }: { date: string; journals: JournalToRecord[]; before: DaySheet; newRandom: NewRandom },
): Action[] => {
  if (journals.length === 0) return [];
  let after = before;
  const actions = journals.flatMap(({ journal, origin }): Action[] => {
    const place = { series, date, sequence: after.lastSequence + 1 } as const;
    const key = entryKey(name, place);
    const numbered = {
      ...{ entryId: entryIdOf(place, newRandom(entryIdRandomBytes)) },
      ...{ journalNumber: journalNumber(place), ...journal },
    };
    const counted = countEntry(numbered, withNumberGiven(after));
    after = counted.sheet;
    return [
      {
        put: {
          ...journalReferenceKey(name, journal.platformReference),
          entrySk: key.sk,
          ...origin,
        },
        condition: ifNotExists,
      },
      ...entryActions(key, counted.entry),
    ];
  });
  return [sheetAction(name, { series, date }, { before, after }), ...actions];
};
