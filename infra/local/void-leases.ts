// Ends the leases that were left by a process that died: nothing that held one is alive when the
// service starts. Whoever needs one would otherwise wait until it runs out.

import { voidRefreshLeases } from '#shared/connections/connections.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import type { Table } from '#shared/table/table.ts';

/** Lets interrupted imports go on at once, and tokens be refreshed whose refresh was cut off. */
export const voidLeases = async (table: Table, now: Date): Promise<void> => {
  await openImports(table).voidLeases(now);
  await voidRefreshLeases(table);
};
