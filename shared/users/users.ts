// A user of an application.

import * as z from 'zod/mini';

/** `email` is the address in the case of its registration. */
export const User = z.object({
  applicationId: z.string(),
  userId: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  createdAt: z.string(),
});
export type User = z.infer<typeof User>;

export type UserChanges = { [Field in 'email' | 'firstName' | 'lastName']?: string };

/** The names of the changeable fields in requests. */
export const changeableUserFields = ['email', 'first_name', 'last_name'] as const;

/**
 * The number of links that one transaction can move with the user. Moving takes two actions for
 * each link, and five for the user, its id and its password.
 */
export const maximumMovedLinks = 45;
