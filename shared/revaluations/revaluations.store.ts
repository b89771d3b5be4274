// Records revaluations, with their reversals, in the series of their own.

import { randomBytes } from 'node:crypto';
import {
  guardKeysOf,
  idempotencyGuardActions,
  recordedKeys,
} from '../entries/entry-guards.store.ts';
import { entryIdRandomBytes } from '../entries/entry-ids.ts';
import { keyOfEntryId } from '../entries/entry-lookups.store.ts';
import { openEntryReader } from '../entries/entry-reader.store.ts';
import {
  recordingOf,
  sheetKeysOf,
  type UnrecordedEntry,
} from '../entries/entry-recording.store.ts';
import type { JournalEntry } from '../entries/journal-entry.ts';
import { type Key, type TenantName, tenantKey } from '../table/keys.ts';
import {
  type Decision,
  itemIn,
  readSnapshot,
  type Snapshot,
  writeOptimistically,
} from '../table/optimistic-write.ts';
import type { ContentionBudget } from '../table/retry.ts';
import type { Action, Table } from '../table/table.ts';
import { Tenant } from '../tenants/tenants.ts';

const series = 'RV';

/** What identifies a request and names the sheets that it changes. */
export type RevaluationNeeds = {
  dates: readonly string[];
  externalId: string | null;
  idempotencyKey: string | undefined;
};

/** An entry with its reversal. `reversal` is null if there is none. */
export type RevaluationEntries<Entry> = { entry: Entry; reversal: Entry | null };

const identityOf = ({ externalId, idempotencyKey }: Omit<RevaluationNeeds, 'dates'>) => ({
  externalIds: [externalId],
  idempotencyKey,
  isBatch: false,
});

const sheetsOf = (name: TenantName, { dates }: Pick<RevaluationNeeds, 'dates'>): Key[] => {
  const entries = dates.map((date) => ({ date, postingDate: date }));
  return sheetKeysOf(name, { series, entries });
};

export type RevaluationRecords = ReturnType<typeof openRevaluationRecords>;

/** @param newRandom returns random bytes for the ids of entries */
export const openRevaluationRecords = (
  table: Table,
  newRandom: (size: number) => Uint8Array = randomBytes,
) => {
  const reader = openEntryReader(table);
  const newId = () => newRandom(entryIdRandomBytes);

  return {
    /** Reads the tenant, the guards and the sheets of a request in one call. */
    prepare: async (
      name: TenantName,
      needs: RevaluationNeeds,
    ): Promise<{ tenant: Tenant | undefined; snapshot: Snapshot }> => {
      const snapshot = await readSnapshot(table, [
        tenantKey(name),
        ...guardKeysOf(name, identityOf(needs)),
        ...sheetsOf(name, needs),
      ]);
      const tenant = itemIn(snapshot, tenantKey(name));
      return { tenant: tenant && Tenant.parse(tenant), snapshot };
    },

    /**
     * The entry that an earlier request with these ids recorded, with its reversal.
     * @throws ApiError `idempotency_key_reused` if the Idempotency-Key belongs to other entries
     */
    findRecorded: async (
      name: TenantName,
      needs: RevaluationNeeds,
      snapshot: Snapshot,
    ): Promise<RevaluationEntries<JournalEntry> | undefined> => {
      const [key] = recordedKeys(name, identityOf(needs), snapshot);
      if (key === undefined) return undefined;
      const entry = await reader.get(key);
      const { reversedBy } = entry;
      const reversal = reversedBy && (await reader.get(keyOfEntryId(name, reversedBy)));
      return { entry, reversal: reversal || null };
    },

    /** Makes the transaction that records a revaluation and its reversal, linked to each other. */
    recordingOf: (
      name: TenantName,
      { entry, reversal }: RevaluationEntries<UnrecordedEntry>,
      {
        snapshot,
        ids: [id, reversalId],
        idempotencyKey,
      }: { snapshot: Snapshot; ids: [Uint8Array, Uint8Array]; idempotencyKey: string | undefined },
    ): { result: RevaluationEntries<JournalEntry>; actions: Action[] } => {
      const isKeyed = idempotencyKey !== undefined;
      const recordAll = (links: { reverses?: string; reversedBy?: string }) => {
        const { reverses = null, reversedBy = null } = links;
        const entries = [
          { entry: { ...entry, reversedBy }, random: id, isKeyed, pointer: '' },
          ...(reversal
            ? [{ entry: { ...reversal, reverses }, random: reversalId, pointer: '' }]
            : []),
        ];
        const { recorded, actions } = recordingOf(name, { series, entries }, snapshot);
        const [first, second] = recorded;
        if (first === undefined) throw new Error('a revaluation was left out');
        return { first, second, actions };
      };
      // The ids contain the numbers, and the hash of the reversal contains the id of its original.
      const { first, second } = recordAll({});
      const { actions, ...linked } = recordAll(
        second ? { reverses: first.entry.entryId, reversedBy: second.entry.entryId } : {},
      );
      const keys = { keys: [linked.first.key], isBatch: false };
      return {
        result: { entry: linked.first.entry, reversal: linked.second?.entry ?? null },
        actions: [...actions, ...idempotencyGuardActions(name, idempotencyKey, keys)],
      };
    },

    newIds: (): [Uint8Array, Uint8Array] => [newId(), newId()],

    /**
     * Writes what `decide` makes of a snapshot. It decides again if another request changed one of
     * the sheets, so two requests never post the same differences.
     */
    write: <Result>(
      name: TenantName,
      needs: RevaluationNeeds,
      {
        snapshot,
        decide,
        budget,
      }: {
        snapshot: Snapshot;
        decide: (snapshot: Snapshot) => Promise<Decision<Result>>;
        budget: ContentionBudget;
      },
    ): Promise<Result> =>
      writeOptimistically(table, snapshot, { decide, reread: sheetsOf(name, needs), budget }),
  };
};
