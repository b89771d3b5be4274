// The link between a user and a tenant in a reply.

import * as z from 'zod/mini';

export const TenantLinkView = z.object({
  user_id: z.string().check(
    z.meta({
      pattern: '^[1-9]\\d{0,15}$',
      description: 'Id of the user, as decimal digits.',
    }),
  ),
  tenant_domain_url: z.string().check(z.describe('Subdomain prefix of the tenant.')),
  linked: z.boolean().check(z.describe('Whether the tenant is linked to the user now.')),
});
export type TenantLinkView = z.output<typeof TenantLinkView>;
