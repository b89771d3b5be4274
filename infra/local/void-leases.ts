// Ends the leases of a killed process at the next start. Without this, imports and token refreshes
// would wait until the leases expire.

import { voidRefreshLeases } from '#shared/connections/connections.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import type { Table } from '#shared/table/table.ts';

export const voidLeases = async (table: Table, now: Date): Promise<void> => {
  await openImports(table).voidLeases(now);
  await voidRefreshLeases(table);
};
