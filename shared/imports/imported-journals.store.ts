// Journals imported from a platform. Each platform reference is imported once. Their series has its
// own numbers, without gaps.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { entryIdRandomBytes } from '../entries/entry-ids.ts';
import { maximumLinesPerItem } from '../entries/entry-items.store.ts';
import { recordingOf, sheetKeysOf, withBlocks } from '../entries/entry-recording.store.ts';
import { openDaySheets } from '../sheets/day-sheets.store.ts';
import {
  journalReferenceKey,
  keyText,
  revisionCountKey,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import {
  type Decision,
  itemIn,
  readSnapshot,
  type Snapshot,
  writeOptimistically,
} from '../table/optimistic-write.ts';
import { maximumTransactionActions, type Table } from '../table/table.ts';
import { isLocked, Locked } from '../tenants/period-lock.ts';
import { maximumImportedLines } from './imported-journals.ts';
import { JournalGuard, type JournalToRecord } from './journal-guards.ts';
import {
  isTooLarge,
  type NewRandom,
  openJournalRevisions,
  series,
} from './journal-revisions.store.ts';
import { openListedJournals } from './listed-journals.store.ts';

/**
 * The number of new journals, the references of journals refused because of the locked period, and
 * the lock date that refused them.
 */
type RecordedJournals = { recorded: number; locked: string[]; lockDate: string | null };

/** The numbers of journals and of their revisions. A void journal still counts as imported. */
type JournalCounts = { imported: number; revised: number; voided: number };

/** The further entries of journals, and what they are. */
const RevisionCount = z.object({ entries: z.int(), revised: z.int(), voided: z.int() });
const noRevisions = { entries: 0, revised: 0, voided: 0 };

/** The maximum number of actions for a journal: its sheet, its guard and its items. */
const actionsOf = ({ journal }: JournalToRecord): number =>
  2 + Math.ceil(journal.lines.length / maximumLinesPerItem);

/** One action checks that new sheets are not carried. A batch with late rows is divided. */
const maximumJournalActions = maximumTransactionActions - 1;

/** Divides journals into batches that each fit into one transaction. Keeps their order. */
const transactionsOf = (journals: readonly JournalToRecord[]): JournalToRecord[][] => {
  const batches: JournalToRecord[][] = [];
  let room = { actions: 0, lines: 0 };
  for (const journal of journals) {
    const needed = { actions: actionsOf(journal), lines: journal.journal.lines.length };
    const fits = needed.actions <= room.actions && needed.lines <= room.lines;
    if (!fits) {
      batches.push([]);
      room = { actions: maximumJournalActions, lines: maximumImportedLines };
    }
    batches.at(-1)?.push(journal);
    room = { actions: room.actions - needed.actions, lines: room.lines - needed.lines };
  }
  return batches;
};

export type ImportedJournals = ReturnType<typeof openImportedJournals>;

/** @param newRandom returns random bytes for entry ids */
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
    // Each attempt reads the tenant again with the sheets, because a lock takes effect soon
    // (tenants/period-lock.ts).
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
      const { actions, blocks, sheetBytes } = recordingOf(name, { series, entries }, snapshot);
      if (isTooLarge({ actions, sheetBytes }) && batch.length > 1) return { result: 'too_large' };
      return { result, actions: withBlocks(actions, blocks) };
    };

    const snapshot = await readSnapshot(table, [...reread, ...batch.map(guardKeyOf)]);
    const result = await writeOptimistically(table, snapshot, { decide, reread });
    if (result !== 'too_large') return result;
    const middle = Math.ceil(batch.length / 2);
    const first = await recordBatch(name, batch.slice(0, middle));
    return bothOf(first, await recordBatch(name, batch.slice(middle)));
  };

  return {
    ...openJournalRevisions(table, newRandom),
    ...openListedJournals(table),

    /** Returns the guards of the known journals among these references. */
    findKnown: async (
      name: TenantName,
      references: readonly string[],
    ): Promise<Map<string, JournalGuard>> => {
      const items = await table.getMany(references.map((it) => journalReferenceKey(name, it)));
      return new Map(
        references.flatMap((it) => {
          const item = items.get(keyText(journalReferenceKey(name, it)));
          return item ? [[it, JournalGuard.parse(item)] as const] : [];
        }),
      );
    },

    count: async (name: TenantName): Promise<JournalCounts> => {
      const [sheets, item] = await Promise.all([
        openDaySheets(table).list(name, {}),
        table.get(revisionCountKey(name)),
      ]);
      const entries = sheets
        .filter((sheet) => sheet.series === series)
        .reduce((total, { counted }) => total + counted, 0);
      const { entries: further, ...counts } = item ? RevisionCount.parse(item) : noRevisions;
      return { imported: entries - further, ...counts };
    },

    /**
     * Records journals under the next numbers of their dates, except journals in the locked period.
     * Each batch writes its numbers, sheets, entries and guards in one transaction, so a crash
     * leaves no partial batch. References must be unique.
     *
     * @param options.beforeWrite is called before each transaction. An error stops the rest.
     */
    record: async (
      name: TenantName,
      journals: readonly JournalToRecord[],
      { beforeWrite = async () => {} }: { beforeWrite?: () => Promise<void> } = {},
    ): Promise<RecordedJournals> => {
      let result: RecordedJournals = { recorded: 0, locked: [], lockDate: null };
      for (const batch of transactionsOf(journals)) {
        await beforeWrite();
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
