// Links users to tenants, and unlinks them. The application owns both.

import * as z from 'zod/mini';
import { ApiError, type Problem, problem } from '../errors.ts';
import { domainUrl, userId } from '../fields.ts';
import { prefixOf, schemaNameOf } from './domain-names.ts';
import type { TenantLinks } from './tenant-links.store.ts';

export type LinkingDependencies = { tenantLinks: TenantLinks; baseDomain: string };

/** The user and the tenant in a request. `Part` allows for fields that could not be read. */
type LinkRequest<Part = never> = { userId: number | Part; domainUrl: string | Part };

type Link = { userId: string; prefix: string };

const HasUser = z.object({ user_id: userId });
const HasTenant = z.object({ domain_url: domainUrl });

export type Linking = ReturnType<typeof openLinking>;

export const openLinking = ({ tenantLinks, baseDomain }: LinkingDependencies) => {
  const look = async (applicationId: string, request: LinkRequest<undefined>) => {
    const prefix = request.domainUrl && prefixOf(request.domainUrl, baseDomain);
    const schemaName = prefix && schemaNameOf(prefix);
    const { email, hasTenant } = await tenantLinks.prepare({
      applicationId,
      userId: request.userId === undefined ? undefined : String(request.userId),
      schemaName: schemaName || undefined,
    });
    return {
      user: email === undefined ? undefined : { applicationId, email },
      tenant: hasTenant && prefix && schemaName ? { applicationId, schemaName, prefix } : undefined,
    };
  };

  /** @throws ApiError `user_not_found`, `tenant_not_found` */
  const find = async (applicationId: string, request: LinkRequest) => {
    const { user, tenant } = await look(applicationId, request);
    if (user === undefined) throw new ApiError('user_not_found');
    if (tenant === undefined) throw new ApiError('tenant_not_found');
    return { user, tenant, link: { userId: String(request.userId), prefix: tenant.prefix } };
  };

  return {
    /** A disconnected tenant can be linked, because the new user may connect it again. */
    link: async (applicationId: string, request: LinkRequest): Promise<Link> => {
      const { user, tenant, link } = await find(applicationId, request);
      await tenantLinks.record(user, tenant);
      return link;
    },

    /**
     * Even the last user can be unlinked: people leave. The books, the connection and the scheduled
     * entries belong to the application, which can link another user.
     */
    unlink: async (applicationId: string, request: LinkRequest): Promise<Link> => {
      const { user, tenant, link } = await find(applicationId, request);
      await tenantLinks.remove(user, tenant);
      return link;
    },

    /** Finds more problems of a request that its schema has already refused. */
    problemsOf: async (applicationId: string, input: unknown): Promise<Problem[]> => {
      const request = {
        userId: HasUser.safeParse(input).data?.user_id,
        domainUrl: HasTenant.safeParse(input).data?.domain_url,
      };
      const { user, tenant } = await look(applicationId, request);
      const isMissing = (part: unknown, item: unknown) => part !== undefined && !item;
      return [
        ...(isMissing(request.userId, user) ? [problem('user_not_found', '/user_id')] : []),
        ...(isMissing(request.domainUrl, tenant)
          ? [problem('tenant_not_found', '/domain_url')]
          : []),
      ];
    },
  };
};
