// Reads tenants, and stores the links between users and tenants. A linked user has the tenant in
// the profile and can connect its company again.

import * as z from 'zod/mini';
import { type ChartState, chartStateOf } from '../applications/quota-counts.store.ts';
import { ApiError, type Problem, problem } from '../errors.ts';
import { openTenantHistory } from '../history/tenant-history.store.ts';
import type { NewChange } from '../history/tenant-history.ts';
import { updateAction } from '../table/field-updates.ts';
import {
  accountCountKey,
  keyText,
  type TenantName,
  tenantKey,
  tenantLinkKey,
  userIdKey,
  userKey,
} from '../table/keys.ts';
import {
  type Action,
  type Item,
  ifExists,
  ifNotExists,
  type Table,
  type UpdateAction,
} from '../table/table.ts';
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

/** Nothing was written, because the user was erased or moved since it was read. */
export const userChanged = (): ApiError => new ApiError('contention', { retryAfterSeconds: 1 });

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

/** A change of a link, and the state of the tenant's chart, which has the end of its history. */
export type LinkChange = {
  state: ChartState;
  change: Pick<NewChange, 'at' | 'actor' | 'actorId' | 'what' | 'subject'>;
};

export const openTenantLinks = (table: Table) => {
  const history = openTenantHistory(table);

  /**
   * Records a change of a link in the tenant's history. Does nothing if the first of these actions
   * fails, because the link is already so.
   * @throws ApiError `contention` if another of them fails
   */
  const changeLink = async (
    name: TenantName,
    actions: readonly [Action, ...Action[]],
    { state, change }: LinkChange,
  ): Promise<void> => {
    const recorded = { change: { ...change, before: {}, after: {} }, found: state };
    const outcome = await history.recordWith(name, actions, recorded);
    if (!outcome.committed && !outcome.failed.has(0)) throw userChanged();
  };

  return {
    /** Reads, in one call, the user and whether the application has the tenant. */
    prepare: async ({
      applicationId,
      userId,
      schemaName,
    }: {
      applicationId: string;
      userId: string | undefined;
      schemaName: string | undefined;
    }): Promise<{
      linkedUser: LinkedUser | undefined;
      hasTenant: boolean;
      state: ChartState;
    }> => {
      const user = userId === undefined ? undefined : userIdKey({ applicationId, userId });
      const name = schemaName === undefined ? undefined : { applicationId, schemaName };
      const tenant = name && tenantKey(name);
      const stateKey = name && accountCountKey(name);
      const items = await table.getMany(
        [user, tenant, stateKey].filter((key) => key !== undefined),
      );
      return {
        linkedUser:
          user && userId !== undefined
            ? linkedUserOf({ applicationId, userId }, items.get(keyText(user)))
            : undefined,
        hasTenant: tenant !== undefined && items.has(keyText(tenant)),
        state: chartStateOf(stateKey && items.get(keyText(stateKey))),
      };
    },

    /**
     * Adds a link, if it does not exist. Tenants are never deleted.
     * @throws ApiError `contention` if the user was erased or moved since it was read
     */
    record: (user: LinkedUser, name: TenantName, change: LinkChange): Promise<void> => {
      const { schemaName } = name;
      const put = { ...tenantLinkKey(user, schemaName), schemaName };
      return changeLink(name, [{ put, condition: ifNotExists }, linkChangeAction(user)], change);
    },

    /** Removes a link, if it exists. */
    remove: (user: LinkedUser, name: TenantName, change: LinkChange): Promise<void> => {
      const key = tenantLinkKey(user, name.schemaName);
      return changeLink(name, [{ delete: key, condition: ifExists }], change);
    },
  };
};

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
