// Tenants as requests name them, with their imports: by a prefix or a full domain.

import * as z from 'zod/mini';
import { domainUrl } from '../domain/fields.ts';
import { ApiError, type Problem, problem } from '../errors.ts';
import type { TenantImport, TenantImports } from '../store/tenant-imports.ts';
import { tenantNameFor } from './tenant-names.ts';

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
    /** @throws ApiError where the application has no such tenant */
    get: async (applicationId: string, domain: string): Promise<TenantImport> => {
      const found = await find(applicationId, domain);
      if (found === undefined) throw new ApiError('tenant_not_found');
      return found;
    },

    /** What the table says of a request that is wrong already, beyond that. */
    problemsOf: async (applicationId: string, input: unknown): Promise<Problem[]> => {
      const named = HasTenant.safeParse(input).data?.domain_url;
      const isMissing = named !== undefined && (await find(applicationId, named)) === undefined;
      return isMissing ? [problem('tenant_not_found', '/domain_url')] : [];
    },
  };
};
