// Removes the link of a user to a tenant on a test table, as unlink-tenant does.

import { chartStateOf } from '#shared/applications/quota-counts.store.ts';
import { byKey } from '#shared/history/tenant-history.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type LinkedUser, openTenantLinks } from '#shared/tenants/tenant-links.store.ts';

export const unlinkUser = (table: Table, user: LinkedUser, name: TenantName): Promise<void> =>
  openTenantLinks(table).remove(user, name, {
    state: chartStateOf(undefined),
    change: {
      ...byKey('key'),
      at: '2026-03-24T12:00:00.000Z',
      what: 'user_unlinked',
      subject: user.email,
    },
  });
