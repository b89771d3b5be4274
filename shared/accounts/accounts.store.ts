// Accounts of a tenant's chart. Those that come from a platform each have a code that they keep.

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import {
  accountsIn,
  addAccountsAction,
  beginAccountCount,
} from '../applications/quota-counts.store.ts';
import type { Quotas } from '../applications/quotas.ts';
import {
  accountCountKey,
  accountKey,
  type Key,
  keyText,
  platformAccountKey,
  platformAccountPrefix,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import { type Action, type Item, ifNotExists, type Table, transactionOf } from '../table/table.ts';
import { cleaned, truncate } from '../texts.ts';
import {
  archiveAction,
  type ImportedPart,
  importAction,
  importedPartOf,
} from './account-actions.store.ts';
import { Account, maximumAccountNameLength, type PlatformAccount } from './accounts.ts';
import { codeById, ownCodeOf } from './platform-account-codes.ts';

/** The code and name of an account that the platform knows by an id, and whether it is cash. */
export const PlatformAccountEntry = z.object({
  code: z.string(),
  name: z.string(),
  isCash: z.boolean(),
});
export type PlatformAccountEntry = z.infer<typeof PlatformAccountEntry>;

/** An account to be recorded; those of ours may have a role, by which we find them again. */
type AccountToRecord = PlatformAccount & { role?: string };

/**
 * Our account for taxes of which a platform does not say where it posts them. It is kept as if the
 * platform had it, so that it gets a code in the same way, though somebody else may have that code.
 */
const taxClearing: AccountToRecord = {
  accountId: 'tax_clearing',
  code: 'tax_clearing',
  name: 'Tax clearing',
  type: 'liability',
  subtype: 'tax_liability',
  cashFlow: 'operating',
  status: 'active',
  role: 'tax_clearing',
};

/** Each account takes up to three actions of a transaction's hundred, and their count takes one. */
const batchSize = 33;

type AccountQuotas = Pick<Quotas, 'accountsPerTenant' | 'accountCodeBytes'>;

const isActive = ({ status }: PlatformAccount): boolean => status === 'active';

export type Accounts = ReturnType<typeof openAccounts>;

export const openAccounts = (table: Table, quotas: AccountQuotas) => {
  /** What the table has of a batch; a second call is for accounts whose code has changed. */
  const readBatch = async (name: TenantName, batch: readonly AccountToRecord[]) => {
    const keys = batch.flatMap((account) => {
      const code = ownCodeOf(account);
      return [
        platformAccountKey(name, account.accountId),
        accountKey(name, codeById(account.accountId)),
        ...(code === undefined ? [] : [accountKey(name, code)]),
      ];
    });
    const items = await table.getMany([accountCountKey(name), ...keys]);
    const asked = new Set(keys.map(keyText));
    const formerKeys = batch.flatMap(({ accountId }) => {
      const entry = entryIn(items, platformAccountKey(name, accountId));
      return entry === undefined ? [] : [accountKey(name, entry.code)];
    });
    const further = formerKeys.filter((key) => !asked.has(keyText(key)));
    return new Map([...items, ...(await table.getMany(further))]);
  };

  /**
   * One attempt at a batch, which returns the ids of the accounts that the quota has no room for;
   * `undefined` if somebody else came in between.
   */
  const tryBatch = async (
    name: TenantName,
    batch: readonly AccountToRecord[],
  ): Promise<string[] | undefined> => {
    const items = await readBatch(name, batch);
    const { accountsPerTenant: maximum, accountCodeBytes } = quotas;
    const counted = accountsIn(items.get(keyText(accountCountKey(name))));
    const room = maximum - (counted ?? (await beginAccountCount(table, name)));
    const { actionsFor, result } = openBatch(name, { items, room, accountCodeBytes });
    const actions: Action[] = batch.flatMap(actionsFor);
    const { added, leftOut } = result();
    if (actions.length === 0) return leftOut;
    if (added > 0) actions.push(addAccountsAction(name, { added, maximum }));
    const outcome = await table.tryTransact(transactionOf(actions));
    return outcome?.committed ? leftOut : undefined;
  };

  const recordAll = async (
    name: TenantName,
    accounts: readonly AccountToRecord[],
  ): Promise<string[]> => {
    const distinct = [...new Map(accounts.map((it) => [it.accountId, it])).values()];
    const ordered = [
      ...distinct.filter(isActive),
      ...distinct.filter((account) => !isActive(account)),
    ];
    const leftOut: string[] = [];
    for (let first = 0; first < ordered.length; first += batchSize) {
      const batch = ordered.slice(first, first + batchSize);
      leftOut.push(...(await retryOnContention(() => tryBatch(name, batch))));
    }
    return leftOut;
  };

  const findById = async (
    name: TenantName,
    accountIds: readonly string[],
  ): Promise<Map<string, PlatformAccountEntry>> => {
    const items = await table.getMany(accountIds.map((id) => platformAccountKey(name, id)));
    return new Map(
      accountIds.flatMap((id) => {
        const entry = entryIn(items, platformAccountKey(name, id));
        return entry ? [[id, entry] as const] : [];
      }),
    );
  };

  return {
    /**
     * Adds accounts to the tenant's chart, or brings those that are there up to date.
     *
     * An account keeps its platform's code where nobody else has it (of two in one call, the one
     * that is active), and is called after its id otherwise. Whoever has a code keeps it. An
     * account that the platform gives another code is there under both: the old one is archived,
     * so that what was posted under it still leads to the account. Revisit when renumbering charts
     * is common.
     *
     * How the statements show an account is written when it is first recorded, and stays as it is
     * from then on, under whichever code: callers may have set it otherwise since.
     *
     * None is ever deleted, since entries were posted to it. Revisit when platforms report
     * deletions reliably.
     *
     * @returns the ids of the accounts that were left out, since the tenant has as many accounts as
     *   its quota; those that are there are brought up to date
     */
    record: (name: TenantName, accounts: readonly PlatformAccount[]): Promise<string[]> =>
      recordAll(name, accounts),

    /** How many accounts of the platform there are. */
    count: async (name: TenantName): Promise<number> => {
      const items = await table.query(prefixRange(tenantKey(name).pk, platformAccountPrefix));
      const ours = platformAccountKey(name, taxClearing.accountId).sk;
      return items.filter(({ sk }) => sk !== ours).length;
    },

    /** The accounts that the platform knows by these ids, as far as the chart has them. */
    findMany: findById,

    /**
     * The accounts with these codes of the platform, as far as the chart has them. One that could
     * not keep its code, since another had it, is not found by it; nor is one that has another code
     * by now, since the account that has its old one at the platform is not this one.
     */
    findManyByCode: async (
      name: TenantName,
      codes: readonly string[],
    ): Promise<Map<string, PlatformAccountEntry>> => {
      const wanted = codes.flatMap((given) => {
        const code = ownCodeOf({ code: given });
        return code === undefined ? [] : [{ given, key: accountKey(name, code) }];
      });
      const items = await table.getMany(wanted.map(({ key }) => key));
      const accounts = wanted.flatMap(({ given, key }) => {
        const item = items.get(keyText(key));
        return item ? { given, account: Account.parse(item) } : [];
      });
      const ids = accounts.flatMap(({ account }) => account.platformAccountId ?? []);
      const byId = await findById(name, ids);
      return new Map(
        accounts.flatMap(({ given, account: { code, platformAccountId } }) => {
          const entry = byId.get(platformAccountId ?? '');
          return entry?.code === code ? [[given, entry] as const] : [];
        }),
      );
    },

    /**
     * Our account for taxes that have none, which is made when it is first asked for; `undefined`
     * if the quota has no room for it.
     */
    taxClearing: async (name: TenantName): Promise<PlatformAccountEntry | undefined> => {
      const find = async () =>
        (await findById(name, [taxClearing.accountId])).get(taxClearing.accountId);
      const before = await find();
      if (before !== undefined) return before;
      const leftOut = await recordAll(name, [taxClearing]);
      const made = await find();
      if (made === undefined && leftOut.length === 0) {
        throw new Error('the account for taxes is not there');
      }
      return made;
    },
  };
};

const entryIn = (items: ReadonlyMap<string, Item>, key: Key): PlatformAccountEntry | undefined => {
  const item = items.get(keyText(key));
  return item && PlatformAccountEntry.parse(item);
};

/** Decides on the accounts of a batch, one after the other, from what the table has of them. */
const openBatch = (
  name: TenantName,
  {
    items,
    room,
    accountCodeBytes,
  }: { items: ReadonlyMap<string, Item>; room: number; accountCodeBytes: number },
) => {
  const taken = new Set<string>();
  const leftOut: string[] = [];
  let added = 0;

  const accountAt = (code: string): Account | undefined => {
    const item = items.get(keyText(accountKey(name, code)));
    return item && Account.parse(item);
  };
  const isFree = (code: string, accountId: string): boolean => {
    const owner = accountAt(code);
    return !taken.has(code) && (owner === undefined || owner.platformAccountId === accountId);
  };
  /** An account keeps the code that it has, even if a new one could not have it any more. */
  const codeFor = (account: PlatformAccount, before: PlatformAccountEntry | undefined): string => {
    const own = ownCodeOf(account);
    const isUsable =
      own !== undefined && (before?.code === own || Buffer.byteLength(own) <= accountCodeBytes);
    return isUsable && isFree(own, account.accountId) ? own : codeById(account.accountId);
  };

  return {
    /** How many accounts the actions add, and which found no room. */
    result: () => ({ added, leftOut }),

    actionsFor: (given: AccountToRecord): Action[] => {
      const { accountId, type, status, role } = given;
      const idKey = platformAccountKey(name, accountId);
      const before = entryIn(items, idKey);
      const code = codeFor(given, before);
      const present = accountAt(code);
      if (present === undefined && added >= room) {
        leftOut.push(accountId);
        return [];
      }
      taken.add(code);
      const accountName = truncate(maximumAccountNameLength, cleaned('name', given.name));
      const imported: ImportedPart = {
        ...{ code, name: accountName, type, status, platformAccountId: accountId },
        ...(role !== undefined && { role }),
      };
      const isCash = before?.isCash ?? given.cashFlow === 'cash';
      const entry: PlatformAccountEntry = { code, name: accountName, isCash };
      const isUpToDate =
        present !== undefined &&
        isDeepStrictEqual(importedPartOf(present), imported) &&
        isDeepStrictEqual(before, entry);
      if (isUpToDate) return [];
      if (present === undefined) added += 1;
      const former = before && before.code !== code ? accountAt(before.code) : undefined;
      // The account and its id are written together, so that nobody else's half stays beside ours.
      return [
        importAction(name, { imported, given, present, former }),
        {
          put: { ...idKey, ...entry },
          condition: before ? 'code = :before' : ifNotExists,
          ...(before && { values: { ':before': before.code } }),
        },
        ...(former ? [archiveAction(name, former)] : []),
      ];
    },
  };
};
