// Changes the names and the address of a user.

import { changesIn, problemsOfNoChange } from '#shared/changes.ts';
import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { problem, throwIfProblems } from '#shared/errors.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { viewOf } from '#shared/users/user.view.ts';
import type { UserChangesStore } from '#shared/users/user-changes.store.ts';
import { changeableUserFields } from '#shared/users/users.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  userChanges: Pick<UserChangesStore, 'change' | 'exists'>;
  clock: () => Date;
};

const changesOf = (input: Partial<Request>) =>
  changesIn({ email: input.email, firstName: input.first_name, lastName: input.last_name });

export const createHandler = ({ userChanges, clock, ...telemetry }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const changes = changesOf(input);
        throwIfProblems(problemsOfNoChange(changes, changeableUserFields));
        const name = { applicationId, userId: String(input.user_id) };
        return { data: viewOf(await userChanges.change(name, { changes, now: clock() })) };
      },
      storeProblems: async ({ caller: { applicationId }, input }) => {
        const { user_id: userId } = validFieldsOf(Request, input);
        const isMissing =
          userId !== undefined &&
          !(await userChanges.exists({ applicationId, userId: String(userId) }));
        return [
          ...(isMissing ? [problem('user_not_found', '/user_id')] : []),
          ...problemsOfNoChange(changesOf(Object(input) as Partial<Request>), changeableUserFields),
        ];
      },
    },
    telemetry,
  );
