// What get-user-profile accepts and returns.

import * as z from 'zod/mini';
import { email } from '#shared/domain/fields.ts';
import type { EndpointDocumentation } from '#shared/triggers/documentation.ts';

export const Request = z.strictObject({
  email: email.check(
    z.meta({
      maxLength: 254,
      description: 'Address of the user. It is trimmed, and compared without regard to case.',
    }),
  ),
});
export type Request = z.output<typeof Request>;

const statusReasons = `Why, where a platform is concerned and all is not well; otherwise null.

- \`rate_limited\`: the platform allows no more calls for now. The import goes on by itself.
- \`platform_unavailable\`, \`platform_timed_out\`, \`internal_error\`: the import is tried again by
  itself, some time, at growing distances.
- \`credentials_refused\`: the platform has ended our access. Connect the company again.
- \`disconnected_by_operator\`: the operator of this service gave the access back.
- \`journals_refused\`: some journals cannot stand in the ledger; everything else is there.
- \`company_not_found\`, \`company_currency_changed\`, \`reply_not_understood\`,
  \`page_did_not_advance\`, \`gave_up\`: the import has ended. Ask the operator of this service.`;

export const TenantSummary = z.object({
  tenant_domain_url: z
    .string()
    .check(z.describe('Subdomain prefix of the tenant; the domain_url of its journal entries.')),
  schema_name: z.string().check(z.describe("The prefix with underscores: the tenant's schema.")),
  platform: z
    .string()
    .check(z.describe('`manual`, or the accounting platform that the tenant is linked to.')),
  company_name: z.string().check(z.describe('Name of the company.')),
  currency: z
    .string()
    .check(z.meta({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code of its currency.' })),
  cash_flow_method: z
    .enum(['direct', 'indirect'])
    .check(z.describe('Method of its statement of cash flows.')),
  status: z
    .enum(['active', 'importing', 'import_failed', 'disconnected'])
    .check(
      z.describe(
        '`importing` until the accounts and journals of its platform are there, `import_failed` ' +
          'where they could not all be had, `disconnected` where our access has ended.',
      ),
    ),
  status_reason: z.nullable(z.string()).check(z.describe(statusReasons)),
  created_at: z
    .string()
    .check(z.meta({ format: 'date-time', description: 'When the tenant was created (UTC).' })),
});
export type TenantSummary = z.output<typeof TenantSummary>;

export const Data = z.object({
  user_id: z.string().check(
    z.meta({
      pattern: '^[1-9]\\d{0,15}$',
      description: 'Id of the user: an integer of at most 53 bits, as decimal digits.',
    }),
  ),
  email: z.string().check(z.describe('The address as it was registered first.')),
  tenant_count: z.int().check(z.meta({ minimum: 0, description: 'Number of linked tenants.' })),
  tenants: z.array(TenantSummary).check(z.describe('Every linked tenant, oldest first.')),
});
export type Data = z.output<typeof Data>;

export const documentation: EndpointDocumentation = {
  summary: 'Get user profile',
  description:
    'Returns the user with a summary of every linked tenant, oldest first. A user that another ' +
    'application registered is answered like one that does not exist.',
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
            tenant_domain_url: 'analytical-engines',
            schema_name: 'analytical_engines',
            platform: 'manual',
            company_name: 'Analytical Engines',
            currency: 'EUR',
            cash_flow_method: 'indirect',
            status: 'active',
            status_reason: null,
            created_at: '2026-03-23T09:30:00.000Z',
          },
        ],
      },
    },
  ],
};
