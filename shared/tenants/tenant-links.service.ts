// Links users to tenants, and unlinks them. The application owns both.

import { ApiError, type Problem, problem, tenantNotFound } from '../errors.ts';
import { byKey } from '../history/tenant-history.ts';
import type { TenantName } from '../table/keys.ts';
import { prefixOfSchema } from './domain-names.ts';
import type { LinkChange, LinkedUser, TenantLinks } from './tenant-links.store.ts';

type Link = { user_id: string; tenant_domain_url: string; linked: boolean };

export type Linking = ReturnType<typeof openLinking>;

/** A request to link or unlink a user, with the API key that makes it. */
type LinkRequest = { userId: number; keyId: string };

export const openLinking = (tenantLinks: TenantLinks, clock: () => Date) => {
  /**
   * The user, and the change of the link.
   * @throws ApiError `user_not_found`, `tenant_not_found`
   */
  const prepare = async (
    tenant: TenantName,
    { userId, keyId }: LinkRequest,
    what: 'user_linked' | 'user_unlinked',
  ): Promise<[LinkedUser, LinkChange]> => {
    const { applicationId, schemaName } = tenant;
    const link = await tenantLinks.prepare({ applicationId, schemaName, userId: String(userId) });
    if (link.linkedUser === undefined) throw new ApiError('user_not_found');
    if (!link.hasTenant) throw new ApiError('tenant_not_found');
    const subject = String(userId);
    const change = { ...byKey(keyId), at: clock().toISOString(), what, subject };
    return [link.linkedUser, { state: link.state, change }];
  };

  const linkOf = (tenant: TenantName, userId: number, linked: boolean): Link => ({
    user_id: String(userId),
    tenant_domain_url: prefixOfSchema(tenant.schemaName),
    linked,
  });

  return {
    /** A disconnected tenant can be linked, because the new user may connect it again. */
    link: async (tenant: TenantName, request: LinkRequest): Promise<Link> => {
      const [user, change] = await prepare(tenant, request, 'user_linked');
      await tenantLinks.record(user, tenant, change);
      return linkOf(tenant, request.userId, true);
    },

    /**
     * Even the last user can be unlinked: people leave. The books, the connection and the scheduled
     * entries belong to the application, and it can link another user.
     */
    unlink: async (tenant: TenantName, request: LinkRequest): Promise<Link> => {
      const [user, change] = await prepare(tenant, request, 'user_unlinked');
      await tenantLinks.remove(user, tenant, change);
      return linkOf(tenant, request.userId, false);
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
