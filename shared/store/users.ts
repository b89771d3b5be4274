// Users: found by application and address, or by application and id.

import * as z from 'zod/mini';
import { type Key, passwordKey, tenantLinkPrefix, userIdKey, userKey } from './keys.ts';
import type { MigrationStep } from './migration-step.ts';
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

export type Users = ReturnType<typeof openUsers>;

export const openUsers = (table: Table) => ({
  find: async (named: { applicationId: string; email: string }): Promise<User | undefined> => {
    const item = await table.get(userKey(named));
    return item && User.parse(item);
  },

  /** The user and the schema names of its tenants, in one query. */
  findWithTenants: async (named: {
    applicationId: string;
    email: string;
  }): Promise<{ user: User; schemaNames: string[] } | undefined> => {
    const { pk, sk } = userKey(named);
    const items = await table.query({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :links AND :user',
      ExpressionAttributeValues: { ':pk': pk, ':links': tenantLinkPrefix, ':user': sk },
    });
    const user = items.find((item) => (item as Key).sk === sk);
    if (user === undefined) return undefined;
    return {
      user: User.parse(user),
      schemaNames: items
        .filter((item) => item !== user)
        .map((item) => TenantLink.parse(item).schemaName),
    };
  },

  /**
   * Records a new user, or finds the one that was there first. The password's hash is in a
   * partition of its own, which no read touches.
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

/** A password of format 3, in the partition of its user. */
const PasswordInFormat3 = z.object({
  pk: z.string().check(z.regex(/^APP#[^#]+#USER#./)),
  sk: z.literal('PASSWORD'),
  passwordHash: z.string(),
});

/** From format 3 to 4: moves passwords out of the partitions of users. */
export const movePasswords: MigrationStep = {
  name: 'passwords in partitions of their own',
  start: () => ({
    convert: (item) => {
      const found = PasswordInFormat3.safeParse(item).data;
      if (found === undefined) return [];
      const { pk, sk, passwordHash } = found;
      const [, applicationId = '', , ...address] = pk.split('#');
      const values = { ':hash': passwordHash };
      return [
        {
          update: passwordKey({ applicationId, email: address.join('#') }),
          expression: 'SET passwordHash = if_not_exists(passwordHash, :hash)',
          values,
        },
        { delete: { pk, sk }, condition: 'passwordHash = :hash', values },
      ];
    },
  }),
};
