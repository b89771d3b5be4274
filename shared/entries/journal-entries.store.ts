// Records the journal entries of requests: numbered without gaps, unique by external_id, and
// counted on the sheets of their dates.

import { randomBytes } from 'node:crypto';
import { type AccountsByCode, byCode } from '../accounts/chart-reader.store.ts';
import { ratesVersionOf } from '../rates/rate-days.store.ts';
import {
  accountKey,
  type Key,
  ratesStateKey,
  sheetKey,
  type TenantName,
  tenantKey,
  userIdKey,
} from '../table/keys.ts';
import {
  type Decision,
  itemIn,
  readSnapshot,
  type Snapshot,
  writeOptimistically,
} from '../table/optimistic-write.ts';
import type { Table } from '../table/table.ts';
import { isLinked, type LinkedUser, linkedUserOf } from '../tenants/tenant-links.store.ts';
import { Tenant } from '../tenants/tenants.ts';
import { canCombine, type SingleEntry } from './combined-recording.store.ts';
import { guardKeysOf, type RequestIdentity, recordedKeys } from './entry-guards.store.ts';
import { entryIdRandomBytes } from './entry-ids.ts';
import { openEntryReader } from './entry-reader.store.ts';
import { sheetDatesOf, sheetKeysOf } from './entry-recording.store.ts';
import type { ApiEntry, JournalEntry, UnnumberedEntry } from './journal-entry.ts';
import { openPostingBudget, type PostingBudget } from './posting-budget.ts';
import { openRecordingQueues, type RecordedEntry } from './recording-queues.store.ts';
import { assertRoomInReply, type NewEntry, requestRecordingOf } from './request-recording.store.ts';

/** The stored data that entries are checked against. */
export type PostingContext = {
  tenant: Tenant | undefined;
  accounts: AccountsByCode;
  /**
   * The keys of the request's entries; undefined for new ones.
   * @throws ApiError `idempotency_key_reused` if its Idempotency-Key belongs to other entries
   */
  recordedKeys: () => (Key | undefined)[];
  /** The users who post, by their ids. Unknown users are left out. */
  users: ReadonlyMap<string, LinkedUser>;
  /** The version of all exchange rates; read only if currencies are exchanged. */
  ratesVersion: number;
  snapshot: Snapshot;
  /** When the caller started waiting, by `performance.now()`. */
  startedAt: number;
};

/** The readable fields of an entry in a request that the context needs. */
type EntryNeeds = {
  codes: readonly string[];
  date: string | undefined;
  postingDate: string | undefined;
  externalId: string | null;
  userId: string | null;
};

/** A request to record entries. Entries that were recorded before are undefined. */
export type PostingRequest = RequestIdentity & {
  entries: readonly (UnnumberedEntry<ApiEntry> | undefined)[];
  users: ReadonlyMap<string, LinkedUser>;
  /** Throws if the request must be refused because of the entries that were recorded before. */
  assertMatch?: ((recorded: readonly (JournalEntry | undefined)[]) => void) | undefined;
};

export type RecordOptions = Pick<PostingContext, 'snapshot' | 'startedAt'>;

export type JournalEntries = ReturnType<typeof openJournalEntries>;

