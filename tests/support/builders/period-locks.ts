// Locks the period of a tenant on a test table up to a date, before or after its current lock.

import { byKey } from '#shared/history/tenant-history.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { openTenantSettings } from '#shared/tenants/tenant-settings.store.ts';

export const lockPeriod = async (
  table: Table,
  name: TenantName,
  lockDate: string,
  { at = '2026-03-23T09:30:00.000Z', keyId = 'key' } = {},
): Promise<void> => {
  const settings = openTenantSettings(table);
  const found = await settings.find(name);
  if (found === undefined) throw new Error('there is no tenant to lock');
  const { tenant } = found;
  const state = await settings.opened(name);
  const changes = { lockDate, lockedFrom: at };
  const change = { tenant, changes, state, by: { ...byKey(keyId), at } };
  if (!(await settings.change(name, change))) throw new Error('not locked');
};
