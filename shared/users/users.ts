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
