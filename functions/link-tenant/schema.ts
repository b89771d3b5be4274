// What link-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl, userId } from '#shared/fields.ts';
import { TenantLinkView } from '#shared/tenants/tenant-link.view.ts';

export const Request = z.strictObject({
  user_id: userId.check(z.describe('The user to link: its id, as an integer or as its digits.')),
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
});
export type Request = z.output<typeof Request>;

export const Data = TenantLinkView;
export type Data = TenantLinkView;

export const documentation: EndpointDocumentation = {
  summary: 'Link a user and a tenant',
  description: `Shows a tenant to one more user of the application: it is in the user's profile from
then on, and the user may connect its company again. Only the application can do this. Consent at a
platform never gives a user the books of somebody else: an authorization of a company that another
user has connected ends in \`company_connected_by_another_user\`, until the application links the
tenant to this user too.

To link what is linked already changes nothing. A tenant that is disconnected can be linked. A user
or a tenant of another application is answered like one that does not exist.`,
  errors: ['user_not_found', 'tenant_not_found', 'contention'],
  examples: [
    {
      name: 'A user that is linked',
      request: { user_id: 4503599627370497, domain_url: 'analytical-engines-k7m2xq' },
      data: {
        user_id: '4503599627370497',
        tenant_domain_url: 'analytical-engines-k7m2xq',
        linked: true,
      },
    },
  ],
};
