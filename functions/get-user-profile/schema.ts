// What get-user-profile accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors } from '#shared/endpoint/page.view.ts';
import { email } from '#shared/fields.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';

/** The tenants of a page: each is read by its own key, for one read unit. */
export const maximumTenants = 100;

/**
 * After which tenant a page begins, and how many there were when the first page was read. They are
 * counted once: to count them costs a read unit for every 25.
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
      description: 'Address of the user. It is trimmed, and compared without regard to case.',
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
  email: z.string().check(z.describe('The address as it was registered first.')),
  tenant_count: z.int().check(
    z.meta({
      minimum: 0,
      description: 'Number of all linked tenants; on further pages, as of the first one.',
    }),
  ),
  tenants: z
    .array(TenantSummary)
    .check(
      z.describe(
        `At most ${maximumTenants} linked tenants, oldest first. If there are more, pages are in ` +
          'the order of `schema_name`, and each page has its oldest first.',
      ),
    ),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, { id: 'UserProfile', description: 'A user with its tenants.' });
export type Data = z.output<typeof Data>;

export const documentation: EndpointDocumentation = {
  summary: 'Get user profile',
  description:
    'Returns the user with a summary of every linked tenant, oldest first. If there are more ' +
    `than ${maximumTenants}, read on with \`cursor\` until \`next_cursor\` is null. A user that ` +
    'another application registered is answered like one that does not exist.',
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
