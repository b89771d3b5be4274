// Reads tenants, and stores the links between users and tenants. A linked user has the tenant in
// the profile and can connect its company again.

import * as z from 'zod/mini';
import { ApiError, type Problem, problem } from '../errors.ts';
import { updateAction } from '../table/field-updates.ts';
import {
  keyText,
  type TenantName,
  tenantKey,
  tenantLinkKey,
  userIdKey,
  userKey,
} from '../table/keys.ts';
import { type Action, type Item, ifExists, type Table, type UpdateAction } from '../table/table.ts';
import { Tenant } from './tenants.ts';

/** The item of a user id. An erased user has no email address, and no key of its own. */
export const UserIdItem = z.object({
  email: z.optional(z.string()),
  erasedAt: z.optional(z.string()),
});
export type UserIdItem = z.infer<typeof UserIdItem>;

/** The names of a user in the keys of its links. The id is missing in earlier stored formats. */
export type LinkedUser = { applicationId: string; email: string; userId?: string | undefined };

/** The user with this item of its id; `undefined` if there is none, or if it was erased. */
export const linkedUserOf = (
  name: { applicationId: string; userId: string },
  item: Item | undefined,
): LinkedUser | undefined => {
  const { email } = UserIdItem.parse(item ?? {});
  return email === undefined ? undefined : { ...name, email };
};

/**
 * The action that counts a change of a user's links. It fails if the user was erased or has another
 * address since it was read. A change of the address moves all links, and requires this count.
 */
export const linkChangeAction = (user: LinkedUser): UpdateAction =>
  updateAction(userKey(user), {
    increment: ['linkChanges'],
    condition: ifExists,
    ...(user.userId !== undefined && { expected: { userId: user.userId } }),
  });

/** The actions that link a user to a tenant. The first fails like `linkChangeAction`. */
export const linkActions = (user: LinkedUser, { schemaName }: TenantName): Action[] => [
  linkChangeAction(user),
  { put: { ...tenantLinkKey(user, schemaName), schemaName } },
];

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
  /** Reads, in one call, the user and whether the application has the tenant. */
  prepare: async ({
    applicationId,
    userId,
    schemaName,
  }: {
    applicationId: string;
    userId: string | undefined;
    schemaName: string | undefined;
  }): Promise<{ linkedUser: LinkedUser | undefined; hasTenant: boolean }> => {
    const user = userId === undefined ? undefined : userIdKey({ applicationId, userId });
    const tenant = schemaName === undefined ? undefined : tenantKey({ applicationId, schemaName });
    const items = await table.getMany([user, tenant].filter((key) => key !== undefined));
    return {
      linkedUser:
        user && userId !== undefined
          ? linkedUserOf({ applicationId, userId }, items.get(keyText(user)))
          : undefined,
      hasTenant: tenant !== undefined && items.has(keyText(tenant)),
    };
  },

  /**
   * Adds a link. Tenants are never deleted.
   * @throws ApiError `user_not_found` if the user was erased or moved since it was read
   */
  record: async (user: LinkedUser, name: TenantName): Promise<void> => {
    const { committed } = await table.transact(linkActions(user, name));
    if (!committed) throw new ApiError('user_not_found');
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
