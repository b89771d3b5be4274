// What get-user-profile accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors } from '#shared/endpoint/page.view.ts';
import { email } from '#shared/fields.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';
import { exampleLockedTenant } from '#shared/tenants/tenant-example.view.ts';
import { userFields } from '#shared/users/user.view.ts';

/** The maximum number of tenants on a page. Each tenant costs one read unit. */
export const maximumTenants = 100;

/**
 * The last tenant of the previous page, and the number of tenants at the time of the first page.
 * They are counted once, because counting costs a read unit for every 25 tenants.
 */
const Position = z.strictObject({
  schemaName: z.string().check(z.minLength(1), z.maxLength(100)),
  count: z.int().check(z.minimum(0)),
});

export const cursors = openCursors('get-user-profile', Position);

export const Request = z.strictObject({
  email: email.check(
    z.describe('Email address of the user. It is trimmed; comparisons ignore case.'),
  ),
  cursor: cursors.field,
});
export type Request = z.output<typeof Request>;

export const Data = z.object({
  ...userFields,
  tenant_count: z.int().check(
    z.meta({
      minimum: 0,
      description: 'Number of linked tenants. Later pages repeat the number from the first page.',
    }),
  ),
  tenants: z
    .array(TenantSummary)
    .check(
      z.describe(
        `At most ${maximumTenants} linked tenants, oldest first. If there are more, ` +
          'pages are ordered by `schema_name`, and each page lists its oldest tenant ' +
          'first.',
      ),
    ),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, { id: 'UserProfile', description: 'A user and its linked tenants.' });

export const documentation: EndpointDocumentation = {
  summary: 'Get user profile',
  description: `Returns the user and a summary of every linked tenant, oldest first. If there are
more than ${maximumTenants}, continue with \`cursor\` until \`next_cursor\` is null. For a user of
another application, the reply is the same as for an unknown user.`,
  errors: ['user_not_found'],
  examples: [
    {
      name: 'A user with one tenant',
      request: { email: 'ada@example.com' },
      data: {
        user_id: '4503599627370497',
        email: 'ada@example.com',
        tenant_count: 1,
        tenants: [exampleLockedTenant],
        next_cursor: null,
      },
    },
  ],
};
