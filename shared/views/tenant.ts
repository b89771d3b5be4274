// A tenant as replies show it: what names it, and a summary.

import * as z from 'zod/mini';
import type { Tenant } from '../domain/tenants.ts';
import { publicName, type Slots } from '../platforms/slots.ts';

/** What a tenant is called. */
export const TenantReference = z.object({
  tenant_domain_url: z
    .string()
    .check(z.describe('Subdomain prefix of the tenant; the domain_url of its journal entries.')),
  schema_name: z.string().check(z.describe("The prefix with underscores: the tenant's schema.")),
  platform: z
    .string()
    .check(z.describe('`manual`, or the accounting platform that the tenant is linked to.')),
});
z.globalRegistry.add(TenantReference, {
  id: 'TenantReference',
  description: 'What a tenant is called.',
});
export type TenantReference = z.output<typeof TenantReference>;

const statusReasons = `Why, where a platform is concerned and all is not well; otherwise null.

- \`rate_limited\`, \`platform_unavailable\`, \`platform_timed_out\`: what the import met last.
  While the tenant is importing, it is tried again by itself, as soon as the platform allows or at
  growing distances. Once the import has failed, ask for it again by request-import.
- \`internal_error\`: a fault of ours, tried again in the same way. Once the import has failed, ask
  the operator of this service.
- \`credentials_refused\`: the platform has ended our access. Connect the company again.
- \`disconnected_by_application\`: the application gave the access back, by disconnect-tenant.
- \`disconnected_by_operator\`: the operator of this service gave the access back.
- \`company_not_found\`: our access does not reach the company any more. Connect it again.
- \`subscription_lapsed\`: the company does not pay its platform any more. Renew the subscription,
  then ask for the import again.
- \`records_refused\`: the tenant is active, but some accounts or journals of the platform cannot be
  kept here; everything else is there. Get-tenant-import names them.
- \`company_currency_changed\`, \`reply_not_understood\`, \`reply_too_large\`,
  \`page_did_not_advance\`, \`gave_up\`: the import has ended. Ask the operator of this service.`;

const reconnectBy = `When its user must have connected the company again (UTC), since the platform
ends the access then whatever is done: QuickBooks does, five years after consent. Null where the
platform names no such moment, and where the company is not connected.`;

export const TenantSummary = z.extend(TenantReference, {
  company_name: z.string().check(z.describe('Name of the company.')),
  currency: z
    .string()
    .check(z.meta({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code of its currency.' })),
  cash_flow_method: z
    .enum(['direct', 'indirect'])
    .check(z.describe('Method of its statement of cash flows.')),
  financial_year_end: z.string().check(
    z.meta({
      pattern: '^\\d{2}-\\d{2}$',
      description: 'The last day of its fiscal year, MM-DD; `02-29` is the last of February.',
    }),
  ),
  lock_date: z.nullable(z.string()).check(
    z.meta({
      format: 'date',
      description: 'The last day of its locked period; null where it never was locked.',
    }),
  ),
  locked_from: z.nullable(z.string()).check(
    z.meta({
      format: 'date-time',
      description: 'Since when nothing is posted into that period any more (UTC); else null.',
    }),
  ),
  status: z
    .enum(['active', 'importing', 'import_failed', 'disconnected', 'pending'])
    .check(
      z.describe(
        '`importing` until the accounts and journals of its platform are there, also while the ' +
          'next try is waited for; `import_failed` where they could not all be had and nothing ' +
          'is tried again by itself; `disconnected` where our access has ended; `pending` until ' +
          'confirm-tenant confirms the connection: the name and the currency are not shown, and ' +
          'no other request finds the tenant.',
      ),
    ),
  status_reason: z.nullable(z.string()).check(z.describe(statusReasons)),
  reconnect_by: z
    .nullable(z.string())
    .check(z.meta({ format: 'date-time', description: reconnectBy })),
  created_at: z
    .string()
    .check(z.meta({ format: 'date-time', description: 'When the tenant was created (UTC).' })),
});
z.globalRegistry.add(TenantSummary, {
  id: 'TenantSummary',
  description: 'A tenant, with how its import went.',
});
export type TenantSummary = z.output<typeof TenantSummary>;

export const referenceTo = (tenant: Tenant, slots: Slots): TenantReference => ({
  tenant_domain_url: tenant.prefix,
  schema_name: tenant.schemaName,
  platform: publicName(slots, tenant.platform),
});

export const reconnectByOf = ({ status, reconnectBy }: Tenant): string | null =>
  status === 'disconnected' ? null : (reconnectBy ?? null);

export const summaryOf = (tenant: Tenant, slots: Slots): TenantSummary => ({
  ...referenceTo(tenant, slots),
  company_name: tenant.companyName,
  currency: tenant.currency,
  cash_flow_method: tenant.cashFlowMethod,
  financial_year_end: tenant.financialYearEnd,
  lock_date: tenant.lockDate ?? null,
  locked_from: tenant.lockedFrom ?? null,
  status: tenant.status,
  status_reason: tenant.statusReason ?? null,
  reconnect_by: reconnectByOf(tenant),
  created_at: tenant.createdAt,
});
