// What disconnect-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl } from '#shared/fields.ts';
import { TenantReference, TenantSummary } from '#shared/tenants/tenant.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
});
export type Request = z.output<typeof Request>;

const access = `What became of the access at the platform:

- \`given_back\`: the platform has ended it just now.
- \`had_ended\`: the platform had ended it before; we have forgotten the tokens.
- \`none_held\`: there were no tokens: the tenant was disconnected before, or never connected.`;

export const Data = z.extend(TenantReference, {
  status: TenantSummary.shape.status,
  status_reason: TenantSummary.shape.status_reason,
  access: z.enum(['given_back', 'had_ended', 'none_held']).check(z.describe(access)),
});
z.globalRegistry.add(Data, {
  id: 'DisconnectedTenant',
  description: 'A tenant that holds no access to a platform.',
});
export type Data = z.output<typeof Data>;

export const documentation: EndpointDocumentation = {
  summary: 'Disconnect tenant',
  description: `Gives the access to the company back at its platform and forgets the tokens. An
import that is under way ends. What was imported stays, and entries can be posted as before; to
import again, connect the company again. QuickBooks demands that an application offers this to its
users.

At Xero the connection of this company alone ends. At Zoho and QuickBooks the platform ends the
grant that this connection has.

To disconnect what is disconnected already changes nothing. Where the platform fails or is too slow,
the tokens are kept, since nothing else can give the access back: send the request again after as
many seconds as \`Retry-After\` says, until it succeeds. An import that was under way has ended all
the same, and its tenant shows as \`disconnected\` then.`,
  errors: ['tenant_not_found', 'platform_failed', 'platform_timed_out', 'contention'],
  examples: [
    {
      name: 'A company whose user leaves',
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
