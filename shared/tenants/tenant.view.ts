// A tenant in a reply: its reference and its summary.

import * as z from 'zod/mini';
import { publicName, type Slots } from '../platforms/slots.ts';
import { userIdView } from '../users/user.view.ts';
import {
  cashFlowMethods,
  followsEditsOf,
  profitLayouts,
  type Tenant,
  TenantStatus,
} from './tenants.ts';

export const TenantReference = z.object({
  tenant_domain_url: z
    .string()
    .check(z.describe('Subdomain prefix of the tenant. Send it as `domain_url` in requests.')),
  schema_name: z
    .string()
    .check(z.describe("The prefix with underscores: the tenant's schema name.")),
  platform: z
    .string()
    .check(z.describe('`manual`, or the accounting platform that the tenant is connected to.')),
});
z.globalRegistry.add(TenantReference, {
  id: 'TenantReference',
  description: 'The names of a tenant, and its platform.',
});
export type TenantReference = z.output<typeof TenantReference>;

const statusReasons = `Why the tenant's import or connection has a problem; null if it has none.

- \`rate_limited\`, \`platform_unavailable\`, \`platform_timed_out\`: the last failure of the
  import. While the tenant is importing, the import is retried automatically, as soon as the
  platform allows or after growing pauses. Once the import has failed, call request-import.
- \`internal_error\`: a fault in this service, retried in the same way. Once the import has failed,
  contact the service operator.
- \`credentials_refused\`: the platform has ended our access. Connect the company again.
- \`disconnected_by_application\`: the application called disconnect-tenant.
- \`disconnected_by_operator\`: the service operator disconnected the tenant.
- \`company_not_found\`: we have lost access to the company. Connect it again.
- \`subscription_lapsed\`: the company's subscription to the platform has ended. Renew it, then call
  request-import.
- \`records_refused\`: the tenant is active, but some accounts or journals of the platform could not
  be imported. Get-tenant-import lists them.
- \`reports_not_permitted\`: the tenant is active, but only has its journals, because the consent
  does not cover reports. Connect the company again.
- \`company_currency_changed\`, \`reply_not_understood\`, \`reply_too_large\`,
  \`page_did_not_advance\`, \`gave_up\`: the import has ended. Contact the service operator.`;

const reconnectBy = `Deadline for the user to connect the company again (UTC). The platform ends the
access then: QuickBooks does so five years after consent. Null if the platform has no deadline or
the company is not connected.`;

const IndexedKeyView = z.object({
  key: z.string().check(z.describe('A metadata key of entries.')),
  from: z.string().check(
    z.meta({
      format: 'date-time',
      description: 'Entries with a `created_at` at or after this time are in the index (UTC).',
    }),
  ),
});
z.globalRegistry.add(IndexedKeyView, {
  id: 'IndexedKey',
  description: 'A metadata key by which entries can be looked up.',
});

export const TenantSummary = z.extend(TenantReference, {
  company_name: z.string().check(z.describe('Name of the company.')),
  currency: z
    .string()
    .check(z.meta({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code of the book currency.' })),
  cash_flow_method: z
    .enum(cashFlowMethods)
    .check(z.describe('Method of the statement of cash flows.')),
  profit_layout: z
    .enum(profitLayouts)
    .check(
      z.describe(
        'What operating profit includes. `ifrs_18`: other income and expenses, exchange ' +
          'differences and disposals too. `other_items_below`: they follow operating profit.',
      ),
    ),
  financial_year_end: z.string().check(
    z.meta({
      pattern: '^\\d{2}-\\d{2}$',
      description: 'Last day of the fiscal year, MM-DD. `02-29` is the last day of February.',
    }),
  ),
  entry_years_back: z
    .nullable(z.int())
    .check(
      z.describe(
        'How many years before today an entry can be dated; null for the default, see Limits.',
      ),
    ),
  entry_years_ahead: z
    .nullable(z.int())
    .check(
      z.describe(
        'How many years after today an entry can be dated; null for the default, see Limits.',
      ),
    ),
  indexed_metadata: z
    .array(IndexedKeyView)
    .check(z.describe('The metadata keys by which entries can be looked up.')),
  follow_platform_edits: z
    .nullable(z.boolean())
    .check(
      z.describe(
        'Whether imports follow what happens to imported journals on the platform; null for a ' +
          'tenant with manual books.',
      ),
    ),
  lock_date: z.nullable(z.string()).check(
    z.meta({
      format: 'date',
      description: 'Last day of the locked period; null if there has never been a lock.',
    }),
  ),
  locked_from: z.nullable(z.string()).check(
    z.meta({
      format: 'date-time',
      description:
        'From then on, nothing is posted into the locked period (UTC); null without a lock.',
    }),
  ),
  status: TenantStatus.check(
    z.describe(
      '`importing`: the accounts and journals of the platform are being imported, or the ' +
        'import waits for a retry. `import_failed`: the import has failed and is not retried. ' +
        '`disconnected`: our access to the platform has ended. `pending`: confirm-tenant has ' +
        'not confirmed the connection yet; until then, the name and the currency are hidden ' +
        'and other requests do not find the tenant.',
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
  description: 'A tenant, with the status of its import.',
});
export type TenantSummary = z.output<typeof TenantSummary>;

export const referenceTo = (tenant: Tenant, slots: Slots): TenantReference => ({
  tenant_domain_url: tenant.prefix,
  schema_name: tenant.schemaName,
  platform: publicName(slots, tenant.platform),
});

export const reconnectByOf = ({ status, reconnectBy }: Tenant): string | null =>
  status === 'disconnected' ? null : (reconnectBy ?? null);

/** What replies and the operator's tool show of a tenant. */
export const tenantFieldsOf = (tenant: Tenant) => ({
  company_name: tenant.companyName,
  currency: tenant.currency,
  cash_flow_method: tenant.cashFlowMethod,
  profit_layout: tenant.profitLayout ?? 'ifrs_18',
  financial_year_end: tenant.financialYearEnd,
  entry_years_back: tenant.entryYearsBack ?? null,
  entry_years_ahead: tenant.entryYearsAhead ?? null,
  indexed_metadata: tenant.indexedMetadata ?? [],
  follow_platform_edits: followsEditsOf(tenant),
  lock_date: tenant.lockDate ?? null,
  locked_from: tenant.lockedFrom ?? null,
  status: tenant.status,
  status_reason: tenant.statusReason ?? null,
  reconnect_by: reconnectByOf(tenant),
  created_at: tenant.createdAt,
});

export const summaryOf = (tenant: Tenant, slots: Slots): TenantSummary => ({
  ...referenceTo(tenant, slots),
  ...tenantFieldsOf(tenant),
});

/** The link between a user and a tenant. */
export const TenantLinkView = z.object({
  user_id: userIdView,
  tenant_domain_url: z.string().check(z.describe('Subdomain prefix of the tenant.')),
  linked: z.boolean().check(z.describe('Whether the tenant is linked to the user now.')),
});
export type TenantLinkView = z.output<typeof TenantLinkView>;
