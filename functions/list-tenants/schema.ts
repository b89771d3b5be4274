// What list-tenants accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors, pageLimit } from '#shared/endpoint/page.view.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';
import { exampleTenant } from '#shared/tenants/tenant-example.view.ts';

/** The last tenant of the previous page. Both parts become a key, limited to 1,024 bytes. */
const Position = z.strictObject({
  createdAt: z.iso.datetime(),
  schemaName: z.string().check(z.minLength(1), z.maxLength(100)),
});

export const cursors = openCursors('list-tenants', Position);

export const Request = z.strictObject({ limit: pageLimit, cursor: cursors.field });

export const Data = z.object({
  tenants: z.array(TenantSummary).check(z.describe('The tenants, the oldest first.')),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, { id: 'TenantPage', description: 'A page of tenants.' });

export const documentation: EndpointDocumentation = {
  summary: 'List tenants',
  description: `Returns every tenant of the calling application, the oldest first, whether a user is
linked to it or not. Use it to find a \`domain_url\` again, or to check the status of all
connections.

Continue with \`cursor\` until \`next_cursor\` is null. A tenant that existed at the beginning is
never omitted or repeated. Tenants with the status \`pending\` are not listed: they appear only in
the profile of their user until confirm-tenant confirms the connection.`,
  errors: [],
  examples: [
    {
      name: 'The first tenant',
      request: { limit: '1' },
      data: {
        tenants: [exampleTenant],
        next_cursor: cursors.next(
          { limit: 1 },
          { createdAt: exampleTenant.created_at, schemaName: exampleTenant.schema_name },
        ),
      },
    },
  ],
};
