// Journals imported from a platform. Each platform reference is imported once. Their series has its
// own numbers, without gaps.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { entryIdRandomBytes } from '../entries/entry-ids.ts';
import { maximumLinesPerItem } from '../entries/entry-items.store.ts';
import { openEntryReader } from '../entries/entry-reader.store.ts';
import { recordingOf, sheetKeysOf, withBlocks } from '../entries/entry-recording.store.ts';
import {
  type ImportedJournal,
  reversedLine,
  type UnnumberedEntry,
} from '../entries/journal-entry.ts';
import { reversedMark } from '../entries/reversals/reversals.store.ts';
import { maximumItemBytes, openDaySheets } from '../sheets/day-sheets.store.ts';
import { journalReferenceKey, keyText, type TenantName, tenantKey } from '../table/keys.ts';
import {
  type Decision,
  itemIn,
  readSnapshot,
  type Snapshot,
  writeOptimistically,
} from '../table/optimistic-write.ts';
import { type Action, maximumTransactionActions, type Table } from '../table/table.ts';
import { isLocked } from '../tenants/period-lock.ts';
import { maximumImportedLines } from './imported-journals.ts';

/**
 * A hash of the journal's content at the platform, and an assumption made for its import. Journals
 * imported by older versions have neither.
 */
const JournalOrigin = z.object({
  contentHash: z.optional(z.string()),
  assumption: z.optional(z.literal('tax_clearing_used')),
  /** The posting date of the entry that the last revision has reversed. */
  replacedDate: z.optional(z.string()),
});
export type JournalOrigin = z.infer<typeof JournalOrigin>;

/** The guard of a journal. `inForce` is its entry now, null if none is; by default, the first. */
const JournalGuard = z.extend(JournalOrigin, {
  entrySk: z.string(),
  inForce: z.optional(z.nullable(z.string())),
  /** The number of entries of the journal, with reversals. */
  revision: z._default(z.int(), 1),
});

/** The content of a journal that its platform has voided or deleted. */
export const voidedContent = 'voided';

/** What became of a change at the platform. `replacedDate` is the date of the reversed entry. */
export type Revision =
  | { outcome: 'followed'; replacedDate: string | undefined }
  | { outcome: 'period_locked'; lockDate: string | null }
  | { outcome: 'not_followed' };

/** An imported journal without its number. */
export type UnnumberedJournal = UnnumberedEntry<ImportedJournal>;

/** A journal and its origin, before it is recorded. */
export type JournalToRecord = { journal: UnnumberedJournal; origin: JournalOrigin };

/**
 * The number of new journals, the references of journals refused because of the locked period, and
 * the lock date that refused them.
 */
export type RecordedJournals = { recorded: number; locked: string[]; lockDate: string | null };

type NewRandom = (size: number) => Uint8Array;

/** The tenant's lock date. */
const Locked = z.object({ lockDate: z.optional(z.string()) });

const series = 'IJ';

/**
 * The share for day sheets in a transaction of 4 MB (DynamoDB Developer Guide, "Quotas"). The
 * longest lines need the rest. A single sheet is always smaller than this.
 */
