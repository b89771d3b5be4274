// Journal entries: numbered without gaps, unique by external_id for ever, on the sheets of their
// dates.

import { randomBytes } from 'node:crypto';
import { Account } from '../domain/accounts.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { Tenant } from '../domain/tenants.ts';
import { ApiError } from '../errors.ts';
import { type RequestIdentity, recordedBefore } from './entry-guards.ts';
import {
  type Failure,
  recordingAfter,
  recordOnSheets,
  type SheetsByDate,
  sheetDatesOf,
  sheetKeysOf,
  sheetsIn,
} from './entry-recording.ts';
import { ratesVersionOf } from './exchange-rates.ts';
import {
  accountKey,
  type Key,
  keyText,
  ratesStateKey,
  type TenantName,
  tenantKey,
  userIdKey,
} from './keys.ts';
import {
  demandRoomInReply,
  type EntryOrKey,
  guardKeysOf,
  isAllRecorded,
  type RequestOptions,
  recordableOf,
  unlinkedProblems,
  withRandom,
  withRecorded,
} from './recordable-entries.ts';
import type { ContentionBudget } from './retry.ts';
import type { Item, Table } from './table.ts';
import { isLinked, type LinkedUser } from './tenant-links.ts';
import { UserIdEntry } from './users.ts';
import { awaitWhole } from './whole-entries.ts';

/**
 * The most that the caller of a post waits where others post to the same date: while it waits, it
 * takes the place of a request that need not.
 */
export const postingBudgetSeconds = 3;

/** What entries are checked against, read in one call. */
export type PostingContext = {
  tenant: Tenant | undefined;
  accounts: ReadonlyMap<string, Account>;
  /**
   * Where the entries are that were recorded before, in the order of the request.
   * @throws ApiError `idempotency_key_reused` where its key stands for others than it asks for
   */
  recorded: () => (Key | undefined)[];
  sheets: SheetsByDate;
  /** The users who post, by their ids; without those that there are not. */
  users: ReadonlyMap<string, LinkedUser>;
  /** That of all exchange rates; read where currencies are exchanged. */
  ratesVersion: number;
  /** When the caller began to wait, as a moment of `performance.now()`. */
  startedAt: number;
};

/** What is asked for of an entry, as far as it could be read. */
export type AskedEntry = {
  codes: readonly string[];
  date: string | undefined;
  /** The date on which it counts, now or later. */
  postingDate: string | undefined;
  externalId: string | null;
  userId: string | null;
};

/** An entry of the ledger, and whether it was recorded by an earlier request. */
export type RecordedEntry = { entry: JournalEntry; replayed: boolean };

/** What the entries of a request are recorded with. */
export type RecordOptions = RequestOptions & Waiting & Pick<PostingContext, 'sheets'>;

/** Since when a caller has waited; it begins to now where this is left out. */
type Waiting = { startedAt?: number | undefined };

const budgetSince = (startedAt: number | undefined): ContentionBudget => ({
  milliseconds: postingBudgetSeconds * 1000,
  since: startedAt,
});

/** What was asked for, as it was recorded now or before. */
const answersOf = (
  before: readonly (JournalEntry | undefined)[],
  recorded: readonly JournalEntry[],
): RecordedEntry[] => {
  const fresh = [...recorded];
  return before.map((found) => {
    const entry = found ?? fresh.shift();
    if (entry === undefined) throw new Error('an entry was not recorded with the others');
    return { entry, replayed: found !== undefined };
  });
};

export type JournalEntries = ReturnType<typeof openJournalEntries>;

