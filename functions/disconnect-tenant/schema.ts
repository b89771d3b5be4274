// What disconnect-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl } from '#shared/fields.ts';
import { TenantReference, TenantSummary } from '#shared/tenants/tenant.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
});

const access = `What happened to the access on the platform:

- \`given_back\`: the platform has just ended it.
- \`had_ended\`: the platform had already ended it. The stored tokens are deleted.
- \`none_held\`: there were no tokens. The tenant was disconnected before, or never connected.`;

export const Data = z.extend(TenantReference, {
  status: TenantSummary.shape.status,
  status_reason: TenantSummary.shape.status_reason,
  access: z.enum(['given_back', 'had_ended', 'none_held']).check(z.describe(access)),
});
z.globalRegistry.add(Data, {
  id: 'DisconnectedTenant',
  description: 'A tenant without access to a platform.',
});

export const documentation: EndpointDocumentation = {
  summary: 'Disconnect tenant',
  description: `Ends the access to the company on its platform and deletes the tokens. A running
import ends. Imported data remains, and you can still post entries. To import again, connect the
company again. QuickBooks requires applications to offer this to their users.

Xero ends the connection of this company only. Zoho and QuickBooks end the grant of this connection.

A repeat changes nothing. If the platform fails or is too slow, the tokens stay stored, because they
are needed to end the access. Send the request again after the seconds in \`Retry-After\` until it
succeeds. Even if the platform fails, a running import ends, and its tenant shows as
\`disconnected\`.`,
  errors: ['tenant_not_found', 'platform_failed', 'platform_timed_out', 'contention'],
  examples: [
    {
      name: 'A company that leaves',
      request: { domain_url: 'analytical-engines-k7m2xq' },
      data: {
        tenant_domain_url: 'analytical-engines-k7m2xq',
        schema_name: 'analytical_engines_k7m2xq',
        platform: 'platform_b',
        status: 'disconnected',
        status_reason: 'disconnected_by_application',
        access: 'given_back',
      },
    },
  ],
};
