// Users: found by application and address, or by application and id.

import * as z from 'zod/mini';
import { Tenant } from '../domain/tenants.ts';
import { secondsOf } from './expiry.ts';
import { type Key, passwordKey, tenantLinkPrefix, userIdKey, userKey } from './keys.ts';
import { sortRange } from './sort-ranges.ts';
import { ifNotExists, type Table } from './table.ts';

/** A user. `email` is the address as it was first registered. */
export const User = z.object({
  applicationId: z.string(),
  userId: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  createdAt: z.string(),
});
export type User = z.infer<typeof User>;

/** What stands under a user's id: the address, which the user's own key is made of. */
export const UserIdEntry = z.object({ email: z.string() });

/** A link to a tenant; to one that is not confirmed it has all that is shown of it, and an end. */
const TenantLink = z.object({
  schemaName: z.string(),
  pendingTenant: z.optional(Tenant),
  expiresAt: z.optional(z.int()),
});

export type Users = ReturnType<typeof openUsers>;

export const openUsers = (table: Table) => ({
  find: async (named: { applicationId: string; email: string }): Promise<User | undefined> => {
    const item = await table.get(userKey(named));
    return item && User.parse(item);
  },

  /** The user, the schema names of its tenants and those that are pending, in one query. */
  findWithTenants: async (
    named: { applicationId: string; email: string },
    now: Date,
  ): Promise<{ user: User; schemaNames: string[]; pendingTenants: Tenant[] } | undefined> => {
    const { pk, sk } = userKey(named);
    const items = await table.query(sortRange(pk, { first: tenantLinkPrefix, last: sk }));
    const user = items.find((item) => (item as Key).sk === sk);
    if (user === undefined) return undefined;
    const links = items.filter((item) => item !== user).map((item) => TenantLink.parse(item));
    const seconds = secondsOf(now);
    return {
      user: User.parse(user),
      schemaNames: links.filter((it) => !it.pendingTenant).map(({ schemaName }) => schemaName),
      // The table's own expiry may be days late.
      pendingTenants: links.flatMap(({ pendingTenant, expiresAt = 0 }) =>
        pendingTenant && expiresAt > seconds ? [pendingTenant] : [],
      ),
    };
  },

  /**
   * Records a new user, or finds the one that was there first. The password's hash is an item of
   * its own, which no read touches.
   */
  record: async (
    user: Omit<User, 'userId'>,
    { passwordHash, newUserId }: { passwordHash: string; newUserId: () => string },
  ): Promise<{ user: User; created: boolean }> => {
    for (;;) {
      const candidate = { ...user, userId: newUserId() };
      const outcome = await table.transact([
        { put: { ...userKey(user), kind: 'user', ...candidate }, condition: ifNotExists },
        { put: { ...userIdKey(candidate), email: user.email }, condition: ifNotExists },
        { put: { ...passwordKey(user), passwordHash } },
      ]);
      if (outcome.committed) return { user: candidate, created: true };
      const existing = outcome.failed.get(0);
      if (existing) return { user: User.parse(existing), created: false };
      // Only the id was taken, one chance in 2^53: another is drawn.
    }
  },
});
