// Reads the history of a tenant together with the settings and accounts that must follow from it.

import { Account } from '../accounts/accounts.ts';
import { chartStateOf } from '../applications/quota-counts.store.ts';
import { historyFindings } from '../history/history-findings.ts';
import { shownAccountOf } from '../history/tenant-history.store.ts';
import { Change, shownFieldsOf } from '../history/tenant-history.ts';
import { historyPrefix } from '../table/history-keys.ts';
import {
  accountCountKey,
  accountPrefix,
  keyText,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Table } from '../table/table.ts';
import { settingsOf, Tenant } from '../tenants/tenants.ts';

/** The changes that no reading can parse are damaged. */
const unreadable = { what: 'history', expected: 'changes', found: 'an unreadable item' };

export const openRecordedHistory = (table: Pick<Table, 'getMany' | 'query'>) => ({
  /** The differences between a tenant's history and its state; none if it has no history yet. */
  listFindings: async (name: TenantName) => {
    const { pk } = tenantKey(name);
    const [items, accountItems, changeItems] = await Promise.all([
      table.getMany([tenantKey(name), accountCountKey(name)]),
      table.query(prefixRange(pk, accountPrefix)),
      table.query(prefixRange(pk, historyPrefix)),
    ]);
    const tenant = Tenant.safeParse(items.get(keyText(tenantKey(name)))).data;
    const state = chartStateOf(items.get(keyText(accountCountKey(name))));
    const { changes: count, changesHead, openedUntil } = state;
    const isMissing = count === undefined || changesHead === undefined;
    if (isMissing && changeItems.length === 0) return [];
    if (openedUntil !== undefined) return [];
    const changes = changeItems.map((item) => Change.safeParse(item).data);
    const readable = changes.filter((change) => change !== undefined);
    if (readable.length < changes.length) return [unreadable];
    const accounts = accountItems.map((item) => Account.parse(item));
    return historyFindings(
      readable,
      { changes: count ?? 0, changesHead: changesHead ?? '' },
      {
        settings: tenant ? shownFieldsOf(settingsOf(tenant)) : {},
        accounts: new Map(accounts.map((account) => [account.code, shownAccountOf(account)])),
      },
    );
  },
});
