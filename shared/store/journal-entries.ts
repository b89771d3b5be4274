// Journal entries: numbered without gaps, unique by external_id for ever, posted when due.

import * as z from 'zod/mini';
import { Account } from '../domain/accounts.ts';
import {
  JournalEntry,
  JournalLine,
  journalNumber,
  type ManualJournal,
} from '../domain/entries/journal-entry.ts';
import { Tenant } from '../domain/tenants.ts';
import { ApiError } from '../errors.ts';
import { listDue } from './due-index.ts';
import { entryActions, lastSequenceOf, sequenceAction } from './entry-items.ts';
import { ratesVersionOf } from './exchange-rates.ts';
import {
  accountKey,
  dueKey,
  dueShards,
  entryIdempotencyKey,
  entryKey,
  externalIdKey,
  type Key,
  keyText,
  ratesStateKey,
  sequenceKey,
  type TenantName,
  tenantKey,
  userIdKey,
} from './keys.ts';
import { type ContentionBudget, retryOnContention } from './retry.ts';
import { type Action, type Item, ifNotExists, type Table, transactionOf } from './table.ts';
import { isLinked, type LinkedUser, linkedCheck, userNotLinked } from './tenant-links.ts';
import { UserIdEntry } from './users.ts';

/** What is posted by request is counted apart from what is imported. */
const series = 'MJ';

/**
 * The most that the caller of a post waits where others post to the same date: while it waits, it
 * takes the place of a request that need not.
 */
export const postingBudgetSeconds = 3;

/** Where an entry is, as the due index names it. */
export const EntryAddress = z.object({ pk: z.string(), sk: z.string() });
export type EntryAddress = z.infer<typeof EntryAddress>;

/** What stands under an external_id or an Idempotency-Key: the entry that was posted with it. */
const Guard = z.object({ entrySk: z.string() });
const StoredHeader = z.object({ lines: z.array(JournalLine), lineCount: z.int() });
const FurtherLines = z.object({ lines: z.array(JournalLine) });

