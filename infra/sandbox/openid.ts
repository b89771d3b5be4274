// OpenID Connect for the platforms' own clients: discovery documents, keys and signed tokens.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Dialect, OpenId, TokenHolder } from './dialects/dialect.ts';
import type { Reply, Request } from './http-messages.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The URLs of the real platform: a client's calls to it are forwarded to the sandbox. */
const urlOf = (address: string | undefined): string => `https://${address}`;

/** OpenID Connect Core 1.0 section 9. */
const methodNames = { basic: 'client_secret_basic', form: 'client_secret_post' };

const discoveryReply = (openId: OpenId, { endpoints, clientAuthentication }: Dialect) => ({
  issuer: openId.issuer,
  authorization_endpoint: urlOf(endpoints.authorize[0]),
  token_endpoint: urlOf(endpoints.token[0]),
  userinfo_endpoint: urlOf(openId.userInfo),
  revocation_endpoint: urlOf(endpoints.revoke[0]),
  jwks_uri: urlOf(openId.keys),
  token_endpoint_auth_methods_supported: clientAuthentication.map((it) => methodNames[it]),
});

export const createOpenId = ({ clock }: { clock: () => Date }) => {
  /** One key pair per process, created on first use. */
  let pair: { privateKey: KeyObject; publicKey: KeyObject } | undefined;
  const keys = () => {
    pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
    return pair;
  };

  /** RFC 7515 section 7.1. */
  const signToken = (claims: object): string => {
    const text = `${encode({ alg: 'RS256', kid: 'sandbox', typ: 'JWT' })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(text), keys().privateKey);
    return `${text}.${signature.toString('base64url')}`;
  };

  return {
    signToken,

    /** The public documents; `undefined` for any other path. */
    answer: ({ host, path }: Request, dialect: Dialect): Reply | undefined => {
      const { openId } = dialect;
      const address = `${host}${path}`.replace(/\/$/, '');
      if (openId?.discovery.includes(address)) {
        return { status: 200, json: discoveryReply(openId, dialect) };
      }
      if (openId?.keys !== address) return undefined;
      const key = keys().publicKey.export({ format: 'jwk' });
      return {
        status: 200,
        json: { keys: [{ ...key, kid: 'sandbox', use: 'sig', alg: 'RS256' }] },
      };
    },

    /** OpenID Connect Core 1.0 section 2. */
    idToken: ({ issuer, idTokenClaims }: OpenId, holder: TokenHolder): string => {
      const now = Math.floor(clock().getTime() / 1000);
      return signToken({
        iss: issuer,
        aud: holder.clientId,
        sub: holder.user,
        iat: now,
        exp: now + 300,
        ...idTokenClaims(holder),
      });
    },
  };
};
