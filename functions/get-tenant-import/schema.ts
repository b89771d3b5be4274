// What get-tenant-import accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl } from '#shared/fields.ts';
import { TenantImportView } from '#shared/imports/import.view.ts';
import { exampleImport } from '#shared/imports/import-example.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
});

export const Data = TenantImportView;

export const documentation: EndpointDocumentation = {
  summary: 'Get tenant import',
  description: `Returns the state of a tenant's import: the number of imported records, the refused
records with the reasons, the assumptions, the imported journals that have changed on the platform
and are not followed here, and the next step with its time. A tenant without a platform has no
import: \`import\` is null.

Poll every few seconds while \`next.action\` is \`continues\`, and at \`next.at\` if it is
\`retries\`; \`next.reason\` says why the import is paused. Every other action is for the company's
user, your application or the operator of this service.`,
  errors: ['tenant_not_found'],
  examples: [
    {
      name: 'A company whose platform limits calls per minute',
      request: { domain_url: 'difference-works-p3vh8d' },
      data: exampleImport,
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
