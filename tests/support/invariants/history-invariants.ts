// The history of a tenant is a chain, and its settings and accounts follow from it.

import { Account } from '#shared/accounts/accounts.ts';
import { historyFindings } from '#shared/history/history-findings.ts';
import { shownAccountOf } from '#shared/history/tenant-history.store.ts';
import { Change, type HistoryEnd, shownFieldsOf } from '#shared/history/tenant-history.ts';
import { settingsOf, Tenant } from '#shared/tenants/tenants.ts';
import type { Found, SortedItems } from '../readers/item-kinds.ts';

/** What differs from the history of a tenant, if it has one. */
export const historyViolations = (items: SortedItems, found: Found): string[] => {
  const { changes: count, changesHead = '' } = found.item as Partial<HistoryEnd>;
  if (count === undefined) return [];
  const [tenant] = items.beside(found, 'tenant');
  const changes = items.beside(found, 'tenant history').map(({ item }) => Change.parse(item));
  changes.sort((one, other) => one.sequence - other.sequence);
  const accounts = items.beside(found, 'account').map(({ item }) => Account.parse(item));
  const stored = {
    settings: shownFieldsOf(settingsOf(Tenant.parse(tenant?.item))),
    accounts: new Map(accounts.map((account) => [account.code, shownAccountOf(account)])),
  };
  return historyFindings(changes, { changes: count, changesHead }, stored).map(
    ({ what, expected, found: stored }) => `has ${what} ${stored}, not ${expected}`,
  );
};
