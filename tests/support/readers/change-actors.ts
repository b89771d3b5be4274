// Who changed what in a tenant, from its history.

import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** What was changed, by whom, and the subject, in order. */
export const changeActors = async (table: Table, name: TenantName) =>
  (await openTenantHistory(table).list(name)).map(({ what, actor, actorId, subject }) => [
    what,
    ...[actor, actorId, subject],
  ]);
