// What get-user accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { exactlyOneOf } from '#shared/field-relations.ts';
import { email, userId } from '#shared/fields.ts';
import { exampleUser, UserView } from '#shared/users/user.view.ts';

export const Request = z
  .strictObject({
    user_id: z.optional(userId),
    email: z.optional(
      email.check(z.describe('Email address of the user. It is trimmed; comparisons ignore case.')),
    ),
  })
  .check(exactlyOneOf(['user_id', 'email'] as const));

export const Data = UserView;

export const documentation: EndpointDocumentation = {
  summary: 'Get user',
  description: `Returns one user. Name it by exactly one of \`user_id\` and \`email\`; other
requests are refused with the problem \`exactly_one_of\`. Get-user-profile also lists its tenants.`,
  errors: ['user_not_found'],
  examples: [
    { name: 'A user by id', request: { user_id: exampleUser.user_id }, data: exampleUser },
  ],
};
