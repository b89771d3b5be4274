// What unlink-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl, userId } from '#shared/fields.ts';
import { TenantLinkView } from '#shared/tenants/tenant-link.view.ts';

export const Request = z.strictObject({
  user_id: userId.check(z.describe('The user to unlink: its id, as an integer or as its digits.')),
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
});
export type Request = z.output<typeof Request>;

export const Data = TenantLinkView;
export type Data = TenantLinkView;

export const documentation: EndpointDocumentation = {
  summary: 'Unlink a user and a tenant',
  description: `Ends what linking began: the tenant leaves the user's profile, and the user can
neither connect it again nor change its settings. Nothing else changes: what was posted and
scheduled stays, and so does the connection to its platform. The last user can be unlinked too; the
application goes on posting by the prefix, which it should keep, and can link another user.

To unlink what is not linked changes nothing. A user or a tenant of another application is answered
like one that does not exist.`,
  errors: ['user_not_found', 'tenant_not_found', 'contention'],
  examples: [
    {
      name: 'A user that is unlinked',
      request: { user_id: 4503599627370497, domain_url: 'analytical-engines-k7m2xq' },
      data: {
        user_id: '4503599627370497',
        tenant_domain_url: 'analytical-engines-k7m2xq',
        linked: false,
      },
    },
  ],
};
