// Links a user to a tenant and unlinks it, at the word of the application that owns both.

import * as z from 'zod/mini';
import { prefixOf, schemaNameOf } from '../domain/domain-names.ts';
import { domainUrl, userId } from '../domain/fields.ts';
import { ApiError, type Problem, problem } from '../errors.ts';
import type { TenantLinks } from '../store/tenant-links.ts';

export type LinkingDependencies = { tenantLinks: TenantLinks; baseDomain: string };

/** A link as a request names it. Either part is `undefined` where it could not be read. */
type Named<Part> = { userId: number | Part; domainUrl: string | Part };
type Asked = Named<never>;

/** A link as it stands after a request. */
type Answer = { userId: string; prefix: string };

const HasUser = z.object({ user_id: userId });
const HasTenant = z.object({ domain_url: domainUrl });

export type Linking = ReturnType<typeof openLinking>;

export const openLinking = ({ tenantLinks, baseDomain }: LinkingDependencies) => {
  const look = async (applicationId: string, named: Named<undefined>) => {
    const prefix = named.domainUrl && prefixOf(named.domainUrl, baseDomain);
    const schemaName = prefix && schemaNameOf(prefix);
    const { email, hasTenant } = await tenantLinks.prepare({
      applicationId,
      userId: named.userId === undefined ? undefined : String(named.userId),
      schemaName: schemaName || undefined,
    });
    return {
      user: email === undefined ? undefined : { applicationId, email },
      tenant: hasTenant && prefix && schemaName ? { applicationId, schemaName, prefix } : undefined,
    };
  };

  /** @throws ApiError where the application has no such user, or no such tenant */
  const find = async (applicationId: string, asked: Asked) => {
    const { user, tenant } = await look(applicationId, asked);
    if (user === undefined) throw new ApiError('user_not_found');
    if (tenant === undefined) throw new ApiError('tenant_not_found');
    return { user, tenant, answer: { userId: String(asked.userId), prefix: tenant.prefix } };
  };

  return {
    /** A tenant whose platform is disconnected can be linked: its new user may connect it again. */
    link: async (applicationId: string, asked: Asked): Promise<Answer> => {
      const { user, tenant, answer } = await find(applicationId, asked);
      await tenantLinks.record(user, tenant);
      return answer;
    },

    /**
     * The last user can be unlinked too: people leave, and the books, their connection and what is
     * scheduled are the application's, which posts by the prefix and can link another user.
     */
    unlink: async (applicationId: string, asked: Asked): Promise<Answer> => {
      const { user, tenant, answer } = await find(applicationId, asked);
      await tenantLinks.remove(user, tenant);
      return answer;
    },

    /** What the table says of a request that is wrong already, beyond that. */
    problemsOf: async (applicationId: string, input: unknown): Promise<Problem[]> => {
      const named = {
        userId: HasUser.safeParse(input).data?.user_id,
        domainUrl: HasTenant.safeParse(input).data?.domain_url,
      };
      const { user, tenant } = await look(applicationId, named);
      const isMissing = (part: unknown, found: unknown) => part !== undefined && !found;
      return [
        ...(isMissing(named.userId, user) ? [problem('user_not_found', '/user_id')] : []),
        ...(isMissing(named.domainUrl, tenant) ? [problem('tenant_not_found', '/domain_url')] : []),
      ];
    },
  };
};