/** What an entry is checked against, read in one call. */
export type PostingContext = {
  tenant: Tenant | undefined;
  accounts: Map<string, Account>;
  /** Where the entries are that were posted with this external_id or this Idempotency-Key. */
  recorded: Key[];
  lastSequence: number;
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

export const openJournalEntries = (table: Table) => {
  /**
   * A recorded entry with all its lines, in one query. Outside a transaction, the items of one that
   * has just been committed show up one by one: it is read again until all of them are there.
   */
  const get = (key: Key, { startedAt }: Waiting = {}): Promise<JournalEntry> => {
    const tryToRead = async () => {
      const [first, ...further] = await table.query({
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
        ExpressionAttributeValues: { ':pk': key.pk, ':sk': key.sk },
      });
      if (first === undefined) return undefined;
      const { lines: firstLines, lineCount } = StoredHeader.parse(first);
      const furtherLines = further.flatMap((item) => FurtherLines.parse(item).lines);
      const lines = [...firstLines, ...furtherLines];
      return lines.length === lineCount ? JournalEntry.parse({ ...first, lines }) : undefined;
    };
    return retryOnContention(tryToRead, budgetSince(startedAt));
  };

  const readLast = async (sequence: Key): Promise<number> =>
    lastSequenceOf((await table.getMany([sequence])).get(keyText(sequence)));

  return {
    get,

    /** Reads all that deciding on an entry needs. Parts that could not be read are left out. */
    prepare: async (
      name: TenantName,
      asked: RequestIdentity & {
        codes: string[];
        date: string | undefined;
        userId?: string | null;
        isExchanged: boolean;
      },
    ): Promise<PostingContext> => {
      const { applicationId } = name;
      const { userId } = asked;
      const startedAt = performance.now();
      const codes = [...new Set(asked.codes)];
      const keys = {
        tenant: tenantKey(name),
        sequence:
          asked.date === undefined ? undefined : sequenceKey(name, { series, date: asked.date }),
        user: userId ? userIdKey({ applicationId, userId }) : undefined,
        rates: asked.isExchanged ? ratesStateKey : undefined,
      };
      const guards = guardKeys(name, asked);
      const items = await table.getMany([
        ...Object.values(keys).filter((key) => key !== undefined),
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
        lastSequence: lastSequenceOf(at(keys.sequence)),
        user: user && { applicationId, email: UserIdEntry.parse(user).email },
        ratesVersion: ratesVersionOf(at(keys.rates)),
        startedAt,
      };
    },

    /**
     * Records an entry under the next number of its date. The number, the entry and the guards of
     * its external_id and of its Idempotency-Key are one write, so that a number is never lost, and
     * neither of these posts twice.
     * @throws ApiError `validation_failed` where the tenant is not linked to the user who posts
     */
    record: async (
      name: TenantName,
      entry: Omit<ManualJournal, 'journalNumber'>,
      {
        lastSequence,
        user,
        idempotencyKey,
        startedAt,
      }: Pick<PostingContext, 'lastSequence' | 'user'> &
        Pick<RequestIdentity, 'idempotencyKey'> &
        Waiting,
    ): Promise<{ entry: JournalEntry; replayed: boolean }> => {
      const sequence = sequenceKey(name, { series, date: entry.date });
      const guards = guardKeys(name, { externalId: entry.externalId, idempotencyKey });
      const asked = { entry, guards, user };
      let recording: Recording | undefined = recordingAfter(name, asked, lastSequence);
      const tryToRecord = async () => {
        recording ??= recordingAfter(name, asked, await readLast(sequence));
        const outcome = await table.tryTransact(recording.transaction);
        if (outcome === undefined) return undefined;
        if (outcome.committed) return { entry: recording.entry, replayed: false };
        const original = getOriginal(
          entriesOf(
            name,
            guards.map((_, place) => outcome.failed.get(firstGuardPlace + place)),
          ),
        );
        if (original) return { entry: await get(original, { startedAt }), replayed: true };
        if (user && outcome.failed.has(firstGuardPlace + guards.length)) {
          throw new ApiError('validation_failed', { details: [userNotLinked] });
        }
        // A rival's items may show up before its sequence does; then it shows in a later try.
        if (!outcome.failed.has(sequencePlace) && !outcome.contended) {
          throw new Error('an entry stands where its sequence says none can');
        }
        // The sequence that stood in the way will have gone on when the pause is over. To try again
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

    /** Yields the keys of the scheduled entries that are due on `date` or were before it. */
    listDue: (date: string): AsyncGenerator<Key> =>
      listDue(table, { partitions: dueShards, by: date }),

    /** Posts a scheduled entry; false where it was posted before. One call. */
    post: (key: Key, postedAt: string): Promise<boolean> =>
      table.update({
        update: key,
        expression: 'SET #status = :posted, postedAt = :postedAt REMOVE due_pk, due_sk',
        condition: '#status = :scheduled',
        names: { '#status': 'status' },
        values: { ':posted': 'posted', ':scheduled': 'scheduled', ':postedAt': postedAt },
      }),
  };
};

const guardKeys = (name: TenantName, { externalId, idempotencyKey }: RequestIdentity): Key[] => [
  ...(externalId === null ? [] : [externalIdKey(name, externalId)]),
  ...(idempotencyKey === undefined ? [] : [entryIdempotencyKey(name, idempotencyKey)]),
];

/** The entries, each once, that these guards stand for. */
const entriesOf = (name: TenantName, guards: readonly (Item | undefined)[]): Key[] => {
  const { pk } = tenantKey(name);
  const sorts = guards.flatMap((guard) => (guard ? [Guard.parse(guard).entrySk] : []));
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

/** The places of the sequence and of the first guard in the transaction; the link's is behind. */
const sequencePlace = 0;
const firstGuardPlace = 1;

type Recording = ReturnType<typeof recordingAfter>;

/** An entry under the number after `last`, and the one transaction that records it there. */
const recordingAfter = (
  name: TenantName,
  {
    entry,
    ...conditions
  }: {
    entry: Omit<ManualJournal, 'journalNumber'>;
    guards: readonly Key[];
    user: LinkedUser | undefined;
  },
  last: number,
) => {
  const place = { series, date: entry.date, sequence: last + 1 } as const;
  const numbered: ManualJournal = { ...entry, journalNumber: journalNumber(place) };
  const key = entryKey(name, place);
  const actions = actionsFor(name, { entry: numbered, ...conditions, key, last });
  return { entry: numbered, transaction: transactionOf(actions) };
};

const actionsFor = (
  name: TenantName,
  {
    entry,
    guards,
    user,
    key,
    last,
  }: {
    entry: ManualJournal;
    guards: readonly Key[];
    user: LinkedUser | undefined;
    key: Key;
    last: number;
  },
): Action[] => {
  const due = entry.status === 'scheduled' && entry.accrualDate !== null;
  return [
    sequenceAction(name, { series, date: entry.date }, { last, next: last + 1 }),
    ...guards.map((guard) => ({ put: { ...guard, entrySk: key.sk }, condition: ifNotExists })),
    ...(user ? [linkedCheck(user, name)] : []),
    ...entryActions(key, entry, due ? dueKey(key, entry.accrualDate ?? '') : {}),
  ];
};
