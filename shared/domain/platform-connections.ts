// A tenant's connection to its accounting platform: whose company it is, and its tokens.

import * as z from 'zod/mini';

/** What a platform gave us. `expiresAt` is when the access token ends (ISO 8601). */
export const ConnectionTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresAt: z.string(),
});
export type ConnectionTokens = z.infer<typeof ConnectionTokens>;

/** Which company of which platform, at which of its data centers; `adapter` speaks to it. */
export const ConnectedCompany = z.object({
  adapter: z.string(),
  companyId: z.string(),
  dataCenter: z._default(z.nullable(z.string()), null),
});
export type ConnectedCompany = z.infer<typeof ConnectedCompany>;

/** A connection with its tokens opened. `version` guards the next change of the tokens. */
export type Connection = ConnectedCompany & { tokens: ConnectionTokens; version: number };
