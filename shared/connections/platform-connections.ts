// A tenant's connection to its accounting platform: the company and the tokens.

import * as z from 'zod/mini';

/** `expiresAt` is when the access token expires (ISO 8601). */
export const ConnectionTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresAt: z.string(),
});
export type ConnectionTokens = z.infer<typeof ConnectionTokens>;

/** A company on a platform, and the data center for platforms that have several. */
export const ConnectedCompany = z.object({
  adapter: z.string(),
  companyId: z.string(),
  dataCenter: z._default(z.nullable(z.string()), null),
});
export type ConnectedCompany = z.infer<typeof ConnectedCompany>;

/** A connection with decrypted tokens. `version` is the optimistic lock of the tokens. */
export type Connection = ConnectedCompany & { tokens: ConnectionTokens; version: number };
