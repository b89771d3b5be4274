// Links of users to tenants: who is shown a tenant, and may connect its company again.

import { type Problem, problem } from '../errors.ts';
import { keyText, type TenantName, tenantKey, tenantLinkKey, userIdKey } from '../table/keys.ts';
import type { Action, PutAction, Table } from '../table/table.ts';
import { UserIdItem } from '../users/user-ids.ts';

/** A user as the keys of its links name it. */
export type LinkedUser = { applicationId: string; email: string };

/** The action that links a tenant to a user; a second time it changes nothing. */
export const linkAction = (user: LinkedUser, { schemaName }: TenantName): PutAction => ({
  put: { ...tenantLinkKey(user, schemaName), schemaName },
});

/** The condition, in a transaction, that a tenant is linked to a user. */
export const linkedCheck = (user: LinkedUser, { schemaName }: TenantName): Action => ({
  check: tenantLinkKey(user, schemaName),
  condition: 'attribute_exists(pk)',
});

/** What is wrong with an entry of a user that the tenant is not linked to. */
export const userNotLinked = (at = ''): Problem => problem('user_not_linked', `${at}/user_id`);

/** Whether a tenant is linked to a user. One call. */
export const isLinked = async (
  table: Table,
  user: LinkedUser,
  { schemaName }: TenantName,
): Promise<boolean> => (await table.get(tenantLinkKey(user, schemaName))) !== undefined;

export type TenantLinks = ReturnType<typeof openTenantLinks>;

export const openTenantLinks = (table: Table) => ({
  /** Which of a user and a tenant the application has, in one call. */
  prepare: async (asked: {
    applicationId: string;
    userId: string | undefined;
    schemaName: string | undefined;
  }): Promise<{ email: string | undefined; hasTenant: boolean }> => {
    const { applicationId, userId, schemaName } = asked;
    const user = userId === undefined ? undefined : userIdKey({ applicationId, userId });
    const tenant = schemaName === undefined ? undefined : tenantKey({ applicationId, schemaName });
    const items = await table.getMany([user, tenant].filter((key) => key !== undefined));
    const userFound = user && items.get(keyText(user));
    return {
      email: userFound && UserIdItem.parse(userFound).email,
      hasTenant: tenant !== undefined && items.has(keyText(tenant)),
    };
  },

  /** Neither users nor tenants are ever removed, so both are still there. */
  record: async (user: LinkedUser, name: TenantName): Promise<void> => {
    await table.transact([linkAction(user, name)]);
  },

  /** Takes a link away, if it is there. */
  remove: async (user: LinkedUser, { schemaName }: TenantName): Promise<void> => {
    const key = tenantLinkKey(user, schemaName);
    await table.consume(key, { condition: 'attribute_exists(pk)' });
  },
});
