// Journal entries: numbered without gaps, unique by external_id for ever, on the sheets of their
// dates.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { Account } from '../domain/accounts.ts';
import { entryIdRandomBytes } from '../domain/entries/entry-ids.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { Tenant } from '../domain/tenants.ts';
import { ApiError } from '../errors.ts';
import {
  countsAtOnceOn,
  type EntrySheets,
  type Recording,
  recordingAfter,
  sheetKeysOf,
  sheetsIn,
  type UnrecordedEntry,
} from './entry-recording.ts';
import { ratesVersionOf } from './exchange-rates.ts';
import {
  accountKey,
  entryIdempotencyKey,
  externalIdKey,
  type Key,
  keyText,
  ratesStateKey,
  type TenantName,
  tenantKey,
  userIdKey,
} from './keys.ts';
import { type ContentionBudget, retryOnContention } from './retry.ts';
import type { Item, Table } from './table.ts';
import { isLinked, type LinkedUser, userNotLinked } from './tenant-links.ts';
import { UserIdEntry } from './users.ts';
import { awaitWhole } from './whole-entries.ts';

/**
 * The most that the caller of a post waits where others post to the same date: while it waits, it
 * takes the place of a request that need not.
 */
export const postingBudgetSeconds = 3;

/** What stands under an external_id or an Idempotency-Key: the entry that was posted with it. */
export const EntryGuard = z.object({ entrySk: z.string() });

/** What an entry is checked against, read in one call. */
export type PostingContext = {
  tenant: Tenant | undefined;
  accounts: Map<string, Account>;
  /** Where the entries are that were posted with this external_id or this Idempotency-Key. */
  recorded: Key[];
  sheets: EntrySheets;
  /** The user who posts, if one was asked for and there is one. */
  user?: LinkedUser | undefined;
  /** That of all exchange rates; read where currencies are exchanged. */
  ratesVersion: number;
  /** When the caller began to wait, as a moment of `performance.now()`. */
  startedAt: number;
};

/** What a request may be known by when it comes again. */
export type RequestIdentity = { externalId: string | null; idempotencyKey?: string | undefined };

/** Since when a caller has waited; it begins to now where this is left out. */
type Waiting = { startedAt?: number | undefined };

const budgetSince = (startedAt: number | undefined): ContentionBudget => ({
  milliseconds: postingBudgetSeconds * 1000,
  since: startedAt,
});

export type JournalEntries = ReturnType<typeof openJournalEntries>;

