// OpenID Connect, as far as the platforms' own clients ask for it: discovery documents, keys,
// signed tokens, and particulars of a user who is made up.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Dialect, OpenId, TokenHolder } from './dialects/dialect.ts';
import type { Reply, Request } from './http-messages.ts';

const keyId = 'sandbox';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** One pair of keys for as long as the sandbox runs, made when it is first needed. */
const openSigner = () => {
  let pair: { privateKey: KeyObject; publicKey: KeyObject } | undefined;
  const keys = () => {
    pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
    return pair;
  };
  return {
    /** RFC 7515 section 7.1. */
    signToken: (claims: object): string => {
      const text = `${encode({ alg: 'RS256', kid: keyId, typ: 'JWT' })}.${encode(claims)}`;
      const signature = sign('sha256', Buffer.from(text), keys().privateKey);
      return `${text}.${signature.toString('base64url')}`;
    },
    keySet: () => ({
      keys: [
        { ...keys().publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' },
      ],
    }),
  };
};

const particularsOf = (user: string) => ({
  sub: user,
  email: `${user}@example.com`,
  email_verified: true,
  given_name: 'Demo',
  family_name: 'User',
});

/** As the platform states them: whoever leads a client's calls here leads those here, too. */
const urlOf = (place: string | undefined): string => `https://${place}`;

const discoveryReply = (openId: OpenId, { dialect, user }: { dialect: Dialect; user: string }) => {
  const { endpoints, scopes, clientAuthentication } = dialect;
  return {
    issuer: openId.issuer,
    authorization_endpoint: urlOf(endpoints.authorize[0]),
    token_endpoint: urlOf(endpoints.token[0]),
    userinfo_endpoint: urlOf(user),
    revocation_endpoint: urlOf(endpoints.revoke[0]),
    jwks_uri: urlOf(openId.keys),
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email', ...scopes],
    token_endpoint_auth_methods_supported: clientAuthentication.map((way) =>
      way === 'basic' ? 'client_secret_basic' : 'client_secret_post',
    ),
  };
};

export const createOpenId = ({ clock }: { clock: () => Date }) => {
  const { signToken, keySet } = openSigner();
  const seconds = (): number => Math.floor(clock().getTime() / 1000);

  return {
    signToken,

    /** What is answered to anybody; `undefined` for what is none of OpenID's. */
    answer: (request: Request, dialect: Dialect): Reply | undefined => {
      const place = `${request.host}${request.path}`.replace(/\/$/, '');
      const { openId } = dialect;
      if (openId === null) return undefined;
      const user = openId.discovery[place];
      if (user !== undefined) {
        return { status: 200, json: discoveryReply(openId, { dialect, user }) };
      }
      return place === openId.keys ? { status: 200, json: keySet() } : undefined;
    },

    isUserInfo: ({ openId }: Dialect, place: string): boolean =>
      Object.values(openId?.discovery ?? {}).includes(place),

    userInfo: (user: string): Reply => ({ status: 200, json: particularsOf(user) }),

    /** OpenID Connect Core 1.0 section 2, for who asked for it. */
    idToken: (
      { issuer, idTokenClaims }: OpenId,
      holder: TokenHolder & { nonce: string | null },
    ): string =>
      signToken({
        iss: issuer,
        aud: holder.clientId,
        iat: seconds(),
        nbf: seconds(),
        exp: seconds() + 300,
        auth_time: seconds(),
        ...(holder.nonce !== null && { nonce: holder.nonce }),
        ...particularsOf(holder.user),
        ...idTokenClaims(holder),
      }),
  };
};
