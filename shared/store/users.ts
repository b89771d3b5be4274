// Users: found by application and address, or by application and id.

import * as z from 'zod/mini';
import { passwordKey, tenantLinkKey, tenantLinkPrefix, userIdKey, userKey } from './keys.ts';
import { countItems, readPage } from './pages.ts';
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

const TenantLink = z.object({ schemaName: z.string() });

const linksOf = (named: { applicationId: string; email: string }) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :links)',
  ExpressionAttributeValues: { ':pk': userKey(named).pk, ':links': tenantLinkPrefix },
});

export type Users = ReturnType<typeof openUsers>;

export const openUsers = (table: Table) => ({
  find: async (named: { applicationId: string; email: string }): Promise<User | undefined> => {
    const item = await table.get(userKey(named));
    return item && User.parse(item);
  },

  /**
   * A user, and a page of its tenants in the order of their schema names; `next` is the one after
   * which the next page begins.
   */
  findWithTenants: async (
    named: { applicationId: string; email: string },
    { limit, after }: { limit: number; after?: string | undefined },
  ): Promise<{ user: User; schemaNames: string[]; next: string | undefined } | undefined> => {
    const [user, page] = await Promise.all([
      table.get(userKey(named)),
      readPage(table, linksOf(named), {
        limit,
        bounds: { items: 0, bytes: 0 },
        after: after === undefined ? undefined : tenantLinkKey(named, after),
      }),
    ]);
    if (user === undefined) return undefined;
    return {
      user: User.parse(user),
      schemaNames: page.items.map((item) => TenantLink.parse(item).schemaName),
      next: page.next?.sk.slice(tenantLinkPrefix.length),
    };
  },

  /** How many tenants a user has: a read unit for every 25 of them. */
  countTenants: (named: { applicationId: string; email: string }): Promise<number> =>
    countItems(table, linksOf(named)),

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
