// Imports a platform's accounts into the chart of a tenant.

import {
  addAccountsAction,
  beginAccountCount,
  changeChartAction,
  chartStateOf,
} from '../applications/quota-counts.store.ts';
import { changeRecording, openTenantHistory } from '../history/tenant-history.store.ts';
import { byImport } from '../history/tenant-history.ts';
import { batchesOf } from '../table/batches.ts';
import {
  accountCountKey,
  accountKey,
  accountPrefix,
  keyText,
  platformAccountKey,
  platformAccountPrefix,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import {
  type Action,
  type Item,
  maximumTransactionActions,
  type Table,
  transactionOf,
} from '../table/table.ts';
import { Locked } from '../tenants/period-lock.ts';
import {
  type AccountToRecord,
  entryIn,
  openBatch,
  type PlatformAccountEntry,
} from './account-batch.store.ts';
import type { AccountQuotas } from './account-rules.ts';
import { openAccountUse } from './account-use.store.ts';
import { Account, codeById, ownCodeOf, type PlatformAccount } from './accounts.ts';

/**
 * The account for taxes whose account at the platform is unknown. It is recorded like an account of
 * the platform, so it gets a free code in the same way.
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

/** Each account takes up to three actions of a transaction; the count and the history take two. */
const maximumBatchAccounts = Math.floor((maximumTransactionActions - 2) / 3);

/** The ids of the accounts beyond the quota, and of those that keep their types. */
export type RecordedAccounts = { omitted: string[]; keptTypes: string[] };

const isActive = ({ status }: PlatformAccount): boolean => status === 'active';

export type Accounts = ReturnType<typeof openAccounts>;

export const openAccounts = (table: Table, quotas: AccountQuotas) => {
  const history = openTenantHistory(table);
  const accountUse = openAccountUse(table);

  /** Reads the stored items of a batch. Accounts with a changed code take a second call. */
  const readBatch = async (name: TenantName, batch: readonly AccountToRecord[]) => {
    const keys = batch.flatMap((account) => {
      const code = ownCodeOf(account);
      return [
        platformAccountKey(name, account.accountId),
        accountKey(name, codeById(account.accountId)),
        ...(code === undefined ? [] : [accountKey(name, code)]),
      ];
    });
    const items = await table.getMany([tenantKey(name), accountCountKey(name), ...keys]);
    const keyTexts = new Set(keys.map(keyText));
    const formerKeys = batch.flatMap(({ accountId }) => {
      const entry = entryIn(items, platformAccountKey(name, accountId));
      return entry === undefined ? [] : [accountKey(name, entry.code)];
    });
    const further = formerKeys.filter((key) => !keyTexts.has(keyText(key)));
    return new Map([...items, ...(await table.getMany(further))]);
  };

  /**
   * The accounts whose types the platform has changed although they have entries in the locked
   * period.
   */
  const findLocked = async (
    name: TenantName,
    batch: readonly AccountToRecord[],
    items: ReadonlyMap<string, Item>,
  ): Promise<ReadonlySet<string>> => {
    const { lockDate } = Locked.parse(items.get(keyText(tenantKey(name))) ?? {});
    const types = new Map(batch.map(({ accountId, type }) => [accountId, type]));
    const retyped = [...items.values()]
      .filter(({ sk }) => String(sk).startsWith(accountPrefix))
      .map((item) => Account.parse(item))
      .filter(({ platformAccountId: id = '', type }) => types.has(id) && types.get(id) !== type);
    if (lockDate === undefined || retyped.length === 0) return new Set();
    const isPosted = await accountUse.postedUntil(name, lockDate);
    return new Set(retyped.filter(isPosted).map(({ code }) => code));
  };

  /** Makes one attempt at a batch. Returns `undefined` after contention. */
  const tryBatch = async (
    name: TenantName,
    batch: readonly AccountToRecord[],
  ): Promise<RecordedAccounts | undefined> => {
    const items = await readBatch(name, batch);
    const { accountsPerTenant: maximum, accountCodeBytes } = quotas;
    const state = chartStateOf(items.get(keyText(accountCountKey(name))));
    const { accounts, numbered } = state;
    const room = maximum - (accounts ?? (await beginAccountCount(table, name)));
    const lockedCodes = await findLocked(name, batch, items);
    const open = { items, room, numbered, accountCodeBytes, lockedCodes };
    const { actionsFor, result } = openBatch(name, open);
    const actions: Action[] = batch.flatMap(actionsFor);
    const { added, leftOut, keptTypes, changed } = result();
    const recorded = { omitted: leftOut, keptTypes };
    if (actions.length === 0) return recorded;
    const opened = await history.opened(name, state);
    // The accounts were read before their history began, so they may have changed.
    if (opened.changes !== state.changes) return undefined;
    const { action, end } = changeRecording(name, opened, {
      ...byImport,
      at: new Date().toISOString(),
      what: 'accounts_imported',
      subject: null,
      ...changed,
    });
    const { changes } = opened;
    actions.push(
      action,
      added > 0
        ? addAccountsAction(name, { added, maximum, numbered, changes, end })
        : changeChartAction(name, { changes, end }),
    );
    const outcome = await table.tryTransact(transactionOf(actions));
    return outcome?.committed ? recorded : undefined;
  };

  const recordAll = async (
    name: TenantName,
    accounts: readonly AccountToRecord[],
    { beforeWrite = async () => {} }: { beforeWrite?: () => Promise<void> } = {},
  ): Promise<RecordedAccounts> => {
    const distinct = [...new Map(accounts.map((it) => [it.accountId, it])).values()];
    const ordered = distinct.toSorted((a, b) => Number(isActive(b)) - Number(isActive(a)));
    const all: RecordedAccounts = { omitted: [], keptTypes: [] };
    for (const batch of batchesOf(ordered, maximumBatchAccounts)) {
      await beforeWrite();
      const { omitted, keptTypes } = await retryOnContention(() => tryBatch(name, batch));
      all.omitted.push(...omitted);
      all.keptTypes.push(...keptTypes);
    }
    return all;
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
     * Adds accounts to the tenant's chart, or updates them.
     *
     * An account gets the platform's code if no other account has it, and otherwise a code from its
     * id. Active accounts come first. An account never loses its code to another. If the platform
     * changes a code, the chart has the account under both codes, and the old one is archived:
     * entries were posted to it. Revisit when renumbering charts is common. Accounts are never
     * deleted. Revisit when platforms report deletions reliably. The subtype and the cash-flow
     * class are set only when an account is first recorded, because callers can change them. An
     * account with entries in the locked period keeps its type.
     *
     * @param options.beforeWrite is called before each transaction. An error stops the rest.
     */
    record: (
      name: TenantName,
      accounts: readonly PlatformAccount[],
      options?: { beforeWrite?: () => Promise<void> },
    ): Promise<RecordedAccounts> => recordAll(name, accounts, options),

    count: async (name: TenantName): Promise<number> => {
      const items = await table.query(prefixRange(tenantKey(name).pk, platformAccountPrefix));
      const ours = platformAccountKey(name, taxClearing.accountId).sk;
      return items.filter(({ sk }) => sk !== ours).length;
    },

    /** The accounts of the chart with these platform ids, by platform id. */
    findMany: findById,

    /**
     * The accounts of the chart with these platform codes, by platform code. An account is not
     * found if it could not get its platform's code because another account has it. It is not found
     * by its old code either, because the platform may have given that code to another account.
     */
    findManyByCode: async (
      name: TenantName,
      codes: readonly string[],
    ): Promise<Map<string, PlatformAccountEntry>> => {
      const usable = codes.flatMap((platformCode) => {
        const code = ownCodeOf({ code: platformCode });
        return code === undefined ? [] : [{ platformCode, key: accountKey(name, code) }];
      });
      const items = await table.getMany(usable.map(({ key }) => key));
      const accounts = usable.flatMap(({ platformCode, key }) => {
        const item = items.get(keyText(key));
        return item ? { platformCode, account: Account.parse(item) } : [];
      });
      const ids = accounts.flatMap(({ account }) => account.platformAccountId ?? []);
      const byId = await findById(name, ids);
      return new Map(
        accounts.flatMap(({ platformCode, account: { code, platformAccountId } }) => {
          const entry = byId.get(platformAccountId ?? '');
          return entry?.code === code ? [[platformCode, entry] as const] : [];
        }),
      );
    },

    /** The account for taxes, which is added if it is missing; `undefined` if the quota is full. */
    taxClearing: async (name: TenantName): Promise<PlatformAccountEntry | undefined> => {
      const find = async () =>
        (await findById(name, [taxClearing.accountId])).get(taxClearing.accountId);
      const before = await find();
      if (before !== undefined) return before;
      const { omitted } = await recordAll(name, [taxClearing]);
      const added = await find();
      if (added === undefined && omitted.length === 0) {
        throw new Error('the account for taxes was not added');
      }
      return added;
    },
  };
};
