// Entry point of link-tenant.

import * as z from 'zod/mini';
import { readEnvironment } from '#shared/environment.ts';
import { openLinking } from '#shared/ledger/tenant-links.ts';
import { openObservability } from '#shared/observability.ts';
import { openTable } from '#shared/store/table.ts';
import { openTenantLinks } from '#shared/store/tenant-links.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment({ TABLE_NAME: z.string(), BASE_DOMAIN: z.string() });

export const handler = createHandler({
  linking: openLinking({
    tenantLinks: openTenantLinks(openTable(environment.TABLE_NAME)),
    baseDomain: environment.BASE_DOMAIN,
  }),
  ...openObservability('link-tenant'),
});
