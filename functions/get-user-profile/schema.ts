// What get-user-profile accepts and returns.

import * as z from 'zod/mini';
import { email } from '#shared/domain/fields.ts';
import type { EndpointDocumentation } from '#shared/triggers/documentation.ts';

export const Request = z.strictObject({ email });
export type Request = z.output<typeof Request>;

export const TenantSummary = z.object({
  tenant_domain_url: z.string(),
  schema_name: z.string(),
  platform: z.string(),
  company_name: z.string(),
  currency: z.string(),
  cash_flow_method: z.enum(['direct', 'indirect']),
  status: z.enum(['active', 'importing', 'import_failed', 'disconnected']),
  created_at: z.string(),
});
export type TenantSummary = z.output<typeof TenantSummary>;

export const Data = z.object({
  user_id: z.string(),
  email: z.string(),
  tenant_count: z.int(),
  tenants: z.array(TenantSummary),
});
export type Data = z.output<typeof Data>;

export const documentation: EndpointDocumentation = {
  summary: 'Get user profile',
  description:
    'Returns the user with a summary of every linked tenant, oldest first. A user that another ' +
    'application registered is answered like one that does not exist.',
  refusals: ['user_not_found'],
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
            created_at: '2026-03-23T09:30:00.000Z',
          },
        ],
      },
    },
  ],
};
