// Imports a platform's accounts into the chart of a tenant.

import {
  addAccountsAction,
  beginAccountCount,
  changeChartAction,
  chartStateOf,
} from '../applications/quota-counts.store.ts';
import type { Quotas } from '../applications/quotas.ts';
import { batchesOf } from '../table/batches.ts';
import {
  accountCountKey,
  accountKey,
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
  maximumTransactionActions,
  type Table,
  transactionOf,
} from '../table/table.ts';
import {
  type AccountToRecord,
  entryIn,
  openBatch,
  type PlatformAccountEntry,
} from './account-batch.store.ts';
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

/** Each account takes up to three actions of a transaction, and the count takes one more. */
const maximumBatchAccounts = Math.floor((maximumTransactionActions - 1) / 3);

type AccountQuotas = Pick<Quotas, 'accountsPerTenant' | 'accountCodeBytes'>;

const isActive = ({ status }: PlatformAccount): boolean => status === 'active';

export type Accounts = ReturnType<typeof openAccounts>;

export const openAccounts = (table: Table, quotas: AccountQuotas) => {
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
    const items = await table.getMany([accountCountKey(name), ...keys]);
    const keyTexts = new Set(keys.map(keyText));
    const formerKeys = batch.flatMap(({ accountId }) => {
      const entry = entryIn(items, platformAccountKey(name, accountId));
      return entry === undefined ? [] : [accountKey(name, entry.code)];
    });
    const further = formerKeys.filter((key) => !keyTexts.has(keyText(key)));
    return new Map([...items, ...(await table.getMany(further))]);
  };

  /**
   * Makes one attempt at a batch.
   * @returns the ids of the accounts beyond the quota; `undefined` after contention
   */
  const tryBatch = async (
    name: TenantName,
    batch: readonly AccountToRecord[],
  ): Promise<string[] | undefined> => {
    const items = await readBatch(name, batch);
    const { accountsPerTenant: maximum, accountCodeBytes } = quotas;
    const { accounts, numbered } = chartStateOf(items.get(keyText(accountCountKey(name))));
    const room = maximum - (accounts ?? (await beginAccountCount(table, name)));
    const { actionsFor, result } = openBatch(name, { items, room, numbered, accountCodeBytes });
    const actions: Action[] = batch.flatMap(actionsFor);
    const { added, leftOut } = result();
    if (actions.length === 0) return leftOut;
    actions.push(
      added > 0 ? addAccountsAction(name, { added, maximum, numbered }) : changeChartAction(name),
    );
    const outcome = await table.tryTransact(transactionOf(actions));
    return outcome?.committed ? leftOut : undefined;
  };

  const recordAll = async (
    name: TenantName,
    accounts: readonly AccountToRecord[],
  ): Promise<string[]> => {
    const distinct = [...new Map(accounts.map((it) => [it.accountId, it])).values()];
    const ordered = distinct.toSorted((a, b) => Number(isActive(b)) - Number(isActive(a)));
    const leftOut: string[] = [];
    for (const batch of batchesOf(ordered, maximumBatchAccounts)) {
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
     * Adds accounts to the tenant's chart, or updates them.
     *
     * An account gets the platform's code if no other account has it, and otherwise a code from its
     * id. Active accounts come first. An account never loses its code to another. If the platform
     * changes a code, the chart has the account under both codes, and the old one is archived:
     * entries were posted to it. Revisit when renumbering charts is common. Accounts are never
     * deleted. Revisit when platforms report deletions reliably. The subtype and the cash-flow
     * class are set only when an account is first recorded, because callers can change them.
     *
     * @returns the ids of new accounts that were left out because of the tenant's quota
     */
    record: (name: TenantName, accounts: readonly PlatformAccount[]): Promise<string[]> =>
      recordAll(name, accounts),

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
      const leftOut = await recordAll(name, [taxClearing]);
      const added = await find();
      if (added === undefined && leftOut.length === 0) {
        throw new Error('the account for taxes was not added');
      }
      return added;
    },
  };
};
