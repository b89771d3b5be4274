// Follows changes of imported journals at their platform. The entry of a journal is reversed, and
// the new version is recorded, in one transaction. So each revision is followed once.

import { BooksDiffer } from '../entries/entry-checks.ts';
import { entryIdRandomBytes } from '../entries/entry-ids.ts';
import { openEntryReader } from '../entries/entry-reader.store.ts';
import {
  type EntryWithKey,
  recordingOf,
  sheetKeysOf,
  withBlocks,
} from '../entries/entry-recording.store.ts';
import { type ImportedJournal, reversedLine } from '../entries/journal-entry.ts';
import { reversedMark } from '../entries/reversals/reversals.store.ts';
import { maximumItemBytes } from '../sheets/day-sheets.store.ts';
import {
  journalReferenceKey,
  type Key,
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
import { type Action, maximumTransactionActions, type Table } from '../table/table.ts';
import { isLocked, Locked } from '../tenants/period-lock.ts';
import { maximumImportedLines } from './imported-journals.ts';
import {
  JournalGuard,
  type JournalToRecord,
  revisionReference,
  type UnnumberedJournal,
  voidedContent,
} from './journal-guards.ts';

/** The series of imported journals and of their revisions. */
export const series = 'IJ';

export type NewRandom = (size: number) => Uint8Array;

/**
 * The share for day sheets in a transaction of 4 MB (DynamoDB Developer Guide, "Quotas"). The
 * longest lines need the rest. A single sheet is always smaller than this.
 */
const maximumSheetBytes = maximumItemBytes;

export const isTooLarge = ({
  actions,
  sheetBytes,
}: {
  actions: readonly Action[];
  sheetBytes: number;
}): boolean => sheetBytes > maximumSheetBytes || actions.length > maximumTransactionActions;

/** A change of a journal. `next` is its new version; null if it is voided or deleted. */
type JournalChange = {
  reference: string;
  guard: JournalGuard;
  next: JournalToRecord | null;
  createdAt: string;
};

/** `reversed_here`: the application has reversed the entry, so nothing is posted. */
type Revision =
  | { outcome: 'followed'; guard: JournalGuard }
  | { outcome: 'period_locked'; lockDate: string | null }
  | { outcome: 'reversed_here' };

/** The reversal of an imported journal on its date. */
const reversalOf = (
  original: ImportedJournal,
  { next, createdAt }: Pick<JournalChange, 'next' | 'createdAt'>,
): UnnumberedJournal => {
  const {
    entryId,
    journalNumber,
    hash: _,
    hashVersion: __,
    postingSequence: ___,
    ...rest
  } = original;
  return {
    ...rest,
    status: 'posted',
    memo: `Reversal of ${journalNumber}, ${next === null ? 'voided' : 'edited'} at the platform`,
    lines: original.lines.map(reversedLine),
    reverses: entryId,
    reversedBy: null,
    createdAt,
    postedAt: createdAt,
  };
};

/** The entries of a change: the reversal of the entry in force, and the new version. */
const entriesOf = (
  name: TenantName,
  { reference, guard, next, createdAt }: JournalChange,
  { original, newRandom }: { original: ImportedJournal | undefined; newRandom: NewRandom },
) => {
  const revision = guard.revision + 1;
  const reversal = original && reversalOf(original, { next, createdAt });
  return [
    ...(reversal ? [{ journal: reversal, isReversal: true }] : []),
    ...(next ? [{ journal: next.journal, isReversal: false }] : []),
  ].map(({ journal, isReversal }) => {
    const platformReference = revisionReference(reference, { revision, isReversal });
    const metadata = { platform_reference: reference, platform_revision: String(revision) };
    return {
      entry: { ...journal, platformReference, metadata },
      random: newRandom(entryIdRandomBytes),
      guard: { ...journalReferenceKey(name, platformReference), revisionOf: reference },
    };
  });
};

/** The guard after a change. `inForce` is the entry of the new version. */
const guardAfter = (
  { guard, next }: JournalChange,
  { original, inForce }: { original: ImportedJournal | undefined; inForce: string | undefined },
): JournalGuard => {
  const replacedDate = original?.postingDate ?? guard.replacedDate;
  return {
    ...next?.origin,
    contentHash: next === null ? voidedContent : next.origin.contentHash,
    entrySk: guard.entrySk,
    revision: guard.revision + 1,
    inForce: next === null ? null : inForce,
    ...(replacedDate !== undefined && { replacedDate }),
  };
};

/** Replaces the guard if the journal has no other revision. The number is stored from 2 on. */
const guardAction = (key: Key, before: JournalGuard, after: JournalGuard): Action => ({
  put: { ...key, ...after },
  names: { '#revision': 'revision' },
  ...(before.revision === 1
    ? { condition: 'attribute_exists(entrySk) AND attribute_not_exists(#revision)' }
    : { condition: '#revision = :revision', values: { ':revision': before.revision } }),
});

/** Marks the original as reversed by the first of the recorded entries. */
const reversedMarks = (original: Key | undefined, [reversal]: readonly EntryWithKey[]): Action[] =>
  original && reversal ? [reversedMark(original, reversal.entry.entryId)] : [];

/** What a transaction counts: an edit, a voided journal, or nothing, as a part of an edit. */
type Counted = 'revised' | 'voided' | null;

const countAction = (name: TenantName, entries: number, counted: Counted): Action => ({
  update: revisionCountKey(name),
  expression: 'ADD entries :entries, revised :revised, voided :voided',
  values: {
    ':entries': entries,
    ':revised': counted === 'revised' ? 1 : 0,
    ':voided': counted === 'voided' ? 1 : 0,
  },
});

export const openJournalRevisions = (table: Table, newRandom: NewRandom) => {
  const reader = openEntryReader(table);

  const findOriginal = async (key: Key): Promise<ImportedJournal> => {
    const entry = await reader.get(key);
    if (entry.entryType === 'Imported Journal') return entry;
    throw new BooksDiffer(`a guard of journals leads to ${entry.journalNumber}`);
  };

  const write = async (
    name: TenantName,
    change: JournalChange,
    counted: Counted,
  ): Promise<Revision | 'too_large'> => {
    const { reference, guard } = change;
    const guardKey = journalReferenceKey(name, reference);
    const { entrySk, inForce = entrySk } = guard;
    const originalKey = inForce === null ? undefined : { ...guardKey, sk: inForce };
    const original = originalKey && (await findOriginal(originalKey));
    const toRecord = entriesOf(name, change, { original, newRandom });
    const entries = toRecord.map(({ entry }) => entry);
    const lines = entries.reduce((sum, entry) => sum + entry.lines.length, 0);
    const reread = [tenantKey(name), ...sheetKeysOf(name, { series, entries })];

    const decide = (snapshot: Snapshot): Decision<Revision | 'too_large'> => {
      const now = JournalGuard.parse(itemIn(snapshot, guardKey));
      if (now.revision !== guard.revision) return { result: { outcome: 'followed', guard: now } };
      const tenant = Locked.parse(itemIn(snapshot, tenantKey(name)) ?? {});
      if (entries.some(({ postingDate }) => isLocked(postingDate, tenant))) {
        return { result: { outcome: 'period_locked', lockDate: tenant.lockDate ?? null } };
      }
      if (originalKey && itemIn(snapshot, originalKey)?.reversedBy !== undefined) {
        return { result: { outcome: 'reversed_here' } };
      }
      const recording = recordingOf(name, { series, entries: toRecord }, snapshot);
      const { recorded, blocks, sheetBytes } = recording;
      const after = guardAfter(change, { original, inForce: recorded.at(-1)?.key.sk });
      const actions: Action[] = [
        ...recording.actions,
        ...reversedMarks(originalKey, recorded),
        guardAction(guardKey, guard, after),
        countAction(name, recorded.length, counted),
      ];
      const isDivided = isTooLarge({ actions, sheetBytes }) || lines > maximumImportedLines;
      if (isDivided && entries.length > 1) return { result: 'too_large' };
      const result = { outcome: 'followed', guard: after } as const;
      return { result, actions: withBlocks(actions, blocks) };
    };

    const others = [guardKey, ...(originalKey ? [originalKey] : [])];
    const snapshot = await readSnapshot(table, [...reread, ...others]);
    return writeOptimistically(table, snapshot, { decide, reread });
  };

  return {
    /**
     * Follows a change: reverses the entry in force and records the new version, both on their own
     * dates. Nothing is written if one of the dates is locked. Two entries that are too large for
     * one transaction are written one after the other. If a run dies in between, the journal is
     * voided here, and the next run records its new version.
     */
    revise: async (name: TenantName, change: JournalChange): Promise<Revision> => {
      const counted = change.next === null ? 'voided' : 'revised';
      const whole = await write(name, change, counted);
      if (whole !== 'too_large') return whole;
      const reversal = await write(name, { ...change, next: null }, null);
      if (reversal === 'too_large') throw new Error('a reversal does not fit into a transaction');
      if (reversal.outcome !== 'followed') return reversal;
      const rest = await write(name, { ...change, guard: reversal.guard }, counted);
      if (rest === 'too_large') throw new Error('a journal does not fit into a transaction');
      return rest;
    },
  };
};
