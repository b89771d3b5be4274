// Changes the names and the address of a user, and erases a user.

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { ApiError, problem, throwIfProblems } from '../errors.ts';
import { declaredEvents } from '../events/event-types.ts';
import { openTenantHistory } from '../history/tenant-history.store.ts';
import type { Actor, NewChange } from '../history/tenant-history.ts';
import { batchesOf } from '../table/batches.ts';
import { updateAction } from '../table/field-updates.ts';
import {
  keyOfItem,
  keyText,
  passwordKey,
  tenantLinkPrefix,
  userIdKey,
  userKey,
} from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import {
  type Action,
  type Item,
  ifExists,
  ifNotExists,
  type Table,
  transactionOf,
} from '../table/table.ts';
import { UserIdItem } from '../tenants/tenant-links.store.ts';
import { maximumMovedLinks, User, type UserChanges } from './users.ts';

/** The names of a user that no change affects. */
type UserName = { applicationId: string; userId: string };

/** A user, and the count of changes of its links. */
type StoredUser = { user: User; linkChanges: number | undefined };

const LinkChanges = z.object({ linkChanges: z.optional(z.int()) });

export type UserChangesStore = ReturnType<typeof openUserChanges>;

/** The links that an erasure ends at the same time. */
const linksAtOnce = 10;

const Link = z.object({ schemaName: z.string(), pendingTenant: z.optional(z.unknown()) });

export const openUserChanges = (table: Table) => {
  const history = openTenantHistory(table);

  /** Undefined if the user was changed between the two calls. */
  const readUser = async (name: UserName, email: string): Promise<StoredUser | undefined> => {
    const item = await table.get(userKey({ ...name, email }));
    const user = item && User.parse(item);
    return user?.userId === name.userId
      ? { user, linkChanges: LinkChanges.parse(item).linkChanges }
      : undefined;
  };

  /** @throws ApiError `user_not_found` */
  const readPointer = async (name: UserName): Promise<UserIdItem> => {
    const item = await table.get(userIdKey(name));
    if (item === undefined) throw new ApiError('user_not_found');
    return UserIdItem.parse(item);
  };

  const linksOf = (user: User) => prefixRange(userKey(user).pk, tenantLinkPrefix);

  /** Removes a user, unless its links have changed since it was read. */
  const removeAction = ({ user, linkChanges }: StoredUser): Action => ({
    delete: userKey(user),
    condition: `userId = :userId AND ${
      linkChanges === undefined ? 'attribute_not_exists(linkChanges)' : 'linkChanges = :changes'
    }`,
    values: {
      ':userId': user.userId,
      ...(linkChanges !== undefined && { ':changes': linkChanges }),
    },
  });

  /** Writes the user under its new address first, because the address may be taken. */
  const moveActions = async (stored: StoredUser, changed: User): Promise<Action[]> => {
    const { user, linkChanges } = stored;
    const [{ items: links }, password] = await Promise.all([
      table.queryPage({ ...linksOf(user), Limit: maximumMovedLinks + 1 }),
      table.get(passwordKey(user)),
    ]);
    if (links.length > maximumMovedLinks) {
      throwIfProblems([problem('too_many_links', '/email', { maximum: maximumMovedLinks })]);
    }
    // A pending tenant waits for its user under the old address, and has to be connected again.
    const moved = links.filter(({ pendingTenant }) => pendingTenant === undefined);
    const { pk } = userKey(changed);
    return [
      {
        put: { ...userKey(changed), kind: 'user', ...changed, linkChanges },
        condition: ifNotExists,
      },
      removeAction(stored),
      ...(password
        ? [
            { put: { ...password, ...passwordKey(changed) } },
            { delete: passwordKey(user), condition: ifExists },
          ]
        : []),
      ...moved.map((link) => ({ put: { ...link, pk } })),
      ...links.map((link) => ({ delete: keyOfItem(link), condition: ifExists })),
    ];
  };

  /** Ends links of a user. A tenant that was never connected has no history. */
  const endingOf =
    ({ applicationId, userId }: UserName, change: Pick<NewChange, 'at' | keyof Actor>) =>
    async (link: Item): Promise<void> => {
      const action = { delete: keyOfItem(link), condition: ifExists };
      const { schemaName, pendingTenant } = Link.parse(link);
      if (pendingTenant !== undefined) return void (await table.transact([action]));
      const what = 'user_unlinked' as const;
      await history.recordWith({ applicationId, schemaName }, [action], {
        change: { ...change, what, subject: userId, before: {}, after: {} },
      });
    };

  return {
    /** Whether the application has the user. One call. */
    exists: async (name: UserName): Promise<boolean> => {
      const item = await table.get(userIdKey(name));
      return item !== undefined && UserIdItem.parse(item).email !== undefined;
    },

    /**
     * Changes a user in one transaction, and returns it. Each change also changes the item of the
     * user's id, which declares the event.
     * @throws ApiError `user_not_found`; `validation_failed` if another user has the address, or if
     *   too many tenants are linked to the user
     */
    change: (
      name: UserName,
      { changes, now }: { changes: UserChanges; now: Date },
    ): Promise<User> =>
      retryOnContention(async () => {
        const { email } = await readPointer(name);
        if (email === undefined) throw new ApiError('user_not_found');
        const stored = await readUser(name, email);
        if (stored === undefined) return undefined;
        const { user } = stored;
        const changed = { ...user, ...changes };
        if (isDeepStrictEqual(changed, user)) return user;
        const isMoved = keyText(userKey(changed)) !== keyText(userKey(user));
        const actions = isMoved
          ? await moveActions(stored, changed)
          : [
              updateAction(userKey(user), {
                set: changes,
                expected: { userId: user.userId, email: user.email },
              }),
            ];
        const outcome = await table.tryTransact(
          transactionOf([
            ...actions,
            updateAction(userIdKey(name), {
              set: {
                email: changed.email,
                changedAt: now.toISOString(),
                ...declaredEvents('user.updated'),
              },
              expected: { email },
            }),
          ]),
        );
        if (outcome?.committed) return changed;
        if (isMoved && outcome?.failed.has(0)) {
          throwIfProblems([problem('email_taken', '/email')]);
        }
        return undefined;
      }),

    /**
     * Ends all links of a user, which the history of each tenant then has. Then deletes its names,
     * its address and its password in one transaction. The id stays, so no other user ever gets it.
     * Returns the time of the erasure, also of an earlier one.
     * @throws ApiError `user_not_found`
     */
    erase: (name: UserName, { by, now }: { by: Actor; now: Date }): Promise<string> =>
      retryOnContention(async () => {
        const { email, erasedAt } = await readPointer(name);
        if (erasedAt !== undefined) return erasedAt;
        const stored = email === undefined ? undefined : await readUser(name, email);
        if (stored === undefined) return undefined;
        const links = await table.query(linksOf(stored.user));
        const end = endingOf(name, { ...by, at: now.toISOString() });
        for (const some of batchesOf(links, linksAtOnce)) await Promise.all(some.map(end));
        const outcome = await table.tryTransact(
          transactionOf([
            removeAction(stored),
            { delete: passwordKey(stored.user) },
            updateAction(userIdKey(name), {
              set: {
                email: undefined,
                changedAt: undefined,
                erasedAt: now.toISOString(),
                ...declaredEvents('user.erased'),
              },
              expected: { email },
            }),
          ]),
        );
        return outcome?.committed ? now.toISOString() : undefined;
      }),
  };
};
