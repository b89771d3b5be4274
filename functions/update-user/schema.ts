// What update-user accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { email, userId } from '#shared/fields.ts';
import { exampleUser, nameFields, UserView } from '#shared/users/user.view.ts';
import { maximumMovedLinks } from '#shared/users/users.ts';

export const Request = z.strictObject({
  user_id: userId,
  email: z.optional(
    email.check(z.describe('The new ASCII email address. It is trimmed; comparisons ignore case.')),
  ),
  first_name: z.optional(nameFields.first_name),
  last_name: z.optional(nameFields.last_name),
});
export type Request = z.output<typeof Request>;

export const Data = UserView;

export const documentation: EndpointDocumentation = {
  summary: 'Update user',
  description: `Changes the fields of a user that the request contains. Repeating the same values
changes nothing. The id, the password and the links to tenants stay. A change is an event,
\`user.updated\`, which has only the id.

**A new address** takes effect at once, everywhere: ensure-user and get-user-profile find the user
by the new address only, and the old address is free for another user. It is refused as
\`email_taken\` if another user of the application has it, and as \`too_many_links\` if more than
${maximumMovedLinks} tenants are linked to the user. An authorization that the user started before
has to be started again, and so has a connection that waits for confirmation.`,
  errors: ['user_not_found', 'contention'],
  examples: [
    {
      name: 'A new family name',
      request: { user_id: 4503599627370497, last_name: 'King' },
      data: { ...exampleUser, last_name: 'King' },
    },
  ],
};
