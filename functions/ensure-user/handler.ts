// Returns a user of the calling application, or creates it.

import { type ApiReply, createApiHandler } from '#shared/endpoint/api.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import type { Users } from '#shared/users/users.store.ts';
import type { User } from '#shared/users/users.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  users: Users;
  clock: () => Date;
  newUserId: () => string;
  hashPassword: (password: string) => Promise<string>;
};

const replyWith = (user: User, created: boolean): ApiReply<Data> => ({
  data: { user_id: user.userId, email: user.email, created },
});

export const createHandler = (dependencies: Dependencies) => {
  const { users, clock, newUserId, hashPassword, ...telemetry } = dependencies;
  return createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        // Most calls find an existing user, so the slow hash is computed only if there is none.
        const existing = await users.find({ applicationId, email: input.email });
        if (existing) return replyWith(existing, false);
        const { user, created } = await users.record(
          {
            applicationId,
            email: input.email,
            firstName: input.first_name,
            lastName: input.last_name,
            createdAt: clock().toISOString(),
          },
          { passwordHash: await hashPassword(input.password), newUserId },
        );
        return replyWith(user, created);
      },
    },
    telemetry,
  );
};
