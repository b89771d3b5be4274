// Entry point of get-user.

import { openApi } from '#shared/endpoint/api.container.ts';
import { openUsers } from '#shared/users/users.store.ts';
import { createHandler } from './handler.ts';

const api = openApi('get-user', {});

export const handler = createHandler({ ...api, users: openUsers(api.table) });
