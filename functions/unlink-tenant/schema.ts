// What unlink-tenant accepts and returns.

import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { TenantLinkView } from '#shared/tenants/tenant.view.ts';
import { TenantLinkRequest } from '#shared/tenants/tenant-links.endpoint.ts';

export const Request = TenantLinkRequest;

export const Data = TenantLinkView;

export const documentation: EndpointDocumentation = {
  summary: 'Unlink a user and a tenant',
  description: `Removes the link between a user and a tenant. The tenant leaves the user's profile,
and the user can neither connect it again nor change its settings. Posted and scheduled entries and
the connection to the platform do not change. You can unlink the last user: store the prefix,
because your application can still post with it and can link another user.

A repeat changes nothing. For a user or tenant of another application, the reply is the same as for
an unknown one.`,
  errors: ['user_not_found', 'tenant_not_found', 'contention'],
  examples: [
    {
      name: 'An unlinked user',
      request: { user_id: 4503599627370497, domain_url: 'analytical-engines-k7m2xq' },
      data: {
        user_id: '4503599627370497',
        tenant_domain_url: 'analytical-engines-k7m2xq',
        linked: false,
      },
    },
  ],
};
