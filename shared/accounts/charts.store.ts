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
  changeRecording,
  type OpenedState,
  openTenantHistory,
  shownAccountOf,
} from '../history/tenant-history.store.ts';
import { differenceOf, type NewChange } from '../history/tenant-history.ts';
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
import { type Item, type Table, transactionOf } from '../table/table.ts';
import { Tenant } from '../tenants/tenants.ts';
import { addAction, pointerActions, replaceAccountAction } from './account-actions.store.ts';
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
  const history = openTenantHistory(table);

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
   * The tenant, and its account with a code.
   * @param options.withState also reads the state of the chart, which a change needs
   */
  const find = async (name: TenantName, code?: string, { withState = false } = {}) => {
    const key = code === undefined ? undefined : accountKey(name, code);
    const stateKey = accountCountKey(name);
    const keys = [tenantKey(name), ...(key ? [key] : []), ...(withState ? [stateKey] : [])];
    const items = await table.getMany(keys);
    const item: Item | undefined = key && items.get(keyText(key));
    const tenant = items.get(keyText(tenantKey(name)));
    return {
      tenant: tenant && Tenant.parse(tenant),
      account: item && Account.parse(item),
      state: chartStateOf(items.get(keyText(stateKey))),
    };
  };

  return {
    find,

    /** The accounts, ordered by code; `undefined` if the tenant does not exist. */
    list: async (name: TenantName, query: ChartQuery): Promise<ChartPage | undefined> => {
      const [{ tenant, account }, page] = await Promise.all([
        find(name, query.code),
        query.code === undefined ? readChartPage(name, query) : noMore,
      ]);
      if (tenant === undefined) return undefined;
      return account && has(account, query) ? { accounts: [account], next: undefined } : page;
    },

    /** The state of the chart with its history, which begins now if the tenant has none. */
    opened: history.opened,

    /** Adds an account if its code is free and the tenant has fewer than `maximum` accounts. */
    add: async (
      name: TenantName,
      {
        account,
        maximum,
        state,
        change,
      }: {
        account: Account;
        maximum: number;
        state: ChartState;
        change: Pick<NewChange, 'at' | 'actor' | 'actorId'>;
      },
    ): Promise<Addition> => {
      let before = state;
      for (;;) {
        const opened = await history.opened(name, before);
        const { numbered, changes } = opened;
        const added = { ...account, number: numbered + 1 };
        const created: NewChange = {
          ...change,
          what: 'account_created',
          subject: added.code,
          before: {},
          after: shownAccountOf(added),
        };
        const { action: recording, end } = changeRecording(name, opened, created);
        const action = addAction(name, added);
        const counting = addAccountsAction(name, { added: 1, maximum, numbered, changes, end });
        const outcome = await table.transact([action, counting, recording]);
        if (outcome.committed) return { outcome: 'added', account: added };
        if (outcome.failed.has(0)) {
          return { outcome: 'code_taken', account: Account.parse(outcome.failed.get(0)) };
        }
        before = chartStateOf(outcome.failed.get(1));
        if ((before.accounts ?? 0) >= maximum) return { outcome: 'quota_reached' };
        if (before.accounts === undefined) await beginAccountCount(table, name);
      }
    },

    /**
     * Replaces an account, if neither it nor the history of its tenant has changed since both were
     * read. Returns false after contention too.
     */
    replace: async (
      name: TenantName,
      {
        before,
        after,
        state,
        change,
      }: {
        before: Account;
        after: Account;
        state: OpenedState;
        change: Pick<NewChange, 'at' | 'actor' | 'actorId'>;
      },
    ): Promise<boolean> => {
      const { action, end } = changeRecording(name, state, {
        ...change,
        what: 'account_updated',
        subject: after.code,
        ...differenceOf(shownAccountOf(before), shownAccountOf(after)),
      });
      const transaction = transactionOf([
        replaceAccountAction(name, { before, after, events: ['account.updated'] }),
        ...pointerActions(name, { before, after }),
        changeChartAction(name, { changes: state.changes, end }),
        action,
      ]);
      return (await table.tryTransact(transaction))?.committed === true;
    },
  };
};
