// A user in a reply.

import * as z from 'zod/mini';

export const userIdView = z.string().check(
  z.meta({
    pattern: '^[1-9]\\d{0,15}$',
    description: 'Id of the user: an integer of at most 53 bits, as decimal digits.',
  }),
);

export const userFields = {
  user_id: userIdView,
  email: z.string().check(z.describe('Email address, as first registered.')),
};
