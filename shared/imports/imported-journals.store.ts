// Journals imported from a platform: each once, by the platform's own reference, numbered without
// gaps in a series of their own.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { entryIdRandomBytes } from '../entries/entry-ids.ts';
import { linesPerItem } from '../entries/entry-items.store.ts';
import { recordingOf, sheetKeysOf } from '../entries/entry-recording.store.ts';
import type { ImportedJournal, UnnumberedEntry } from '../entries/journal-entry.ts';
import { openDaySheets } from '../sheets/day-sheets.store.ts';
import { journalReferenceKey, keyText, type TenantName, tenantKey } from '../table/keys.ts';
import {
  type Decision,
  itemIn,
  readSnapshot,
  type Snapshot,
  writeOptimistically,
} from '../table/optimistic-write.ts';
import { maximumTransactionActions, type Table } from '../table/table.ts';
import { isLocked } from '../tenants/period-lock.ts';
import { maximumImportedLines } from './imported-journals.ts';

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

/**
 * The share of a transaction's 4 MB (DynamoDB Developer Guide, "Quotas") for sheets, next to the
 * longest lines. A single sheet is always smaller.
 */
const maximumSheetBytes = 400 * 1024;

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
      room = { actions: maximumTransactionActions, lines: maximumImportedLines };
    }
    batches.at(-1)?.push(journal);
    room = { actions: room.actions - needed.actions, lines: room.lines - needed.lines };
  }
  return batches;
};

export type ImportedJournals = ReturnType<typeof openImportedJournals>;

/** @param newRandom as many random bytes as it is asked for, for the ids of entries */
export const openImportedJournals = (table: Table, newRandom: NewRandom = randomBytes) => {
  const recordBatch = async (
    name: TenantName,
    batch: readonly JournalToRecord[],
  ): Promise<RecordedJournals> => {
    const guardKeyOf = ({ journal }: JournalToRecord) =>
      journalReferenceKey(name, journal.platformReference);
    const toRecord = batch.map((it) => ({
      ...it,
      entry: it.journal,
      random: newRandom(entryIdRandomBytes),
      guard: { ...guardKeyOf(it), ...it.origin },
    }));
    // The tenant is read again with the sheets. A lock takes effect soon (domain/period-lock.ts),
    // so no try may use a tenant that was read long before.
    const reread = [
      tenantKey(name),
      ...sheetKeysOf(name, { series, entries: batch.map(({ journal }) => journal) }),
    ];

    const decide = (snapshot: Snapshot): Decision<RecordedJournals | 'too_large'> => {
      const tenant = Locked.parse(itemIn(snapshot, tenantKey(name)) ?? {});
      const unknown = toRecord.filter((it) => itemIn(snapshot, guardKeyOf(it)) === undefined);
      const isIn = ({ entry }: (typeof toRecord)[number]) => isLocked(entry.postingDate, tenant);
      const locked = unknown.filter(isIn);
      const entries = unknown.filter((it) => !isIn(it));
      const result = {
        recorded: entries.length,
        locked: locked.map(({ journal }) => journal.platformReference),
        lockDate: locked.length > 0 ? (tenant.lockDate ?? null) : null,
      };
      if (entries.length === 0) return { result };
      const { actions, sheetBytes } = recordingOf(name, { series, entries }, snapshot);
      if (sheetBytes > maximumSheetBytes && batch.length > 1) return { result: 'too_large' };
      return { result, actions };
    };

    const snapshot = await readSnapshot(table, [...reread, ...batch.map(guardKeyOf)]);
    const result = await writeOptimistically(table, snapshot, { decide, reread });
    if (result !== 'too_large') return result;
    const middle = Math.ceil(batch.length / 2);
    const first = await recordBatch(name, batch.slice(0, middle));
    return bothOf(first, await recordBatch(name, batch.slice(middle)));
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
