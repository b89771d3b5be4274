// Users, by application and email address or by application and user id.

import * as z from 'zod/mini';
import { secondsOf } from '../table/expiry.ts';
import { updateAction } from '../table/field-updates.ts';
import { passwordKey, tenantLinkKey, tenantLinkPrefix, userIdKey, userKey } from '../table/keys.ts';
import type { MigrationStep } from '../table/migration-step.ts';
import { countItems, readPage } from '../table/pages.ts';
import { retryOnContention } from '../table/retry.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import { ifNotExists, type Table } from '../table/table.ts';
import { UserIdItem } from '../tenants/tenant-links.store.ts';
import { Tenant } from '../tenants/tenants.ts';
import { User } from './users.ts';

/** A link to a tenant. The link to an unconfirmed tenant contains the tenant and an expiry. */
const TenantLink = z.object({
  schemaName: z.string(),
  pendingTenant: z.optional(Tenant),
  expiresAt: z.optional(z.int()),
});

const linksOf = (named: { applicationId: string; email: string }) =>
  prefixRange(userKey(named).pk, tenantLinkPrefix);

/** How many expired links a page can skip. DynamoDB deletes expired items days late. */
const expiredLinks = { items: 100, bytes: 50_000 };

export type Users = ReturnType<typeof openUsers>;

export const openUsers = (table: Table) => ({
  find: async (named: { applicationId: string; email: string }): Promise<User | undefined> => {
    const item = await table.get(userKey(named));
    return item && User.parse(item);
  },

  /** Two calls, and two more if the user gets another address between them. */
  findById: async (named: { applicationId: string; userId: string }): Promise<User | undefined> => {
    const { applicationId, userId } = named;
    const { user } = await retryOnContention(async () => {
      const pointer = await table.get(userIdKey(named));
      if (pointer === undefined) return { user: undefined };
      const { email } = UserIdItem.parse(pointer);
      if (email === undefined) return { user: undefined };
      const item = await table.get(userKey({ applicationId, email }));
      const found = item && User.parse(item);
      return found?.userId === userId ? { user: found } : undefined;
    });
    return user;
  },

  /** A user with a page of its tenants, pending tenants included, sorted by schema name. */
  findWithTenants: async (
    named: { applicationId: string; email: string },
    { limit, after, now }: { limit: number; after?: string | undefined; now: Date },
  ): Promise<
    | { user: User; schemaNames: string[]; pendingTenants: Tenant[]; next: string | undefined }
    | undefined
  > => {
    const seconds = secondsOf(now);
    const [user, page] = await Promise.all([
      table.get(userKey(named)),
      readPage(table, linksOf(named), {
        limit,
        bounds: expiredLinks,
        after: after === undefined ? undefined : tenantLinkKey(named, after),
        wanted: (item) => Number(item.expiresAt ?? Number.POSITIVE_INFINITY) > seconds,
      }),
    ]);
    if (user === undefined) return undefined;
    const links = page.items.map((item) => TenantLink.parse(item));
    return {
      user: User.parse(user),
      schemaNames: links.filter((it) => !it.pendingTenant).map(({ schemaName }) => schemaName),
      pendingTenants: links.flatMap(({ pendingTenant }) => pendingTenant ?? []),
      next: page.next?.sk.slice(tenantLinkPrefix.length),
    };
  },

  /** Counts a user's tenants. Costs one read unit per 25 tenants. */
  countTenants: (named: { applicationId: string; email: string }, now: Date): Promise<number> => {
    const { ExpressionAttributeValues: values, ...links } = linksOf(named);
    return countItems(table, {
      ...links,
      FilterExpression: 'attribute_not_exists(expiresAt) OR expiresAt > :now',
      ExpressionAttributeValues: { ...values, ':now': secondsOf(now) },
    });
  },

  /**
   * Records a new user, or returns the existing user. The password hash has its own partition,
   * which no function reads.
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
      // Only the id was taken (probability 2^-53), so try another id.
    }
  },
});

/** A password in format 3, which stored it in the user's partition. */
const PasswordInFormat3 = z.object({
  pk: z.string().check(z.regex(/^APP#[^#]+#USER#./)),
  sk: z.literal('PASSWORD'),
  passwordHash: z.string(),
});

/** Migrates format 3 to 4: moves passwords out of the users' partitions. */
export const movePasswords: MigrationStep = {
  name: 'passwords in partitions of their own',
  start: () => ({
    convert: (item) => {
      const password = PasswordInFormat3.safeParse(item).data;
      if (password === undefined) return [];
      const { pk, sk, passwordHash } = password;
      const [, applicationId = '', , ...address] = pk.split('#');
      const key = passwordKey({ applicationId, email: address.join('#') });
      return [
        updateAction(key, { initial: { passwordHash } }),
        {
          delete: { pk, sk },
          condition: 'passwordHash = :hash',
          values: { ':hash': passwordHash },
        },
      ];
    },
  }),
};

/** A random positive integer of at most 53 bits, because JSON parsers represent it exactly. */
export const newUserId = (random: (bytes: number) => Buffer): string => {
  const id = Number(random(8).readBigUInt64BE() >> 11n);
  return String(id === 0 ? 1 : id);
};
