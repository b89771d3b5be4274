// Entry point of erase-user.

import * as z from 'zod/mini';
import { openApi } from '#shared/endpoint/api.container.ts';
import { openUserChanges } from '#shared/users/user-changes.store.ts';
import { createHandler } from './handler.ts';

const api = openApi('erase-user', { AUTHENTICATOR_SECRET: z.string() });

export const handler = createHandler({ ...api, userChanges: openUserChanges(api.table) });
