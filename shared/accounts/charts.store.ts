// The chart of accounts of a tenant, which callers read and change. accounts.store.ts imports the
// accounts of platforms.

import {
  accountsIn,
  addAccountsAction,
  beginAccountCount,
} from '../applications/quota-counts.store.ts';
import { accountKey, accountPrefix, keyText, type TenantName, tenantKey } from '../table/keys.ts';
import { type PageBounds, readPage } from '../table/pages.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import { type Item, ifNotExists, type Table } from '../table/table.ts';
import { accountAction, changeAction } from './account-actions.store.ts';
import type { AccountChanges } from './account-rules.ts';
import { Account } from './accounts.ts';

/** The filter of a page of a chart. The page continues after the code `after`. */
export type ChartQuery = {
  status?: Account['status'] | undefined;
  type?: Account['type'] | undefined;
  code?: string | undefined;
  limit: number;
  after?: string | undefined;
};

/** A page of a chart. `next` is the code to continue after. */
export type ChartPage = { accounts: Account[]; next: string | undefined };

/** `account` is the account with the code: the new one, or an existing one. */
type Addition =
  | { outcome: 'added' | 'code_taken'; account: Account }
  | { outcome: 'quota_reached' };

/** A page without matches takes about 25 read units. Typical accounts have 220 bytes. */
const bounds: PageBounds = { items: 500, bytes: 100_000 };

const noMore: ChartPage = { accounts: [], next: undefined };

export type Charts = ReturnType<typeof openCharts>;

export const openCharts = (table: Table) => {
  const has = (
    account: { status?: unknown; type?: unknown },
    { status, type }: ChartQuery,
  ): boolean =>
    (status === undefined || account.status === status) &&
    (type === undefined || account.type === type);

  const readChartPage = async (name: TenantName, query: ChartQuery): Promise<ChartPage> => {
    const { limit, after } = query;
    const { items, next } = await readPage(table, prefixRange(tenantKey(name).pk, accountPrefix), {
      limit,
      bounds,
      after: after === undefined ? undefined : accountKey(name, after),
      wanted: (item) => has(item, query),
    });
    return {
      accounts: items.map((item) => Account.parse(item)),
      next: next?.sk.slice(accountPrefix.length),
    };
  };

  /** Whether the tenant exists, and its account with a code. */
  const find = async (name: TenantName, code?: string) => {
    const key = code === undefined ? undefined : accountKey(name, code);
    const items = await table.getMany([tenantKey(name), ...(key ? [key] : [])]);
    const item: Item | undefined = key && items.get(keyText(key));
    return {
      hasTenant: items.has(keyText(tenantKey(name))),
      account: item && Account.parse(item),
    };
  };

  return {
    find,

    /** The accounts, ordered by code; `undefined` if the tenant does not exist. */
    list: async (name: TenantName, query: ChartQuery): Promise<ChartPage | undefined> => {
      const [{ hasTenant, account }, page] = await Promise.all([
        find(name, query.code),
        query.code === undefined ? readChartPage(name, query) : noMore,
      ]);
      if (!hasTenant) return undefined;
      return account && has(account, query) ? { accounts: [account], next: undefined } : page;
    },

    /** Adds an account if its code is free and the tenant has fewer than `maximum` accounts. */
    add: async (
      name: TenantName,
      { account, maximum }: { account: Account; maximum: number },
    ): Promise<Addition> => {
      const action = { ...accountAction(name, account), condition: ifNotExists };
      for (;;) {
        const counting = addAccountsAction(name, { added: 1, maximum });
        const outcome = await table.transact([action, counting]);
        if (outcome.committed) return { outcome: 'added', account };
        if (outcome.failed.has(0)) {
          return { outcome: 'code_taken', account: Account.parse(outcome.failed.get(0)) };
        }
        if (accountsIn(outcome.failed.get(1)) !== undefined) return { outcome: 'quota_reached' };
        await beginAccountCount(table, name);
      }
    },

    /** Changes fields of an account. Returns false if its type has changed or it does not exist. */
    change: (
      name: TenantName,
      change: { account: Account; changes: AccountChanges },
    ): Promise<boolean> => table.update(changeAction(name, change)),
  };
};
