// Erases the personal data of a user.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { byKey } from '#shared/history/tenant-history.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import type { UserChangesStore } from '#shared/users/user-changes.store.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  userChanges: Pick<UserChangesStore, 'erase'>;
  clock: () => Date;
};

export const createHandler = ({ userChanges, clock, ...telemetry }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId, keyId }, input }) => {
        const userId = String(input.user_id);
        const erasedAt = await userChanges.erase(
          { applicationId, userId },
          { by: byKey(keyId), now: clock() },
        );
        return { data: { user_id: userId, erased_at: erasedAt } };
      },
    },
    telemetry,
  );
