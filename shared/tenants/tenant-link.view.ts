// The link between a user and a tenant in a reply.

import * as z from 'zod/mini';
import { userIdView } from '../users/user.view.ts';

export const TenantLinkView = z.object({
  user_id: userIdView,
  tenant_domain_url: z.string().check(z.describe('Subdomain prefix of the tenant.')),
  linked: z.boolean().check(z.describe('Whether the tenant is linked to the user now.')),
});
export type TenantLinkView = z.output<typeof TenantLinkView>;
