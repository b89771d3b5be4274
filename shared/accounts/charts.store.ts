// The chart of accounts of a tenant, which callers read and change. accounts.store.ts imports the
// accounts of platforms.

import {
  addAccountsAction,
  beginAccountCount,
  type ChartState,
  changeChartAction,
  chartStateOf,
} from '../applications/quota-counts.store.ts';
import {
  accountCountKey,
  accountKey,
  accountPrefix,
  keyText,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { type PageBounds, readPage } from '../table/pages.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Item, Table } from '../table/table.ts';
import { addAction, changeAction } from './account-actions.store.ts';
import type { AccountChanges } from './account-rules.ts';
import { Account } from './accounts.ts';
import type { AccountsByCode } from './chart-reader.store.ts';

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

const has = (
  account: { status?: unknown; type?: unknown },
  { status, type }: ChartQuery,
): boolean =>
  (status === undefined || account.status === status) &&
  (type === undefined || account.type === type);

/** A page of a chart that was read as a whole, ordered by code. */
export const chartPageOf = (accounts: AccountsByCode, query: ChartQuery): ChartPage => {
  const { code, limit, after } = query;
  const all = [...accounts.values()];
  const start = after === undefined ? 0 : all.findIndex((it) => isAfter(it.code, after));
  const matching = (start < 0 ? [] : all.slice(start)).filter(
    (account) => has(account, query) && (code === undefined || account.code === code),
  );
  const page = matching.slice(0, limit);
  return { accounts: page, next: matching.length > limit ? page.at(-1)?.code : undefined };
};

/** Sort keys have the order of their bytes. */
const isAfter = (code: string, other: string): boolean =>
  Buffer.compare(Buffer.from(code), Buffer.from(other)) > 0;

export const openCharts = (table: Table) => {
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

  /**
   * Whether the tenant exists, and its account with a code.
   * @param options.withState also reads the state of the chart, which an addition needs
   */
  const find = async (name: TenantName, code?: string, { withState = false } = {}) => {
    const key = code === undefined ? undefined : accountKey(name, code);
    const stateKey = accountCountKey(name);
    const keys = [tenantKey(name), ...(key ? [key] : []), ...(withState ? [stateKey] : [])];
    const items = await table.getMany(keys);
    const item: Item | undefined = key && items.get(keyText(key));
    return {
      hasTenant: items.has(keyText(tenantKey(name))),
      account: item && Account.parse(item),
      state: chartStateOf(items.get(keyText(stateKey))),
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
      { account, maximum, state }: { account: Account; maximum: number; state: ChartState },
    ): Promise<Addition> => {
      let { numbered } = state;
      for (;;) {
        const added = { ...account, number: numbered + 1 };
        const action = addAction(name, added);
        const counting = addAccountsAction(name, { added: 1, maximum, numbered });
        const outcome = await table.transact([action, counting]);
        if (outcome.committed) return { outcome: 'added', account: added };
        if (outcome.failed.has(0)) {
          return { outcome: 'code_taken', account: Account.parse(outcome.failed.get(0)) };
        }
        const found = chartStateOf(outcome.failed.get(1));
        if ((found.accounts ?? 0) >= maximum) return { outcome: 'quota_reached' };
        if (found.accounts === undefined) await beginAccountCount(table, name);
        ({ numbered } = found);
      }
    },

    /** Changes fields of an account. Returns false if its type has changed or it does not exist. */
    change: async (
      name: TenantName,
      change: { account: Account; changes: AccountChanges },
    ): Promise<boolean> => {
      const outcome = await table.transact([changeAction(name, change), changeChartAction(name)]);
      return outcome.committed;
    },
  };
};
