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
import { listDue } from './due-index.ts';
import { entryActions, lastSequenceOf, sequenceAction } from './entry-items.ts';
import {
  accountKey,
  dueKey,
  dueShards,
  entryKey,
  externalIdKey,
  type Key,
  keyText,
  sequenceKey,
  type TenantName,
  tenantKey,
} from './keys.ts';
import { type ContentionBudget, retryOnContention } from './retry.ts';
import { type Action, type Item, ifNotExists, type Table, transactionOf } from './table.ts';

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

const ExternalId = z.object({ entrySk: z.string() });
const StoredHeader = z.object({ lines: z.array(JournalLine), lineCount: z.int() });
const FurtherLines = z.object({ lines: z.array(JournalLine) });

/** What an entry is checked against, read in one call. */
export type PostingContext = {
  tenant: Tenant | undefined;
  accounts: Map<string, Account>;
  /** Where the entry of this external_id is, if there is one. */
  recorded: Key | undefined;
  lastSequence: number;
  /** When the caller began to wait, as a moment of `performance.now()`. */
  startedAt: number;
};

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
      asked: { codes: string[]; externalId: string | null; date: string | undefined },
    ): Promise<PostingContext> => {
      const startedAt = performance.now();
      const codes = [...new Set(asked.codes)];
      const keys = {
        tenant: tenantKey(name),
        external: asked.externalId === null ? undefined : externalIdKey(name, asked.externalId),
        sequence:
          asked.date === undefined ? undefined : sequenceKey(name, { series, date: asked.date }),
      };
      const items = await table.getMany([
        ...Object.values(keys).filter((key) => key !== undefined),
        ...codes.map((code) => accountKey(name, code)),
      ]);
      const at = (key: Key | undefined): Item | undefined => key && items.get(keyText(key));
      const tenant = at(keys.tenant);
      const external = at(keys.external);
      const accounts = codes.flatMap((code) => {
        const item = at(accountKey(name, code));
        return item ? [[code, Account.parse(item)] as const] : [];
      });
      return {
        tenant: tenant && Tenant.parse(tenant),
        accounts: new Map(accounts),
        recorded: external && { pk: keys.tenant.pk, sk: ExternalId.parse(external).entrySk },
        lastSequence: lastSequenceOf(at(keys.sequence)),
        startedAt,
      };
    },

    /**
     * Records an entry under the next number of its date. The number, the entry and the guard of
     * its external_id are one write, so a number is never lost and an external_id never doubled.
     */
    record: async (
      name: TenantName,
      entry: Omit<ManualJournal, 'journalNumber'>,
      { lastSequence, startedAt }: Pick<PostingContext, 'lastSequence'> & Waiting,
    ): Promise<{ entry: JournalEntry; replayed: boolean }> => {
      const sequence = sequenceKey(name, { series, date: entry.date });
      let recording: Recording | undefined = recordingAfter(name, entry, lastSequence);
      const tryToRecord = async () => {
        recording ??= recordingAfter(name, entry, await readLast(sequence));
        const outcome = await table.tryTransact(recording.transaction);
        if (outcome === undefined) return undefined;
        if (outcome.committed) return { entry: recording.entry, replayed: false };
        const guard = entry.externalId === null ? undefined : outcome.failed.get(guardPlace);
        if (guard) {
          const recorded = { pk: tenantKey(name).pk, sk: ExternalId.parse(guard).entrySk };
          return { entry: await get(recorded, { startedAt }), replayed: true };
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

/** The places of the sequence and of the external_id's guard in the transaction. */
const sequencePlace = 0;
const guardPlace = 1;

type Recording = ReturnType<typeof recordingAfter>;

/** An entry under the number after `last`, and the one transaction that records it there. */
const recordingAfter = (
  name: TenantName,
  entry: Omit<ManualJournal, 'journalNumber'>,
  last: number,
) => {
  const place = { series, date: entry.date, sequence: last + 1 } as const;
  const numbered: ManualJournal = { ...entry, journalNumber: journalNumber(place) };
  const actions = actionsFor(name, { entry: numbered, key: entryKey(name, place), last });
  return { entry: numbered, transaction: transactionOf(actions) };
};

const actionsFor = (
  name: TenantName,
  { entry, key, last }: { entry: ManualJournal; key: Key; last: number },
): Action[] => {
  const due = entry.status === 'scheduled' && entry.accrualDate !== null;
  const guard: Action[] =
    entry.externalId === null
      ? []
      : [
          {
            put: { ...externalIdKey(name, entry.externalId), entrySk: key.sk },
            condition: ifNotExists,
          },
        ];
  return [
    sequenceAction(name, { series, date: entry.date }, { last, next: last + 1 }),
    ...guard,
    ...entryActions(key, entry, due ? dueKey(key, entry.accrualDate ?? '') : {}),
  ];
};
