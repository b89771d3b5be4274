// Finds the tenant that a request is about, for the log.

import * as z from 'zod/mini';
import { domainUrl } from '../fields.ts';
import { prefixPattern } from '../tenants/domain-names.ts';

const NamesTenant = z.object({
  domain_url: z.optional(domainUrl),
  tenant_domain_url: z.optional(domainUrl),
});

/** The prefix of the tenant that a request or its result names, whether it exists or not. */
export const tenantIn = (value: unknown): string | undefined => {
  const { domain_url, tenant_domain_url } = NamesTenant.safeParse(value).data ?? {};
  const [prefix = ''] = (domain_url ?? tenant_domain_url ?? '').toLowerCase().split('.');
  return prefixPattern.test(prefix) ? prefix : undefined;
};
