// Reads tenants, and stores the links between users and tenants. A linked user has the tenant in
// the profile and can connect its company again.

import * as z from 'zod/mini';
import { type Problem, problem } from '../errors.ts';
import { keyText, type TenantName, tenantKey, tenantLinkKey, userIdKey } from '../table/keys.ts';
import { type Action, ifExists, type PutAction, type Table } from '../table/table.ts';
import { Tenant } from './tenants.ts';

/** The item of a user id, with the email address for the user's own key. */
export const UserIdItem = z.object({ email: z.string() });

/** The names of a user in the keys of its links. */
export type LinkedUser = { applicationId: string; email: string };

/** The action that links a user to a tenant. Repeating it changes nothing. */
export const linkAction = (user: LinkedUser, { schemaName }: TenantName): PutAction => ({
  put: { ...tenantLinkKey(user, schemaName), schemaName },
});

/** The check, in a transaction, that a user is linked to a tenant. */
export const linkedCheck = (user: LinkedUser, { schemaName }: TenantName): Action => ({
  check: tenantLinkKey(user, schemaName),
  condition: ifExists,
});

/** The problem of an entry of a user without a link to the tenant. */
export const userNotLinked = (at = ''): Problem => problem('user_not_linked', `${at}/user_id`);

/** Whether a user is linked to a tenant. One call. */
export const isLinked = async (
  table: Table,
  user: LinkedUser,
  { schemaName }: TenantName,
): Promise<boolean> => (await table.get(tenantLinkKey(user, schemaName))) !== undefined;

export type TenantLinks = ReturnType<typeof openTenantLinks>;

export const openTenantLinks = (table: Table) => ({
  /** Reads, in one call, whether the application has the user and the tenant. */
  prepare: async ({
    applicationId,
    userId,
    schemaName,
  }: {
    applicationId: string;
    userId: string | undefined;
    schemaName: string | undefined;
  }): Promise<{ email: string | undefined; hasTenant: boolean }> => {
    const user = userId === undefined ? undefined : userIdKey({ applicationId, userId });
    const tenant = schemaName === undefined ? undefined : tenantKey({ applicationId, schemaName });
    const items = await table.getMany([user, tenant].filter((key) => key !== undefined));
    const userItem = user && items.get(keyText(user));
    return {
      email: userItem && UserIdItem.parse(userItem).email,
      hasTenant: tenant !== undefined && items.has(keyText(tenant)),
    };
  },

  /** Adds a link. Users and tenants are never deleted, so both still exist. */
  record: async (user: LinkedUser, name: TenantName): Promise<void> => {
    await table.transact([linkAction(user, name)]);
  },

  /** Removes a link, if it exists. */
  remove: async (user: LinkedUser, { schemaName }: TenantName): Promise<void> => {
    await table.consume(tenantLinkKey(user, schemaName), { condition: ifExists });
  },
});

export type TenantReader = ReturnType<typeof openTenantReader>;

export const openTenantReader = (table: Table) => ({
  find: async (name: TenantName): Promise<Tenant | undefined> => {
    const item = await table.get(tenantKey(name));
    return item && Tenant.parse(item);
  },

  /** The tenants of these names that exist, in the order of the names. */
  findMany: async (names: readonly TenantName[]): Promise<Tenant[]> => {
    const items = await table.getMany(names.map(tenantKey));
    return names.flatMap((name) => {
      const item = items.get(keyText(tenantKey(name)));
      return item ? [Tenant.parse(item)] : [];
    });
  },
});
