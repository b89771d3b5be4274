// Locks the period of a tenant on a test table up to a date, before or after its current lock.

import type { TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { openTenantSettings } from '#shared/tenants/tenant-settings.store.ts';

let changes = 0;

export const lockPeriod = async (
  table: Table,
  name: TenantName,
  lockDate: string,
): Promise<void> => {
  const settings = openTenantSettings(table);
  const tenant = await settings.find(name);
  if (tenant === undefined) throw new Error('there is no tenant to lock');
  changes += 1;
  const at = '2026-03-23T09:30:00.000Z';
  const move = { lock: { lockDate, lockedFrom: at }, at, keyId: 'key', changeId: `${changes}` };
  if (!(await settings.change(name, { tenant, changes: {}, move }))) throw new Error('not locked');
};
