// The example tenant of the reference.

import type { TenantSummary } from './tenant.view.ts';

export const exampleTenant: TenantSummary = {
  tenant_domain_url: 'analytical-engines-k7m2xq',
  schema_name: 'analytical_engines_k7m2xq',
  platform: 'manual',
  company_name: 'Analytical Engines',
  currency: 'EUR',
  cash_flow_method: 'indirect',
  profit_layout: 'ifrs_18',
  financial_year_end: '12-31',
  entry_years_back: null,
  entry_years_ahead: null,
  indexed_metadata: [],
  follow_platform_edits: null,
  lock_date: null,
  locked_from: null,
  status: 'active',
  status_reason: null,
  reconnect_by: null,
  created_at: '2026-03-23T09:30:00.000Z',
};

/** The example tenant with a locked year. */
export const exampleLockedTenant: TenantSummary = {
  ...exampleTenant,
  lock_date: '2025-12-31',
  locked_from: '2026-03-24T08:00:40.000Z',
};