/** @param options.newRandom returns random bytes for the ids of entries */
export const openJournalEntries = (
  table: Table,
  {
    newRandom = randomBytes,
    clock = () => new Date(),
  }: { newRandom?: (size: number) => Uint8Array; clock?: () => Date } = {},
) => {
  const reader = openEntryReader(table);
  const recordInQueue = openRecordingQueues(table, clock);

  const newEntriesOf = ({ entries }: PostingRequest): NewEntry[] =>
    entries.flatMap((entry, index) =>
      entry ? [{ entry, index, random: newRandom(entryIdRandomBytes) }] : [],
    );

  /** Returns the function that decides which entries are new and how to record them. */
  const decisionOn = (
    name: TenantName,
    request: PostingRequest,
    newEntries: readonly NewEntry[],
    budget: PostingBudget,
  ) => {
    const reads = new Map<string, Promise<JournalEntry>>();
    const readOnce = (key: Key): Promise<JournalEntry> => {
      const reading =
        reads.get(key.sk) ?? reader.getWithin(key, budget.contention(performance.now()));
      reads.set(key.sk, reading);
      return reading;
    };

    return async (snapshot: Snapshot): Promise<Decision<RecordedEntry[]>> => {
      const keys = recordedKeys(name, request, snapshot);
      // Read before the write, because a failure after the write would prevent the reply.
      const recorded = await Promise.all(keys.map((key) => key && readOnce(key)));
      request.assertMatch?.(recorded);
      const unrecorded = newEntries.filter(({ index }) => keys[index] === undefined);
      if (unrecorded.length === 0) return { result: resultOf(recorded, []) };
      assertRoomInReply([
        ...recorded.filter((entry) => entry !== undefined),
        ...unrecorded.map(({ entry }) => entry),
      ]);
      const toRecord = { ...request, newEntries: unrecorded, recordedKeys: keys };
      const { entries, actions } = requestRecordingOf(name, toRecord, { snapshot });
      return { result: resultOf(recorded, entries), actions };
    };
  };

  return {
    /** Reads the context of entries in one call. */
    prepare: async (
      name: TenantName,
      {
        entries,
        isExchanged,
        ...request
      }: Omit<RequestIdentity, 'externalIds'> & {
        entries: readonly EntryNeeds[];
        isExchanged: boolean;
      },
    ): Promise<PostingContext> => {
      const { applicationId } = name;
      const startedAt = performance.now();
      const codes = [...new Set(entries.flatMap((entry) => entry.codes))];
      const userIds = [...new Set(entries.flatMap(({ userId }) => userId ?? []))];
      const externalIds = entries.map(({ externalId }) => externalId);
      const identity = { ...request, externalIds };
      const snapshot = await readSnapshot(table, [
        tenantKey(name),
        ...(isExchanged ? [ratesStateKey] : []),
        ...userIds.map((userId) => userIdKey({ applicationId, userId })),
        ...sheetKeysOf(name, { series: 'MJ', entries }),
        ...guardKeysOf(name, identity),
        ...codes.map((code) => accountKey(name, code)),
      ]);
      const tenant = itemIn(snapshot, tenantKey(name));
      return {
        tenant: tenant && Tenant.parse(tenant),
        accounts: byCode(codes.map((code) => itemIn(snapshot, accountKey(name, code)))),
        recordedKeys: () => recordedKeys(name, identity, snapshot),
        users: new Map(
          userIds.flatMap((userId) => {
            const name = { applicationId, userId };
            const user = linkedUserOf(name, itemIn(snapshot, userIdKey(name)));
            return user ? [[userId, { applicationId, email: user.email }]] : [];
          }),
        ),
        ratesVersion: ratesVersionOf(itemIn(snapshot, ratesStateKey)),
        snapshot,
        startedAt,
      };
    },

    /**
     * The entries as `record` would record them now.
     * @throws ApiError like `record`
     */
    preview: async (
      name: TenantName,
      request: PostingRequest,
      { snapshot, startedAt }: RecordOptions,
    ): Promise<RecordedEntry[]> => {
      const budget = openPostingBudget(startedAt);
      const decide = decisionOn(name, request, newEntriesOf(request), budget);
      return (await decide(snapshot)).result;
    },

    /**
     * Records the new entries of a request, all or none, and reads the entries that an earlier
     * request recorded.
     *
     * One transaction writes the entries, the sheets with their numbers and amounts, and the guards
     * of the external ids and the Idempotency-Key. So no number is lost, and no entry counts twice.
     * Requests of this process for one sheet wait for each other, and single entries are recorded
     * together.
     * @throws ApiError `validation_failed` if a user who posts is not linked to the tenant, if a
     *   date is full, or if the batch is too large
     */
    record: (
      name: TenantName,
      request: PostingRequest,
      { snapshot, startedAt }: RecordOptions,
    ): Promise<RecordedEntry[]> => {
      const newEntries = newEntriesOf(request);
      const budget = openPostingBudget(startedAt);
      const decide = decisionOn(name, request, newEntries, budget);
      const dates = sheetDatesOf(newEntries.map(({ entry }) => entry));
      const [date, ...others] = dates;
      const [first] = newEntries;
      if (first !== undefined && date !== undefined && others.length === 0) {
        const single = singleOf(request, newEntries);
        const { random } = first;
        return recordInQueue(name, date, { single, snapshot, random, decide, budget });
      }
      const reread = dates.map((it) => sheetKey(name, { series: 'MJ', date: it }));
      return writeOptimistically(table, snapshot, {
        decide,
        reread,
        budget: budget.contention(performance.now()),
      });
    },

    /** Whether the user is linked to the tenant. One call. */
    isLinked: (user: LinkedUser, name: TenantName): Promise<boolean> => isLinked(table, user, name),
  };
};

/** The only entry of a request that is not a batch, if it can be recorded with those of others. */
const singleOf = (
  { isBatch, idempotencyKey, users }: PostingRequest,
  [newEntry]: readonly NewEntry[],
): SingleEntry | undefined => {
  if (isBatch || newEntry === undefined || !canCombine(newEntry.entry)) return undefined;
  const { entry, random } = newEntry;
  const user = entry.userId === null ? undefined : users.get(entry.userId);
  return { entry, random, idempotencyKey, user };
};

/** The recorded and the new entries, in the order of the request. */
const resultOf = (
  recorded: readonly (JournalEntry | undefined)[],
  newEntries: readonly JournalEntry[],
): RecordedEntry[] => {
  const remaining = [...newEntries];
  return recorded.map((existing) => {
    const entry = existing ?? remaining.shift();
    if (entry === undefined) throw new Error('an entry was not recorded with the others');
    return { entry, replayed: existing !== undefined };
  });
};
