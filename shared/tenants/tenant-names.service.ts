// Converts the domain_url of a request to a tenant name, without checking that it exists.

import type { TenantName } from '../table/keys.ts';
import { prefixOf, schemaNameOf } from './domain-names.ts';

/** @returns `undefined` if the domain is missing or no tenant can have it */
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
