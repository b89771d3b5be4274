// What get-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl } from '#shared/fields.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';
import { exampleLockedTenant } from '#shared/tenants/tenant-example.view.ts';

export const Request = z.strictObject({ domain_url: domainUrl });

export const Data = TenantSummary;

export const documentation: EndpointDocumentation = {
  summary: 'Get tenant',
  description: `Returns the status and the settings of one tenant, as in the profiles of its users.
Get-tenant-import has the details of its import.

A tenant with the status \`pending\` is not found: it appears only in the profile of its user until
confirm-tenant confirms the connection.`,
  errors: ['tenant_not_found'],
  examples: [
    {
      name: 'A tenant with a locked year',
      request: { domain_url: 'analytical-engines-k7m2xq' },
      data: exampleLockedTenant,
    },
  ],
};
