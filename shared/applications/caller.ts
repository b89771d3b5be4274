// The caller of a request: an application and one of its keys.

import * as z from 'zod/mini';

/** The access of a key never changes. */
export const keyAccesses = ['full', 'read_only'] as const;
export type KeyAccess = (typeof keyAccesses)[number];

/** The calling application and its key, from the authorizer. */
export const Caller = z.object({
  applicationId: z.string(),
  keyId: z.string(),
  access: z.enum(keyAccesses),
});
export type Caller = z.infer<typeof Caller>;
