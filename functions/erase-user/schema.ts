// What erase-user accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { userId } from '#shared/fields.ts';
import { exampleLeaver, userIdView } from '#shared/users/user.view.ts';

export const Request = z.strictObject({ user_id: userId });

export const Data = z.object({
  user_id: userIdView,
  erased_at: z.string().check(
    z.meta({
      format: 'date-time',
      description: 'When the user was erased (UTC). A repeated request returns the same time.',
    }),
  ),
});
z.globalRegistry.add(Data, { id: 'ErasedUser', description: 'The id of an erased user.' });

export const documentation: EndpointDocumentation = {
  summary: 'Erase user',
  description: `Deletes the personal data of a user for ever: its names, its email address, its
password hash and its links to tenants. There is no way back. The address is free for a new user,
which gets another id. All other requests answer the old id with \`user_not_found\`; a repeated
erasure answers as the first. The erasure is an event, \`user.erased\`, which has only the id.

**What stays.** The books of its tenants do not change, and their scheduled entries post: they
belong to the companies, which have to keep them. An entry names its user by \`user_id\` only.
Texts that your application wrote into memos, descriptions and metadata stay as they are; they are
part of what was recorded, so do not write personal data into them. The address can stay for up to
an hour in an authorization that the user has started, for some days in data that waits to be
deleted, and for up to 35 days in backups. To close the connection of a tenant, call
disconnect-tenant.`,
  errors: ['user_not_found', 'contention'],
  examples: [
    {
      name: 'A user who left',
      request: { user_id: Number(exampleLeaver.user_id) },
      data: { ...exampleLeaver, erased_at: '2026-03-24T12:00:00.000Z' },
    },
  ],
};