/** @param newRandom as many random bytes as it is asked for, for the ids of entries */
export const openJournalEntries = (
  table: Table,
  newRandom: (size: number) => Uint8Array = randomBytes,
) => {
  /** A recorded entry with all its lines, once all of them show up. */
  const get = (key: Key, { startedAt }: Waiting = {}): Promise<JournalEntry> =>
    awaitWhole(table, key, budgetSince(startedAt));

  /**
   * Those of a request's entries that were recorded before; `undefined` for what is new. They are
   * read before that is written: nothing may stand in the way of the reply once it is.
   * @throws ApiError where so much is to be answered that the reply might not be sent
   */
  const readRecorded = async (
    asked: readonly EntryOrKey[],
    waiting: Waiting,
  ): Promise<(JournalEntry | undefined)[]> => {
    const before = await Promise.all(
      asked.map((it) => ('key' in it ? get(it.key, waiting) : undefined)),
    );
    if (!isAllRecorded(asked)) demandRoomInReply(asked, before);
    return before;
  };

  return {
    get,

    /** Reads all that deciding on entries needs. Parts that could not be read are left out. */
    prepare: async (
      name: TenantName,
      {
        entries,
        isExchanged,
        ...identity
      }: Omit<RequestIdentity, 'externalIds'> & {
        entries: readonly AskedEntry[];
        isExchanged: boolean;
      },
    ): Promise<PostingContext> => {
      const { applicationId } = name;
      const startedAt = performance.now();
      const codes = [...new Set(entries.flatMap((entry) => entry.codes))];
      const dates = sheetDatesOf(entries);
      const userIds = [...new Set(entries.flatMap(({ userId }) => userId ?? []))];
      const externalIds = entries.map(({ externalId }) => externalId);
      const guards = guardKeysOf(name, { ...identity, externalIds });
      const items = await table.getMany([
        tenantKey(name),
        ...(isExchanged ? [ratesStateKey] : []),
        ...userIds.map((userId) => userIdKey({ applicationId, userId })),
        ...sheetKeysOf(name, dates),
        ...guards.byExternalId.values(),
        ...(guards.byIdempotencyKey ? [guards.byIdempotencyKey] : []),
        ...codes.map((code) => accountKey(name, code)),
      ]);
      const at = (key: Key | undefined): Item | undefined => key && items.get(keyText(key));
      const found = <Value, Parsed>(
        of: Iterable<readonly [Value, Key]>,
        parse: (item: Item) => Parsed,
      ) =>
        new Map(
          [...of].flatMap(([value, key]) => {
            const item = at(key);
            return item === undefined ? [] : [[value, parse(item)] as const];
          }),
        );
      const tenant = at(tenantKey(name));
      return {
        tenant: tenant && Tenant.parse(tenant),
        accounts: found(
          codes.map((code) => [code, accountKey(name, code)]),
          (item) => Account.parse(item),
        ),
        recorded: () =>
          recordedBefore(
            name,
            { ...identity, externalIds },
            {
              byExternalId: found(guards.byExternalId, (item) => item),
              byIdempotencyKey: at(guards.byIdempotencyKey),
            },
          ),
        sheets: sheetsIn(name, items, dates),
        users: found(
          userIds.map((userId) => [userId, userIdKey({ applicationId, userId })]),
          (item) => ({ applicationId, email: UserIdEntry.parse(item).email }),
        ),
        ratesVersion: ratesVersionOf(at(ratesStateKey)),
        startedAt,
      };
    },

    /**
     * The entries as `record` would record them now.
     * @throws ApiError where there is no room for them
     */
    preview: async (
      name: TenantName,
      asked: readonly EntryOrKey[],
      { sheets, ...options }: RecordOptions,
    ): Promise<RecordedEntry[]> => {
      const recordable = recordableOf(name, withRandom(asked, newRandom), options);
      const { entries } = recordingAfter(name, recordable, sheets);
      return answersOf(await readRecorded(asked, options), entries);
    },

    /**
     * Records entries under the next numbers of their dates. Their numbers, the entries, their
     * amounts on the sheets of their posting dates and the guards of their external ids and of the
     * request's Idempotency-Key are one write, so that a number is never lost, an entry counts
     * once, and nothing posts twice.
     * @throws ApiError `validation_failed` where the tenant is not linked to a user who posts
     */
    record: async (
      name: TenantName,
      given: readonly EntryOrKey[],
      { sheets, ...options }: RecordOptions,
    ): Promise<RecordedEntry[]> => {
      let before = await readRecorded(given, options);
      if (isAllRecorded(given)) return answersOf(before, []);
      let asked = withRandom(given, newRandom);
      const settle = async ({ guards, alongside, links }: Failure) => {
        if (guards.size > 0 || alongside.size > 0) {
          const found = { guards, byIdempotencyKey: alongside.get(0) };
          asked = withRecorded(name, asked, { ...found, isBatch: options.isBatch });
          before = await readRecorded(asked, options);
          return isAllRecorded(asked) ? { result: answersOf(before, []) } : 'again';
        }
        if (links.size === 0) return undefined;
        const details = unlinkedProblems(asked, { ...options, links });
        throw new ApiError('validation_failed', { details });
      };
      return recordOnSheets(table, name, {
        sheets,
        plan: () => recordableOf(name, asked, options),
        committed: (entries) => answersOf(before, entries),
        settle,
        budget: budgetSince(options.startedAt),
      });
    },

    /** Whether the tenant is linked to a user. One call. */
    isLinked: (user: LinkedUser, name: TenantName): Promise<boolean> => isLinked(table, user, name),
  };
};
