// Reads whole charts of accounts. A process keeps those that it read last, with their versions.

import type { ChartState } from '../applications/quota-counts.store.ts';
import { accountPrefix, type TenantName, tenantKey } from '../table/keys.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Item, Table } from '../table/table.ts';
import { Account } from './accounts.ts';

/** Accounts by their codes, ordered by code if they are a whole chart. */
export type AccountsByCode = ReadonlyMap<string, Account>;

export const byCode = (items: Iterable<Item | undefined>): AccountsByCode =>
  new Map(
    [...items].flatMap((item) => {
      if (item === undefined) return [];
      const account = Account.parse(item);
      return [[account.code, account]];
    }),
  );

/** An account takes about 500 bytes of memory. */
const maximumKeptAccounts = 20_000;

/** The count also changes if an earlier version of the ledger adds an account. */
const versionOf = ({ chartVersion, accounts }: ChartState): string => `${chartVersion} ${accounts}`;

export const openChartReader = (
  table: Pick<Table, 'query'>,
  { maximumAccounts = maximumKeptAccounts } = {},
) => {
  /** The chart that was read least recently comes first. */
  const kept = new Map<string, { version: string; accounts: AccountsByCode }>();

  const keep = (pk: string, chart: { version: string; accounts: AccountsByCode }): void => {
    kept.delete(pk);
    kept.set(pk, chart);
    let size = [...kept.values()].reduce((sum, { accounts }) => sum + accounts.size, 0);
    for (const [oldest, { accounts }] of kept) {
      if (size <= maximumAccounts) return;
      kept.delete(oldest);
      size -= accounts.size;
    }
  };

  return {
    /**
     * The chart in the version of its state, or in a later one. Reads the accounts only if this
     * process has no chart of that version.
     * @param options.again reads the accounts in any case
     */
    read: async (
      name: TenantName,
      state: ChartState,
      { again = false } = {},
    ): Promise<AccountsByCode> => {
      const { pk } = tenantKey(name);
      const version = versionOf(state);
      const before = kept.get(pk);
      if (before?.version === version && !again) {
        keep(pk, before);
        return before.accounts;
      }
      const accounts = byCode(await table.query(prefixRange(pk, accountPrefix)));
      keep(pk, { version, accounts });
      return accounts;
    },
  };
};
