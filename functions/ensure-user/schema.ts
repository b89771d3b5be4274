// What ensure-user accepts and returns.

import * as z from 'zod/mini';
import { email, nonBlankText, rule } from '#shared/domain/fields.ts';
import type { EndpointDocumentation } from '#shared/triggers/documentation.ts';

const shortestPassword = 8;
const longestPassword = 128;

const password = z.string().check(
  rule<string>('too_short', (value) => [...value].length >= shortestPassword, {
    minimum: shortestPassword,
  }),
  rule<string>('too_long', (value) => [...value].length <= longestPassword, {
    maximum: longestPassword,
  }),
  z.meta({ minLength: shortestPassword, maxLength: longestPassword, writeOnly: true }),
);

export const Request = z.strictObject({
  email,
  password,
  first_name: nonBlankText(100),
  last_name: nonBlankText(100),
});
export type Request = z.output<typeof Request>;

export const Data = z.object({
  user_id: z.string(),
  email: z.string(),
  created: z.boolean(),
});
export type Data = z.output<typeof Data>;

export const documentation: EndpointDocumentation = {
  summary: 'Ensure user',
  description:
    'Provisions the user, creating it if the calling application has not registered this address ' +
    'before. Safe on every login: an existing user is returned unchanged, and its password is ' +
    'neither compared nor replaced. Addresses are trimmed and compared without regard to case.',
  refusals: ['contention'],
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
