// Records reversals. The same transaction marks the original entry, so it is reversed only once.

import { randomBytes } from 'node:crypto';
import { updateAction } from '../../table/field-updates.ts';
import {
  externalIdKey,
  type Key,
  type TenantName,
  tenantKey,
  userIdKey,
} from '../../table/keys.ts';
import {
  type Decision,
  itemIn,
  readSnapshot,
  type Snapshot,
  writeOptimistically,
} from '../../table/optimistic-write.ts';
import type { ContentionBudget } from '../../table/retry.ts';
import type { Action, Item, Table } from '../../table/table.ts';
import { isLinked, type LinkedUser, linkedUserOf } from '../../tenants/tenant-links.store.ts';
import { Tenant } from '../../tenants/tenants.ts';
import { guardKeysOf, recordedKeys } from '../entry-guards.store.ts';
import { entryIdRandomBytes } from '../entry-ids.ts';
import { addressKey, type EntryAddress, entryFrom, keyOfEntryId } from '../entry-lookups.store.ts';
import { openEntryReader } from '../entry-reader.store.ts';
import { sheetKeysOf } from '../entry-recording.store.ts';
import type { ApiEntry, JournalEntry, UnnumberedEntry } from '../journal-entry.ts';
import { requestRecordingOf } from '../request-recording.store.ts';

/** The readable fields of a request that a reversal needs. */
type ReversalNeeds = {
  /** `undefined` if no entry can have this address. */
  original: EntryAddress | undefined;
  date: string | undefined;
  postingDate: string | undefined;
  externalId: string | null;
  userId: string | null;
  idempotencyKey: string | undefined;
};

/** The stored data that a reversal is checked against. */
export type ReversalContext = {
  tenant: Tenant | undefined;
  original: JournalEntry | undefined;
  user: LinkedUser | undefined;
  /** Whether an entry has the external_id. */
  isExternalIdTaken: boolean;
  /**
   * The key of the entry with this external_id or Idempotency-Key.
   * @throws ApiError `idempotency_key_reused` if the Idempotency-Key belongs to another entry
   */
  recordedKey: () => Key | undefined;
  snapshot: Snapshot;
};

/** A reversal and the data that is recorded with it. */
type ReversalToRecord = {
  reversal: UnnumberedEntry<ApiEntry>;
  idempotencyKey: string | undefined;
} & Pick<ReversalContext, 'user' | 'snapshot'>;

/** The action that marks the original as reversed. */
export const reversedMark = (original: Key, reversalId: string): Action =>
  updateAction(original, {
    set: { reversedBy: reversalId },
    expected: { reversedBy: undefined, status: 'posted' },
  });

const canBeMarked = (original: Item): boolean =>
  original.reversedBy === undefined && original.status === 'posted';

export type EntryReversals = ReturnType<typeof openEntryReversals>;

/** @param newRandom returns random bytes for the ids of entries */
export const openEntryReversals = (
  table: Table,
  newRandom: (size: number) => Uint8Array = randomBytes,
) => {
  const reader = openEntryReader(table);

  const decisionOn = (
    name: TenantName,
    { reversal, idempotencyKey, user }: Omit<ReversalToRecord, 'snapshot'>,
  ) => {
    const { externalId, userId, reverses } = reversal;
    if (reverses === null) throw new Error('a reversal has no original');
    const originalKey = keyOfEntryId(name, reverses);
    const identity = { externalIds: [externalId], idempotencyKey, isBatch: false };
    const request = {
      ...identity,
      newEntries: [{ entry: reversal, index: 0, random: newRandom(entryIdRandomBytes) }],
      recordedKeys: [undefined],
      users: new Map(userId !== null && user ? [[userId, user]] : []),
    };
    const furtherActions = (entries: readonly JournalEntry[]) =>
      entries.map(({ entryId }) => reversedMark(originalKey, entryId));

    return (snapshot: Snapshot): Decision<JournalEntry | 'superseded'> => {
      const original = itemIn(snapshot, originalKey);
      const [recordedKey] = recordedKeys(name, identity, snapshot);
      if (recordedKey || (original && !canBeMarked(original))) return { result: 'superseded' };
      const recording = requestRecordingOf(name, request, { snapshot, furtherActions });
      const [entry] = recording.entries;
      if (entry === undefined) throw new Error('a reversal was left out');
      return { result: entry, actions: recording.actions };
    };
  };

  return {
    /**
     * Reads the context of a reversal. This takes one call. It takes another if the original is
     * named by its external_id, or if its lines do not fit into its first item.
     */
    prepare: async (name: TenantName, needs: ReversalNeeds): Promise<ReversalContext> => {
      const { original: address, externalId, userId, idempotencyKey } = needs;
      const { applicationId } = name;
      const identity = { externalIds: [externalId], idempotencyKey, isBatch: false };
      const userKey = userId === null ? undefined : userIdKey({ applicationId, userId });
      const key = address && addressKey(name, address);
      const snapshot = await readSnapshot(table, [
        tenantKey(name),
        ...[key, userKey].filter((it) => it !== undefined),
        ...guardKeysOf(name, identity),
        ...sheetKeysOf(name, { series: 'MJ', entries: [needs] }),
      ]);
      const at = (of: Key | undefined): Item | undefined => of && itemIn(snapshot, of);
      const [tenant, addressed, user] = [tenantKey(name), key, userKey].map(at);
      return {
        tenant: tenant && Tenant.parse(tenant),
        original: key && addressed && (await entryFrom(reader, key, addressed)),
        user: userId === null ? undefined : linkedUserOf({ applicationId, userId }, user),
        isExternalIdTaken: externalId !== null && at(externalIdKey(name, externalId)) !== undefined,
        recordedKey: () => recordedKeys(name, identity, snapshot)[0],
        snapshot,
      };
    },

    /** Reads an existing entry with all its lines. */
    get: (key: Key): Promise<JournalEntry> => reader.get(key),

    /** Whether the user is linked to the tenant. One call. */
    isLinked: (user: LinkedUser, name: TenantName): Promise<boolean> => isLinked(table, user, name),

    /** The reversal as `record` would record it now. */
    preview: (
      name: TenantName,
      { snapshot, ...reversal }: ReversalToRecord,
    ): JournalEntry | 'superseded' => decisionOn(name, reversal)(snapshot).result,

    /**
     * Records a reversal in one transaction with its number, its sheet, its guards and the mark on
     * its original.
     * @returns `superseded` if another request has reversed the original or used the external_id or
     *   the Idempotency-Key
     * @throws ApiError `validation_failed` if the user is not linked to the tenant
     */
    record: (
      name: TenantName,
      { snapshot, budget, ...reversal }: ReversalToRecord & { budget: ContentionBudget },
    ): Promise<JournalEntry | 'superseded'> =>
      writeOptimistically(table, snapshot, {
        decide: decisionOn(name, reversal),
        reread: sheetKeysOf(name, { series: 'MJ', entries: [reversal.reversal] }),
        budget,
      }),
  };
};
