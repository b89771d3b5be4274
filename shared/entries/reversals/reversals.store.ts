// Reversals of entries: each is recorded with a mark on its original, so that an entry is reversed
// once.

import { randomBytes } from 'node:crypto';
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
import { isLinked, type LinkedUser } from '../../tenants/tenant-links.store.ts';
import { Tenant } from '../../tenants/tenants.ts';
import { UserIdItem } from '../../users/user-ids.ts';
import { guardKeysOf, recordedKeys } from '../entry-guards.store.ts';
import { entryIdRandomBytes } from '../entry-ids.ts';
import { addressKey, type EntryAddress, entryFrom, keyOfEntryId } from '../entry-lookups.store.ts';
import { openEntryReader } from '../entry-reader.store.ts';
import { sheetKeysOf } from '../entry-recording.store.ts';
import type { ApiEntry, JournalEntry, UnnumberedEntry } from '../journal-entry.ts';
import { requestRecordingOf } from '../request-recording.store.ts';

/** What deciding on a reversal needs, as far as the request could be read. */
export type ReversalNeeds = {
  /** What leads to the entry to be reversed; undefined if no entry can be there. */
  original: EntryAddress | undefined;
  date: string | undefined;
  /** The date on which the reversal counts, now or later. */
  postingDate: string | undefined;
  externalId: string | null;
  userId: string | null;
  idempotencyKey: string | undefined;
};

/** What a reversal is checked against. */
export type ReversalContext = {
  tenant: Tenant | undefined;
  original: JournalEntry | undefined;
  user: LinkedUser | undefined;
  /** Whether an entry has the external_id already. */
  isExternalIdTaken: boolean;
  /**
   * The key of the entry that the external_id or the Idempotency-Key leads to.
   * @throws ApiError `idempotency_key_reused` if the Idempotency-Key leads to another entry
   */
  recordedKey: () => Key | undefined;
  snapshot: Snapshot;
};

/** A reversal, and what is recorded with it. */
export type ReversalToRecord = {
  reversal: UnnumberedEntry<ApiEntry>;
  idempotencyKey: string | undefined;
} & Pick<ReversalContext, 'user' | 'snapshot'>;

/** The mark on an entry that is reversed from now on. */
const reversedMark = (original: Key, reversalId: string): Action => ({
  update: original,
  expression: 'SET reversedBy = :reversal',
  condition: 'attribute_not_exists(reversedBy) AND #status = :posted',
  names: { '#status': 'status' },
  values: { ':reversal': reversalId, ':posted': 'posted' },
});

const canBeMarked = (original: Item): boolean =>
  original.reversedBy === undefined && original.status === 'posted';

export type EntryReversals = ReturnType<typeof openEntryReversals>;

/** @param newRandom returns that many random bytes, for the ids of entries */
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
    if (reverses === null) throw new Error('a reversal does not say what it reverses');
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
     * Reads all that deciding on a reversal needs: in one call if the original is named by its
     * place, and in two if it is named by its external_id or has more lines than its first item
     * holds.
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
        user: user && { applicationId, email: UserIdItem.parse(user).email },
        isExternalIdTaken: externalId !== null && at(externalIdKey(name, externalId)) !== undefined,
        recordedKey: () => recordedKeys(name, identity, snapshot)[0],
        snapshot,
      };
    },

    /** An entry that exists, with all its lines. */
    get: (key: Key): Promise<JournalEntry> => reader.get(key),

    /** Whether the tenant is linked to a user. One call. */
    isLinked: (user: LinkedUser, name: TenantName): Promise<boolean> => isLinked(table, user, name),

    /** The reversal as `record` would record it now. */
    preview: (
      name: TenantName,
      { snapshot, ...reversal }: ReversalToRecord,
    ): JournalEntry | 'superseded' => decisionOn(name, reversal)(snapshot).result,

    /**
     * Records a reversal with its number, what it adds to its sheet, the mark on its original and
     * its guards, all or nothing.
     *
     * @returns `superseded` if another request has reversed the original, or has used the
     *   external_id or the Idempotency-Key
     * @throws ApiError `validation_failed` if the tenant is not linked to the user
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
