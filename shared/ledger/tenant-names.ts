// The tenant that a request means by its domain_url, whether there is one or not.

import { prefixOf, schemaNameOf } from '../domain/domain-names.ts';
import type { TenantName } from '../store/keys.ts';

/** @returns `undefined` where the domain is missing, or none that a tenant of ours could have */
export const tenantNameFor = ({
  applicationId,
  domainUrl,
  baseDomain,
}: {
  applicationId: string;
  domainUrl: string | undefined;
  baseDomain: string;
}): TenantName | undefined => {
  const prefix = domainUrl === undefined ? undefined : prefixOf(domainUrl, baseDomain);
  return prefix === undefined ? undefined : { applicationId, schemaName: schemaNameOf(prefix) };
};
