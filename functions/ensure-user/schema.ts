// What ensure-user accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { email, notBlank, notFarTooLong, printable, rule } from '#shared/fields.ts';
import { nameFields, userFields } from '#shared/users/user.view.ts';

const minimumPasswordLength = 8;
const maximumPasswordLength = 128;

const password = z.string().check(
  notFarTooLong(maximumPasswordLength),
  printable,
  notBlank(),
  rule<string>('too_short', (value) => [...value].length >= minimumPasswordLength, {
    minimum: minimumPasswordLength,
  }),
  rule<string>('too_long', (value) => [...value].length <= maximumPasswordLength, {
    maximum: maximumPasswordLength,
  }),
  z.meta({
    minLength: minimumPasswordLength,
    maxLength: maximumPasswordLength,
    writeOnly: true,
    pattern: '\\S',
    description:
      'The initial password. All characters are allowed, but at least one must be ' +
      'visible. Only its hash is stored; it is never returned.',
  }),
);

export const Request = z.strictObject({
  email: email.check(z.describe('ASCII email address. It is trimmed; comparisons ignore case.')),
  password,
  ...nameFields,
});

export const Data = z.object({
  ...userFields,
  created: z.boolean().check(z.describe('Whether this request created the user.')),
});
z.globalRegistry.add(Data, {
  id: 'EnsuredUser',
  description: 'The user, and whether the request created it.',
});
export type Data = z.output<typeof Data>;

export const documentation: EndpointDocumentation = {
  summary: 'Ensure user',
  description: `Returns the user with this email address, or creates it if the calling application
has not registered the address. You can call it at every login: an existing user does not change,
and the password is neither compared nor replaced. Addresses are trimmed; comparisons ignore case.`,
  errors: ['contention'],
  examples: [
    {
      name: 'A new user',
      request: {
        email: 'ada@example.com',
        password: 'correct horse battery staple',
        first_name: 'Ada',
        last_name: 'Lovelace',
      },
      data: { user_id: '4503599627370497', email: 'ada@example.com', created: true },
    },
  ],
};
