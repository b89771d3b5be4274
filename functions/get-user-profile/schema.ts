// What get-user-profile accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors } from '#shared/endpoint/page.view.ts';
import { email } from '#shared/fields.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';

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
    z.meta({
      maxLength: 254,
      description: 'Email address of the user. It is trimmed; comparisons ignore case.',
    }),
  ),
  cursor: cursors.field,
});
export type Request = z.output<typeof Request>;

export const Data = z.object({
  user_id: z.string().check(
    z.meta({
      pattern: '^[1-9]\\d{0,15}$',
      description: 'Id of the user: an integer of at most 53 bits, as decimal digits.',
    }),
  ),
  email: z.string().check(z.describe('Email address, as first registered.')),
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
export type Data = z.output<typeof Data>;

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
        tenants: [
          {
            tenant_domain_url: 'analytical-engines-k7m2xq',
            schema_name: 'analytical_engines_k7m2xq',
            platform: 'manual',
            company_name: 'Analytical Engines',
            currency: 'EUR',
            cash_flow_method: 'indirect',
            financial_year_end: '12-31',
            lock_date: '2025-12-31',
            locked_from: '2026-03-24T08:00:40.000Z',
            status: 'active',
            status_reason: null,
            reconnect_by: null,
            created_at: '2026-03-23T09:30:00.000Z',
          },
        ],
        next_cursor: null,
      },
    },
  ],
};
