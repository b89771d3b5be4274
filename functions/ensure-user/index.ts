// Entry point of ensure-user.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { hashPassword } from '#shared/domain/passwords.ts';
import { newUserId } from '#shared/domain/user-ids.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openTable } from '#shared/store/table.ts';
import { openUsers } from '#shared/store/users.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME } = readEnvironment({ TABLE_NAME: z.string() });

export const handler = createHandler({
  users: openUsers(openTable(TABLE_NAME)),
  clock: () => new Date(),
  newUserId: () => newUserId(randomBytes),
  hashPassword: (password) => hashPassword(password, randomBytes),
  ...openObservability('ensure-user'),
});
