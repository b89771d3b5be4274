// The parts of OAuth 2.0 that the adapters share.

import * as z from 'zod/mini';
import type { FailureClass } from './failure-classes.ts';
import type { AdapterOptions } from './http.ts';
import type { PlatformTokens } from './platform.ts';
import type { Reply } from './replies.ts';

/** The client id and secret are form-encoded before they are joined (RFC 6749 section 2.3.1). */
export const basicAuthorization = ({
  clientId,
  clientSecret,
}: Pick<AdapterOptions, 'clientId' | 'clientSecret'>): string => {
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
};

/**
 * The parameters of an authorization request for PKCE (RFC 7636 section 4.3). A server that does
 * not support it must ignore them (RFC 6749 section 3.1).
 */
export const pkceParameters = (codeChallenge: string) => ({
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
});

/** The URL of an authorization request (RFC 6749 section 4.1.1). */
export const authorizationUrlOf = (
  endpoint: URL,
  parameters: {
    client_id: string;
    redirect_uri: string;
    scope: string;
    state: string;
    [name: string]: string;
  },
): string => {
  const url = new URL(endpoint);
  url.search = new URLSearchParams({ response_type: 'code', ...parameters }).toString();
  return url.href;
};

/** The reply of a token endpoint (RFC 6749 section 5.1). */
export const TokenReply = z.object({
  token_type: z.string().check(z.regex(/^bearer$/i)),
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  expires_in: z.int().check(z.positive()),
});

export const tokensFrom = (
  reply: z.output<typeof TokenReply>,
  reconnectInSeconds: number | null = null,
): PlatformTokens => ({
  accessToken: reply.access_token,
  refreshToken: reply.refresh_token,
  expiresInSeconds: reply.expires_in,
  reconnectInSeconds,
});

/** The reason of a failure if the platform refuses an authorization code or a refresh token. */
export type GrantRefusal = 'code_refused' | 'credentials_refused';

/** An error reply of a token endpoint (RFC 6749 section 5.2). */
const OAuthError = z.object({
  error: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
  error_description: z.catch(z.optional(z.string()), undefined),
});

/**
 * Classifies an error reply of a token endpoint. Errors about our own client count as an
 * unavailable platform, because users cannot fix them by connecting their company again. The
 * endpoint authenticates only our client, so a plain 401 or 403 is such an error too.
 */
export const classifyOAuthError =
  (refused: GrantRefusal) =>
  ({ status, body }: Reply): FailureClass | undefined => {
    const error = OAuthError.safeParse(body).data;
    if (error === undefined) {
      return status === 401 || status === 403 ? { reason: 'platform_unavailable' } : undefined;
    }
    const { error: code, error_description: message } = error;
    if (code === 'invalid_grant') return { reason: refused, code, message };
    const isAboutUs = code === 'invalid_client' || code === 'unauthorized_client';
    return { reason: isAboutUs ? 'platform_unavailable' : undefined, code, message };
  };
