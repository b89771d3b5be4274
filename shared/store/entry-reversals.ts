// Reversals of entries: each is recorded with the mark on its original, so that an entry is
// reversed once.

import { randomBytes } from 'node:crypto';
import type { ApiEntry, JournalEntry, UnnumberedEntry } from '../domain/entries/journal-entry.ts';
import { Tenant } from '../domain/tenants.ts';
import { ApiError } from '../errors.ts';
import { recordedBefore } from './entry-guards.ts';
import { addressKey, type EntryAddress, entryFrom, keyOfEntryId } from './entry-lookups.ts';
import {
  type Recordable,
  recordingAfter,
  recordOnSheets,
  type SheetsByDate,
  sheetDatesOf,
  sheetKeysOf,
  sheetsIn,
} from './entry-recording.ts';
import { type Key, keyText, type TenantName, tenantKey, userIdKey } from './keys.ts';
import { guardKeysOf, recordableOf, withRandom } from './recordable-entries.ts';
import type { ContentionBudget } from './retry.ts';
import type { Action, Item, Table } from './table.ts';
import { isLinked, type LinkedUser, userNotLinked } from './tenant-links.ts';
import { UserIdEntry } from './users.ts';
import { getWhole } from './whole-entries.ts';

/** What is asked for, as far as it could be read. */
export type AskedReversal = {
  /** What leads to the entry to be reversed; `undefined` where no entry can be there. */
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
   * Where the entry is that the external_id or the Idempotency-Key stands for.
   * @throws ApiError `idempotency_key_reused` where it stands for another one, or for many
   */
  recorded: () => Key | undefined;
  sheets: SheetsByDate;
};

/** A reversal, and what is recorded with it. */
export type ReversalToRecord = {
  reversal: UnnumberedEntry<ApiEntry>;
  idempotencyKey: string | undefined;
} & Pick<ReversalContext, 'sheets' | 'user'>;

/** The mark on an entry that is reversed from now on. */
const reversedMark = (original: Key, reversalId: string): Action => ({
  update: original,
  expression: 'SET reversedBy = :reversal',
  condition: 'attribute_not_exists(reversedBy) AND #status = :posted',
  names: { '#status': 'status' },
  values: { ':reversal': reversalId, ':posted': 'posted' },
});

const recordableWithMark = (
  name: TenantName,
  {
    reversal,
    random,
    user,
    idempotencyKey,
  }: Omit<ReversalToRecord, 'sheets'> & { random: Uint8Array },
): Recordable => {
  const { userId, reverses } = reversal;
  if (reverses === null) throw new Error('a reversal does not say what it reverses');
  const users = new Map(userId !== null && user ? [[userId, user]] : []);
  const options = { users, idempotencyKey, isBatch: false };
  const plain = recordableOf(name, [{ entry: reversal, random }], options);
  return {
    ...plain,
    alongside: (keys, entries) => [
      ...entries.map(({ entryId }) => reversedMark(keyOfEntryId(name, reverses), entryId)),
      ...(plain.alongside?.(keys, entries) ?? []),
    ],
  };
};

export type EntryReversals = ReturnType<typeof openEntryReversals>;

/** @param newRandom as many random bytes as it is asked for, for the ids of entries */
export const openEntryReversals = (
  table: Table,
  newRandom: (size: number) => Uint8Array = randomBytes,
) => {
  const withRandomOf = (reversal: UnnumberedEntry<ApiEntry>): { random: Uint8Array } => {
    const [asked] = withRandom([{ entry: reversal }], newRandom);
    if (asked === undefined || 'key' in asked) throw new Error('a reversal is an entry');
    return asked;
  };

  return {
    /**
     * Reads all that deciding on a reversal needs: in one call where the original is named by its
     * place, and in two by its external_id or where it has more lines than its first item holds.
     */
    prepare: async (name: TenantName, asked: AskedReversal): Promise<ReversalContext> => {
      const { original: address, date, postingDate, externalId, userId, idempotencyKey } = asked;
      const { applicationId } = name;
      const dates = sheetDatesOf([{ date, postingDate }]);
      const guards = guardKeysOf(name, { externalIds: [externalId], idempotencyKey });
      const guardKey = externalId === null ? undefined : guards.byExternalId.get(externalId);
      const userKey = userId === null ? undefined : userIdKey({ applicationId, userId });
      const key = address && addressKey(name, address);
      const single = [tenantKey(name), key, guardKey, guards.byIdempotencyKey, userKey];
      const items = await table.getMany([
        ...single.filter((it) => it !== undefined),
        ...sheetKeysOf(name, dates),
      ]);
      const at = (of: Key | undefined): Item | undefined => of && items.get(keyText(of));
      const [tenant, addressed, guard, found] = [tenantKey(name), key, guardKey, userKey].map(at);
      return {
        tenant: tenant && Tenant.parse(tenant),
        original: key && addressed && (await entryFrom(table, key, addressed)),
        user: found && { applicationId, email: UserIdEntry.parse(found).email },
        isExternalIdTaken: guard !== undefined,
        recorded: () =>
          recordedBefore(
            name,
            { externalIds: [externalId], isBatch: false },
            {
              byExternalId: new Map(externalId !== null && guard ? [[externalId, guard]] : []),
              byIdempotencyKey: at(guards.byIdempotencyKey),
            },
          )[0],
        sheets: sheetsIn(name, items, dates),
      };
    },

    /** An entry that is there, with all its lines. */
    get: (key: Key): Promise<JournalEntry> => getWhole(table, key),

    /** Whether the tenant is linked to a user. One call. */
    isLinked: (user: LinkedUser, name: TenantName): Promise<boolean> => isLinked(table, user, name),

    /** The reversal as `record` would record it now. */
    preview: (name: TenantName, { sheets, ...asked }: ReversalToRecord): JournalEntry => {
      const recordable = recordableWithMark(name, { ...asked, ...withRandomOf(asked.reversal) });
      const [entry] = recordingAfter(name, recordable, sheets).entries;
      if (entry === undefined) throw new Error('a reversal was left out');
      return entry;
    },

    /**
     * Records a reversal with its number, what it adds to its sheet, the mark on its original and
     * its guards, all or nothing.
     *
     * @returns `superseded` where another request reversed the original meanwhile, or used the
     *   external_id or the Idempotency-Key
     * @throws ApiError `validation_failed` where the tenant is not linked to the user
     */
    record: (
      name: TenantName,
      { sheets, budget, ...asked }: ReversalToRecord & { budget: ContentionBudget },
    ): Promise<JournalEntry | 'superseded'> => {
      const recordable = recordableWithMark(name, { ...asked, ...withRandomOf(asked.reversal) });
      return recordOnSheets<JournalEntry | 'superseded'>(table, name, {
        ...{ sheets, budget },
        plan: () => recordable,
        committed: ([entry]) => {
          if (entry === undefined) throw new Error('a reversal was not recorded');
          return entry;
        },
        settle: async ({ guards, alongside, links }) => {
          if (guards.size > 0 || alongside.size > 0) return { result: 'superseded' };
          if (links.size === 0) return undefined;
          throw new ApiError('validation_failed', { details: [userNotLinked()] });
        },
      });
    },
  };
};