const maximumSheetBytes = maximumItemBytes;

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
      const isTooLarge =
        sheetBytes > maximumSheetBytes || actions.length > maximumTransactionActions;
      if (isTooLarge && batch.length > 1) return { result: 'too_large' };
      return { result, actions: withBlocks(actions, blocks) };
    };

    const snapshot = await readSnapshot(table, [...reread, ...batch.map(guardKeyOf)]);
    const result = await writeOptimistically(table, snapshot, { decide, reread });
    if (result !== 'too_large') return result;
    const middle = Math.ceil(batch.length / 2);
    const first = await recordBatch(name, batch.slice(0, middle));
    return bothOf(first, await recordBatch(name, batch.slice(middle)));
  };

  const reader = openEntryReader(table);

  return {
    /**
     * Follows a change of an imported journal at its platform: reverses its entry and records the
     * new version, if there is one, in one transaction. Each change is followed once. Nothing is
     * written if a date is locked, if the application has reversed the entry, or if the entries do
     * not fit into a transaction.
     * @param change.next the new version; null if the platform has voided or deleted the journal
     */
    revise: async (
      name: TenantName,
      change: { reference: string; next: JournalToRecord | null; createdAt: string },
    ): Promise<Revision> => {
      const { reference, next, createdAt } = change;
      const guardKey = journalReferenceKey(name, reference);
      const guard = JournalGuard.parse(await table.get(guardKey));
      const contentHash = next === null ? voidedContent : next.origin.contentHash;
      const done = { outcome: 'followed', replacedDate: guard.replacedDate } as const;
      if (guard.contentHash === contentHash) return done;
      const { inForce = guard.entrySk, revision } = guard;
      const originalKey = inForce === null ? undefined : { ...guardKey, sk: inForce };
      const original = originalKey && (await reader.get(originalKey));
      if (original && original.entryType !== 'Imported Journal') return { outcome: 'not_followed' };
      const reversals = original === undefined ? [] : [reversalOf(original, createdAt)];
      const numbered = [...reversals, ...(next === null ? [] : [next.journal])].map(
        (entry, index) => {
          const platformReference = `${reference}#${revision + 1 + index}`;
          return {
            entry: { ...entry, platformReference },
            random: newRandom(entryIdRandomBytes),
            guard: journalReferenceKey(name, platformReference),
          };
        },
      );
      const sheets = sheetKeysOf(name, { series, entries: numbered.map(({ entry }) => entry) });
      const reread = [tenantKey(name), guardKey, ...sheets];
      const read = [...reread, ...(originalKey ? [originalKey] : [])];

      const decide = (snapshot: Snapshot): Decision<Revision> => {
        const now = JournalGuard.parse(itemIn(snapshot, guardKey));
        if (now.revision !== revision) return { result: { ...done, ...now, outcome: 'followed' } };
        const tenant = Locked.parse(itemIn(snapshot, tenantKey(name)) ?? {});
        if (numbered.some(({ entry }) => isLocked(entry.postingDate, tenant))) {
          return { result: { outcome: 'period_locked', lockDate: tenant.lockDate ?? null } };
        }
        const notFollowed = { result: { outcome: 'not_followed' } } as const;
        if (originalKey && itemIn(snapshot, originalKey)?.reversedBy !== undefined) {
          return notFollowed;
        }
        const recording = recordingOf(name, { series, entries: numbered }, snapshot);
        const { recorded, actions, blocks, sheetBytes } = recording;
        const [first] = recorded;
        const inForceNow = next === null ? null : (recorded.at(-1)?.key.sk ?? null);
        const replacedDate = original?.postingDate;
        const put = {
          ...guardKey,
          ...next?.origin,
          contentHash,
          entrySk: guard.entrySk,
          inForce: inForceNow,
          revision: revision + numbered.length,
          replacedDate,
        };
        const all: Action[] = [
          ...actions,
          ...(originalKey && first ? [reversedMark(originalKey, first.entry.entryId)] : []),
          {
            put,
            condition: 'attribute_not_exists(#revision) OR #revision = :revision',
            names: { '#revision': 'revision' },
            values: { ':revision': revision },
          },
        ];
        const isTooLarge = sheetBytes > maximumSheetBytes || all.length > maximumTransactionActions;
        if (isTooLarge) return notFollowed;
        return { result: { outcome: 'followed', replacedDate }, actions: withBlocks(all, blocks) };
      };
      const snapshot = await readSnapshot(table, read);
      return writeOptimistically(table, snapshot, { decide, reread: read });
    },

    /** Returns the known journals among these references, with their origins. */
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

    /** The number of imported journals. */
    count: async (name: TenantName): Promise<number> =>
      (await openDaySheets(table).list(name, {}))
        .filter((sheet) => sheet.series === series)
        .reduce((total, { counted }) => total + counted, 0),

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

/** The reversal of an imported journal, on its date, whose number and reference are still open. */
const reversalOf = (original: ImportedJournal, createdAt: string): UnnumberedJournal => {
  const { entryId, journalNumber: number, hash: _, hashVersion: __, ...content } = original;
  const { postingSequence: ___, ...fields } = content;
  return {
    ...fields,
    status: 'posted',
    memo: `Reversal of ${number}, which was changed at the platform`,
    lines: original.lines.map(reversedLine),
    reverses: entryId,
    reversedBy: null,
    createdAt,
    postedAt: createdAt,
  };
};

const bothOf = (one: RecordedJournals, other: RecordedJournals): RecordedJournals => ({
  recorded: one.recorded + other.recorded,
  locked: [...one.locked, ...other.locked],
  lockDate: other.lockDate ?? one.lockDate,
});
