// Shows a user.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError } from '#shared/errors.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { viewOf } from '#shared/users/user.view.ts';
import type { Users } from '#shared/users/users.store.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & { users: Pick<Users, 'find' | 'findById'> };

export const createHandler = ({ users, ...telemetry }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input: { user_id, email } }) => {
        const user =
          email === undefined
            ? await users.findById({ applicationId, userId: String(user_id) })
            : await users.find({ applicationId, email });
        if (user === undefined) throw new ApiError('user_not_found');
        return { data: viewOf(user) };
      },
    },
    telemetry,
  );
