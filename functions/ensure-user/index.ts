// Entry point of ensure-user.

import { randomBytes } from 'node:crypto';
import { openApi } from '#shared/endpoint/api.container.ts';
import { hashPassword } from '#shared/users/passwords.ts';
import { newUserId, openUsers } from '#shared/users/users.store.ts';
import { createHandler } from './handler.ts';

const api = openApi('ensure-user', {});

export const handler = createHandler({
  ...api,
  users: openUsers(api.table),
  newUserId: () => newUserId(randomBytes),
  hashPassword: (password) => hashPassword(password, randomBytes),
});
