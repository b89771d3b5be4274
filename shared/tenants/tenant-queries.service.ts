// Reads a tenant with its import, by the prefix or the full domain in a request.

import * as z from 'zod/mini';
import { ApiError, type Problem, problem } from '../errors.ts';
import { domainUrl } from '../fields.ts';
import type { TenantImport, TenantImports } from '../imports/tenant-imports.store.ts';
import { tenantNameFor } from './tenant-names.service.ts';

const HasTenant = z.object({ domain_url: domainUrl });

export type TenantQueries = ReturnType<typeof openTenantQueries>;

export const openTenantQueries = ({
  tenantImports,
  baseDomain,
}: {
  tenantImports: TenantImports;
  baseDomain: string;
}) => {
  const find = async (
    applicationId: string,
    domainUrl: string,
  ): Promise<TenantImport | undefined> => {
    const name = tenantNameFor({ applicationId, domainUrl, baseDomain });
    return name && tenantImports.find(name);
  };

  return {
    /** @throws ApiError `tenant_not_found` */
    get: async (applicationId: string, domain: string): Promise<TenantImport> => {
      const tenantImport = await find(applicationId, domain);
      if (tenantImport === undefined) throw new ApiError('tenant_not_found');
      return tenantImport;
    },

    /** Finds more problems of a request that its schema has already refused. */
    problemsOf: async (applicationId: string, input: unknown): Promise<Problem[]> => {
      const domain = HasTenant.safeParse(input).data?.domain_url;
      const isMissing = domain !== undefined && (await find(applicationId, domain)) === undefined;
      return isMissing ? [problem('tenant_not_found', '/domain_url')] : [];
    },
  };
};
