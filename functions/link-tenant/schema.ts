// What link-tenant accepts and returns.

import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { TenantLinkView } from '#shared/tenants/tenant.view.ts';
import { TenantLinkRequest } from '#shared/tenants/tenant-links.endpoint.ts';

export const Request = TenantLinkRequest;

export const Data = TenantLinkView;

export const documentation: EndpointDocumentation = {
  summary: 'Link a user and a tenant',
  description: `Links a user of the application to a tenant. The tenant appears in the user's
profile, and the user can connect its company again. Only the application can do this. Consent on a
platform never gives a user access to another user's books: if a user authorizes a company that
another user has connected, the authorization ends in \`company_connected_by_another_user\` until
the application links the tenant to this user.

A repeat changes nothing. A disconnected tenant can be linked. For a user or tenant of another
application, the reply is the same as for an unknown one.`,
  errors: ['user_not_found', 'tenant_not_found', 'contention'],
  examples: [
    {
      name: 'A linked user',
      request: { user_id: 4503599627370497, domain_url: 'analytical-engines-k7m2xq' },
      data: {
        user_id: '4503599627370497',
        tenant_domain_url: 'analytical-engines-k7m2xq',
        linked: true,
      },
    },
  ],
};
