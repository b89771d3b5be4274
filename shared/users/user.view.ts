// A user in a reply.

import * as z from 'zod/mini';
import { nonBlankText } from '../fields.ts';
import type { User } from './users.ts';

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

/** The names of a user in requests. */
export const nameFields = {
  first_name: nonBlankText(100, { kind: 'name' }).check(z.describe('Given name.')),
  last_name: nonBlankText(100, { kind: 'name' }).check(z.describe('Family name.')),
};

/** A user without its tenants. */
export const UserView = z.object({
  ...userFields,
  first_name: z.string().check(z.describe('Given name.')),
  last_name: z.string().check(z.describe('Family name.')),
  created_at: z
    .string()
    .check(z.meta({ format: 'date-time', description: 'When the user was created (UTC).' })),
});
z.globalRegistry.add(UserView, { id: 'User', description: 'A user.' });
export type UserView = z.output<typeof UserView>;

export const viewOf = (user: User): UserView => ({
  user_id: user.userId,
  email: user.email,
  first_name: user.firstName,
  last_name: user.lastName,
  created_at: user.createdAt,
});

export const exampleUser: UserView = {
  user_id: '4503599627370497',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  created_at: '2026-03-23T09:30:00.000Z',
};

/** The example user who is erased. */
export const exampleLeaver = { user_id: '4503599627370513' };
