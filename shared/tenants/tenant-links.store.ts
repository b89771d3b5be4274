// Reads tenants, and stores the links between users and tenants. A linked user has the tenant in
// the profile and can connect its company again.

import * as z from 'zod/mini';
import { type ChartState, chartStateOf } from '../applications/quota-counts.store.ts';
import { type Problem, problem } from '../errors.ts';
import { openTenantHistory, settingsChangeActions } from '../history/tenant-history.store.ts';
import type { NewChange } from '../history/tenant-history.ts';
import {
  accountCountKey,
  keyText,
  type TenantName,
  tenantKey,
  tenantLinkKey,
  userIdKey,
} from '../table/keys.ts';
import { type Action, ifExists, ifNotExists, type PutAction, type Table } from '../table/table.ts';
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

/** A change of a link, and the state of the tenant's chart, which has the end of its history. */
export type LinkChange = {
  state: ChartState;
  change: Pick<NewChange, 'at' | 'actor' | 'actorId' | 'what' | 'subject'>;
};

export const openTenantLinks = (
  table: Table,
  { clock = () => new Date() }: { clock?: () => Date } = {},
) => {
  const history = openTenantHistory(table, { clock });

  /** Changes a link and records it in the tenant's history. Does nothing if its condition fails. */
  const changeLink = async (
    name: TenantName,
    action: Action,
    { state, change }: LinkChange,
  ): Promise<void> => {
    let found = state;
    for (;;) {
      const opened = await history.opened(name, found);
      const recording = settingsChangeActions(name, opened, { ...change, before: {}, after: {} });
      const outcome = await table.transact([action, ...recording]);
      if (outcome.committed || outcome.failed.has(0)) return;
      found = chartStateOf(outcome.failed.get(2));
    }
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
    }): Promise<{ email: string | undefined; hasTenant: boolean; state: ChartState }> => {
      const user = userId === undefined ? undefined : userIdKey({ applicationId, userId });
      const name = schemaName === undefined ? undefined : { applicationId, schemaName };
      const tenant = name && tenantKey(name);
      const stateKey = name && accountCountKey(name);
      const items = await table.getMany(
        [user, tenant, stateKey].filter((key) => key !== undefined),
      );
      const userItem = user && items.get(keyText(user));
      return {
        email: userItem && UserIdItem.parse(userItem).email,
        hasTenant: tenant !== undefined && items.has(keyText(tenant)),
        state: chartStateOf(stateKey && items.get(keyText(stateKey))),
      };
    },

    /** Adds a link, if it does not exist. Users and tenants are never deleted. */
    record: (user: LinkedUser, name: TenantName, change: LinkChange): Promise<void> =>
      changeLink(name, { ...linkAction(user, name), condition: ifNotExists }, change),

    /** Removes a link, if it exists. */
    remove: (user: LinkedUser, name: TenantName, change: LinkChange): Promise<void> => {
      const key = tenantLinkKey(user, name.schemaName);
      return changeLink(name, { delete: key, condition: ifExists }, change);
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
