// Finds out which accounts the entries of a tenant use.

import { lastDate } from '../money/dates.ts';
import { carriedStateOf } from '../sheets/carried-totals.store.ts';
import { openPeriodRows } from '../sheets/period-rows.store.ts';
import { rowNamesOf } from '../sheets/row-text.ts';
import { sumPeriod } from '../sheets/sheet-sums.ts';
import { carriedKey } from '../table/carried-keys.ts';
import { keyText, type TenantName, tenantKey } from '../table/keys.ts';
import { markerPrefixes } from '../table/list-keys.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Table } from '../table/table.ts';
import type { Account } from './accounts.ts';

export type AccountUse = ReturnType<typeof openAccountUse>;

export const openAccountUse = (
  table: Pick<Table, 'getMany' | 'query' | 'queryPage' | 'queryPages'>,
) => {
  const periodRows = openPeriodRows(table);

  /** Whether entries with a posting date up to this one are posted to an account. */
  const postedUntil = async (
    name: TenantName,
    to: string,
  ): Promise<(account: Account) => boolean> => {
    const [items, late] = await Promise.all([
      table.getMany([carriedKey(name)]),
      periodRows.listLate(name),
    ]);
    const carried = { ...carriedStateOf(items.get(keyText(carriedKey(name)))), late };
    const { periods } = await periodRows.read(name, carried, [{ to }], { hasDigest: false });
    const sums = periods.flatMap((rows) => sumPeriod(rows, (rowName) => rowName));
    const posted = new Set(sums.map(({ account }) => account));
    return (account) => rowNamesOf(account).some((it) => posted.has(it));
  };

  /** Whether a scheduled entry uses the account, or may use it. */
  const isScheduled = async (name: TenantName, code: string): Promise<boolean> => {
    for await (const page of table.queryPages(
      prefixRange(tenantKey(name).pk, markerPrefixes.scheduled),
    )) {
      // Without a list of its accounts, an entry has very many.
      const isNamed = ({ accounts }: Record<string, unknown>): boolean =>
        accounts === undefined || String(accounts).split('\n').includes(code);
      if (page.some(isNamed)) return true;
    }
    return false;
  };

  return {
    postedUntil,

    /** Whether an entry is posted or scheduled to the account, or may be. */
    isUsed: async (name: TenantName, account: Account): Promise<boolean> => {
      const isPosted = await postedUntil(name, lastDate);
      return isPosted(account) || (await isScheduled(name, account.code));
    },
  };
};
