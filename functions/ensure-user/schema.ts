// What ensure-user accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { email, nonBlankText, notBlank, notFarTooLong, printable, rule } from '#shared/fields.ts';

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
      'The initial password, of any characters, not all of them blank or invisible. ' +
      'It is kept as a hash, never returned.',
  }),
);

export const Request = z.strictObject({
  email: email.check(
    z.meta({
      maxLength: 254,
      description: 'Email address, in ASCII. It is trimmed, and compared without regard to case.',
    }),
  ),
  password,
  first_name: nonBlankText(100, { kind: 'name' }).check(z.describe('Given name.')),
  last_name: nonBlankText(100, { kind: 'name' }).check(z.describe('Family name.')),
});
export type Request = z.output<typeof Request>;

export const Data = z.object({
  user_id: z.string().check(
    z.meta({
      pattern: '^[1-9]\\d{0,15}$',
      description: 'Id of the user: an integer of at most 53 bits, as decimal digits.',
    }),
  ),
  email: z.string().check(z.describe('The address as it was registered first.')),
  created: z.boolean().check(z.describe('Whether this request created the user.')),
});
z.globalRegistry.add(Data, { id: 'EnsuredUser', description: 'A user that is there now.' });
export type Data = z.output<typeof Data>;

export const documentation: EndpointDocumentation = {
  summary: 'Ensure user',
  description:
    'Provisions the user, creating it if the calling application has not registered this address ' +
    'before. Safe on every login: an existing user is returned unchanged, and its password is ' +
    'neither compared nor replaced. Addresses are trimmed and compared without regard to case.',
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