/** @param newRandom as many random bytes as it is asked for, for the ids of entries */
export const openJournalEntries = (
  table: Table,
  newRandom: (size: number) => Uint8Array = randomBytes,
) => {
  /** A recorded entry with all its lines, once all of them show up. */
  const get = (key: Key, { startedAt }: Waiting = {}): Promise<JournalEntry> =>
    awaitWhole(table, key, budgetSince(startedAt));

  const readSheets = async (name: TenantName, entry: UnrecordedEntry): Promise<EntrySheets> => {
    const keys = sheetKeysOf(name, { date: entry.date, countsOn: countsAtOnceOn(entry) });
    return sheetsIn(await table.getMany(Object.values(keys)), keys);
  };

  return {
    get,

    /** Reads all that deciding on an entry needs. Parts that could not be read are left out. */
    prepare: async (
      name: TenantName,
      asked: RequestIdentity & {
        codes: string[];
        date: string | undefined;
        /** The date on which it counts, where that is not later than today. */
        countsOn: string | undefined;
        userId?: string | null;
        isExchanged: boolean;
      },
    ): Promise<PostingContext> => {
      const { applicationId } = name;
      const { userId } = asked;
      const startedAt = performance.now();
      const codes = [...new Set(asked.codes)];
      const { date, countsOn } = asked;
      const sheetKeys = date === undefined ? undefined : sheetKeysOf(name, { date, countsOn });
      const keys = {
        tenant: tenantKey(name),
        user: userId ? userIdKey({ applicationId, userId }) : undefined,
        rates: asked.isExchanged ? ratesStateKey : undefined,
      };
      const guards = guardKeys(name, asked);
      const items = await table.getMany([
        ...Object.values({ ...keys, ...sheetKeys }).filter((key) => key !== undefined),
        ...guards,
        ...codes.map((code) => accountKey(name, code)),
      ]);
      const at = (key: Key | undefined): Item | undefined => key && items.get(keyText(key));
      const tenant = at(keys.tenant);
      const user = at(keys.user);
      const accounts = codes.flatMap((code) => {
        const item = at(accountKey(name, code));
        return item ? [[code, Account.parse(item)] as const] : [];
      });
      return {
        tenant: tenant && Tenant.parse(tenant),
        accounts: new Map(accounts),
        recorded: entriesOf(name, guards.map(at)),
        sheets: sheetsIn(items, sheetKeys),
        user: user && { applicationId, email: UserIdEntry.parse(user).email },
        ratesVersion: ratesVersionOf(at(keys.rates)),
        startedAt,
      };
    },

    /**
     * Records an entry under the next number of its date. The number, the entry, its amounts on the
     * sheet of its posting date and the guards of its external_id and of its Idempotency-Key are
     * one write, so that a number is never lost, an entry counts once, and nothing posts twice.
     * @throws ApiError `validation_failed` where the tenant is not linked to the user who posts
     */
    record: async (
      name: TenantName,
      entry: UnrecordedEntry,
      {
        sheets,
        user,
        idempotencyKey,
        startedAt,
      }: Pick<PostingContext, 'sheets' | 'user'> &
        Pick<RequestIdentity, 'idempotencyKey'> &
        Waiting,
    ): Promise<{ entry: JournalEntry; replayed: boolean }> => {
      const guards = guardKeys(name, { externalId: entry.externalId, idempotencyKey });
      const asked = { entry, guards, user, random: newRandom(entryIdRandomBytes) };
      let recording: Recording | undefined = recordingAfter(name, asked, sheets);
      const tryToRecord = async () => {
        recording ??= recordingAfter(name, asked, await readSheets(name, entry));
        const { transaction, guardPlaces, sheetPlaces } = recording;
        const outcome = await table.tryTransact(transaction);
        if (outcome === undefined) return undefined;
        if (outcome.committed) return { entry: recording.entry, replayed: false };
        const { failed } = outcome;
        const original = getOriginal(
          entriesOf(
            name,
            guardPlaces.map((place) => failed.get(place)),
          ),
        );
        if (original) return { entry: await get(original, { startedAt }), replayed: true };
        if (user && failed.has(recording.linkPlace)) {
          throw new ApiError('validation_failed', { details: [userNotLinked] });
        }
        // A rival's items may show up before its sheet does; then that shows in a later try.
        if (!sheetPlaces.some((place) => failed.has(place)) && !outcome.contended) {
          throw new Error('an entry stands where its sheet says none can');
        }
        // The sheet that stood in the way will have gone on when the pause is over. To try again
        // at once, from where it was, would spare a read and cost the others more: where many wait,
        // that takes twice as many tries for each entry.
        recording = undefined;
        return undefined;
      };
      return retryOnContention(tryToRecord, {
        ...budgetSince(startedAt),
        mayBeDone: () => recording?.transaction.mayBeDone === true,
      });
    },

    /** Whether the tenant is linked to a user. One call. */
    isLinked: (user: LinkedUser, name: TenantName): Promise<boolean> => isLinked(table, user, name),
  };
};

const guardKeys = (name: TenantName, { externalId, idempotencyKey }: RequestIdentity): Key[] => [
  ...(externalId === null ? [] : [externalIdKey(name, externalId)]),
  ...(idempotencyKey === undefined ? [] : [entryIdempotencyKey(name, idempotencyKey)]),
];

/** The entries, each once, that these guards stand for. */
const entriesOf = (name: TenantName, guards: readonly (Item | undefined)[]): Key[] => {
  const { pk } = tenantKey(name);
  const sorts = guards.flatMap((guard) => (guard ? [EntryGuard.parse(guard).entrySk] : []));
  return [...new Set(sorts)].map((sk) => ({ pk, sk }));
};

/**
 * The one entry that a request has posted before, if any.
 * @throws ApiError `idempotency_key_reused` where its external_id and its key stand for two entries
 */
export const getOriginal = ([first, second]: readonly Key[]): Key | undefined => {
  if (second !== undefined) throw new ApiError('idempotency_key_reused');
  return first;
};
