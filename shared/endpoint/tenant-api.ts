// Endpoints whose requests name a tenant in `domain_url`.

import * as z from 'zod/mini';
import { ApiError, type Problem, tenantNotFound } from '../errors.ts';
import { domainUrl } from '../fields.ts';
import type { TenantName } from '../table/keys.ts';
import type { Telemetry } from '../telemetry.ts';
import { tenantNameFrom } from '../tenants/domain-names.ts';
import type { Tenant } from '../tenants/tenants.ts';
import { type ApiReply, type ApiRequest, createApiHandler, type Endpoint } from './api.ts';

type TenantRequest<Input, Tenant> = ApiRequest<Input> & { tenant: Tenant };

export type TenantEndpoint<Request extends z.ZodMiniType, Data extends z.ZodMiniType> = Omit<
  Endpoint<Request, Data>,
  'handle' | 'storeProblems'
> & {
  /** No call has been made to find out whether the tenant exists. */
  handle: (
    request: TenantRequest<z.output<Request>, TenantName>,
  ) => Promise<ApiReply<z.input<Data>>>;
  /**
   * As in `Endpoint`. Without this function, the endpoint checks that the tenant exists. `tenant`
   * is `undefined` if the domain could not be read or no tenant can have it.
   */
  storeProblems?: (
    request: TenantRequest<unknown, TenantName | undefined>,
    schemaProblems: Problem[],
  ) => Promise<Problem[]>;
};

export type TenantEndpointTools = Telemetry & {
  baseDomain: string;
  tenants: { findMany: (names: readonly TenantName[]) => Promise<readonly Tenant[]> };
};

const HasTenant = z.object({ domain_url: domainUrl });

/** Makes the Lambda handler of an endpoint whose requests name a tenant. */
export const createTenantApiHandler = <Request extends z.ZodMiniType, Data extends z.ZodMiniType>(
  endpoint: TenantEndpoint<Request, Data>,
  { baseDomain, tenants, log, metrics }: TenantEndpointTools,
) => {
  const readTenant = ({ caller: { applicationId }, input }: ApiRequest<unknown>) => {
    const domain = HasTenant.safeParse(input).data?.domain_url;
    const isReadable = domain !== undefined;
    const tenant = isReadable ? tenantNameFrom(domain, { applicationId, baseDomain }) : undefined;
    return { isReadable, tenant };
  };

  const problemsOfTenant = async (tenant: TenantName | undefined): Promise<Problem[]> =>
    tenant && (await tenants.findMany([tenant])).length === 0 ? [tenantNotFound] : [];

  return createApiHandler<Request, Data>(
    {
      ...endpoint,
      handle: async (request) => {
        const { tenant } = readTenant(request);
        if (tenant === undefined) throw new ApiError('tenant_not_found');
        return endpoint.handle({ ...request, tenant });
      },
      storeProblems: async (request, schemaProblems) => {
        const { isReadable, tenant } = readTenant(request);
        const further = endpoint.storeProblems
          ? await endpoint.storeProblems({ ...request, tenant }, schemaProblems)
          : await problemsOfTenant(tenant);
        return [...(isReadable && tenant === undefined ? [tenantNotFound] : []), ...further];
      },
    },
    { log, metrics },
  );
};
