// The contract for users: one for an application and an address, with an id that never changes.

import type { RawItem } from '../../support/readers/item-kinds.ts';
import { unless } from '../../support/readers/violations.ts';
import { type Answer, mayHaveWritten, type Operation, type RequestOf } from '../requests.ts';

type Ensure = Operation<RequestOf<'ensure'>>;

/** A user that has been seen, and the moment from which on it must be there. */
type Known = { userId: string; email: string; since: number };

type User = { applicationId: string; email: string };

const nameOf = (user: User): string => `${user.applicationId} ${user.email.toLowerCase()}`;

export const openUsersModel = () => {
  const attempts = new Map<string, Ensure[]>();
  const known = new Map<string, Known>();

  /** The operation that drew this user id. */
  const makerOf = (name: string, userId: unknown): Ensure | undefined =>
    attempts.get(name)?.find((it) => it.drawn.has(String(userId)) && mayHaveWritten(it));

  /** Records a user that a reply showed. */
  const observe = (
    user: User,
    { userId, email, moment }: { userId: unknown; email: unknown; moment: number },
  ): string[] => {
    const name = nameOf(user);
    const maker = makerOf(name, userId);
    const before = known.get(name);
    if (maker === undefined) return [`user ${userId} is nobody's`];
    if (before === undefined) {
      known.set(name, { userId: String(userId), email: maker.request.email, since: moment });
    }
    const { userId: expectedId, email: expectedEmail } = known.get(name) ?? {};
    return [
      ...unless(userId === expectedId, `user ${userId} was ${expectedId} before`),
      ...unless(email === expectedEmail, `the address is ${email}, and was ${expectedEmail}`),
    ];
  };

  return {
    begin: (operation: Ensure): void => {
      const name = nameOf(operation.request);
      attempts.set(name, [...(attempts.get(name) ?? []), operation]);
    },

    check: (operation: Ensure, { data = {} }: Answer): string[] => {
      const { user_id: userId, email, created, ...more } = data;
      const isMaker = operation.drawn.has(String(userId));
      return [
        ...observe(operation.request, { userId, email, moment: operation.endedAt }),
        ...unless(Object.keys(more).length === 0, `shows more: ${Object.keys(more)}`),
        ...unless(created === isMaker, `created is ${created}, and must be ${isMaker}`),
      ];
    },

    observe,

    /** Whether the user must have been there before an operation began. */
    isCertain: (user: User, { startedAt }: Operation): boolean =>
      (known.get(nameOf(user))?.since ?? Number.POSITIVE_INFINITY) < startedAt,

    emailOf: ({ applicationId, userId }: { applicationId: string; userId: string }) =>
      [...known].find(
        ([name, it]) => it.userId === userId && name.startsWith(`${applicationId} `),
      )?.[1].email,

    /** The id of a user by its address, if it has been seen. */
    idOf: (user: User): string | undefined => known.get(nameOf(user))?.userId,

    /** The ids of an application's users that have been seen. */
    idsOf: (applicationId: string): string[] =>
      [...known].flatMap(([name, { userId }]) =>
        name.startsWith(`${applicationId} `) ? [userId] : [],
      ),

    /** Compares the users in the table with the requests. */
    compare: (items: readonly RawItem[]): string[] => {
      const users = items.filter(({ sk }) => sk === 'USER');
      const there = new Map(
        users.map(({ applicationId, email, userId }) => [
          nameOf({ applicationId: String(applicationId), email: String(email) }),
          userId,
        ]),
      );
      return [
        ...[...there].flatMap(([name, userId]) => {
          const isAsked = makerOf(name, userId) !== undefined;
          return unless(isAsked, `user ${userId} of ${name} was asked for by nobody`);
        }),
        ...[...known].flatMap(([name, { userId }]) =>
          unless(there.get(name) === userId, `user ${userId} of ${name} is lost`),
        ),
      ];
    },
  };
};
