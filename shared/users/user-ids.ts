// The ids of users. They are random, because sequential ids would reveal the number of users.

import * as z from 'zod/mini';

/** The item of a user id, with the email address for the user's own key. */
export const UserIdItem = z.object({ email: z.string() });

/** A random positive integer of at most 53 bits, because JSON parsers represent it exactly. */
export const newUserId = (random: (bytes: number) => Buffer): string => {
  const id = Number(random(8).readBigUInt64BE() >> 11n);
  return String(id === 0 ? 1 : id);
};
