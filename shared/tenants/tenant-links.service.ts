// Links users to tenants, and unlinks them. The application owns both.

import { ApiError, type Problem, problem, tenantNotFound } from '../errors.ts';
import type { TenantName } from '../table/keys.ts';
import { prefixOfSchema } from './domain-names.ts';
import type { LinkedUser, TenantLinks } from './tenant-links.store.ts';

type Link = { user_id: string; tenant_domain_url: string; linked: boolean };

export type Linking = ReturnType<typeof openLinking>;

export const openLinking = (tenantLinks: TenantLinks) => {
  /** @throws ApiError `user_not_found`, `tenant_not_found` */
  const findUser = async (tenant: TenantName, userId: number): Promise<LinkedUser> => {
    const { applicationId, schemaName } = tenant;
    const link = await tenantLinks.prepare({ applicationId, schemaName, userId: String(userId) });
    if (link.linkedUser === undefined) throw new ApiError('user_not_found');
    if (!link.hasTenant) throw new ApiError('tenant_not_found');
    return link.linkedUser;
  };

  const linkOf = (tenant: TenantName, userId: number, linked: boolean): Link => ({
    user_id: String(userId),
    tenant_domain_url: prefixOfSchema(tenant.schemaName),
    linked,
  });

  return {
    /** A disconnected tenant can be linked, because the new user may connect it again. */
    link: async (tenant: TenantName, userId: number): Promise<Link> => {
      await tenantLinks.record(await findUser(tenant, userId), tenant);
      return linkOf(tenant, userId, true);
    },

    /**
     * Even the last user can be unlinked: people leave. The books, the connection and the scheduled
     * entries belong to the application, and it can link another user.
     */
    unlink: async (tenant: TenantName, userId: number): Promise<Link> => {
      await tenantLinks.remove(await findUser(tenant, userId), tenant);
      return linkOf(tenant, userId, false);
    },

    /** Finds more problems of a request that its schema has already refused. */
    problemsOf: async (
      applicationId: string,
      { tenant, userId }: { tenant: TenantName | undefined; userId: number | undefined },
    ): Promise<Problem[]> => {
      const { linkedUser, hasTenant } = await tenantLinks.prepare({
        applicationId,
        userId: userId === undefined ? undefined : String(userId),
        schemaName: tenant?.schemaName,
      });
      const lacksUser = userId !== undefined && linkedUser === undefined;
      return [
        ...(lacksUser ? [problem('user_not_found', '/user_id')] : []),
        ...(tenant && !hasTenant ? [tenantNotFound] : []),
      ];
    },
  };
};
