// What get-tenant-import accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl } from '#shared/fields.ts';
import { TenantImportView } from '#shared/imports/import.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
});
export type Request = z.output<typeof Request>;

export const Data = TenantImportView;
export type Data = TenantImportView;

export const documentation: EndpointDocumentation = {
  summary: 'Get tenant import',
  description: `Returns the state of a tenant's import: the number of imported records, the refused
records with the reasons, the assumptions, the imported journals that have changed on the platform,
and the next step with its time. A tenant without a platform has no import: \`import\` is null.

Poll every few seconds while \`next.action\` is \`continues\`, and at \`next.at\` if it is
\`retries\`; \`next.reason\` says why the import is paused. Every other action is for the company's
user, your application or the operator of this service.`,
  errors: ['tenant_not_found'],
  examples: [
    {
      name: 'A company whose platform limits calls per minute',
      request: { domain_url: 'difference-works-p3vh8d' },
      data: {
        tenant_domain_url: 'difference-works-p3vh8d',
        schema_name: 'difference_works_p3vh8d',
        platform: 'platform_a',
        status: 'importing',
        status_reason: 'rate_limited',
        reconnect_by: null,
        import: {
          import_id: '0d9f3c52-6d0c-4a53-9d0e-52fc9b7c1a11',
          kind: 'complete',
          state: 'waiting',
          reason: 'rate_limited',
          modified_since: null,
          requested_at: '2026-03-23T09:30:00.000Z',
          progressed_at: '2026-03-23T09:31:12.000Z',
          finished_at: null,
          accounts_imported: 214,
          journals_imported: 12000,
          accounts_refused: 0,
          journals_refused: 1,
          refused_by_reason: { amount_too_precise: 1 },
          refused: [
            {
              kind: 'journal',
              reference: '6f9e9a1e-3e0b-4e57-8c4d-0a1b2c3d4e5f',
              reason: 'amount_too_precise',
              field: null,
            },
          ],
          assumptions: [],
          assumption_count: 0,
          changes: [],
          change_count: 0,
        },
        next: { action: 'retries', at: '2026-03-23T09:32:12.000Z', reason: 'rate_limited' },
      },
    },
    {
      name: 'A tenant without a platform',
      request: { domain_url: 'analytical-engines-k7m2xq' },
      data: {
        tenant_domain_url: 'analytical-engines-k7m2xq',
        schema_name: 'analytical_engines_k7m2xq',
        platform: 'manual',
        status: 'active',
        status_reason: null,
        reconnect_by: null,
        import: null,
        next: { action: 'none', at: null, reason: null },
      },
    },
  ],
};
