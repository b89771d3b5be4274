// The sandbox platform's token and revocation endpoints (RFC 6749 and 7009).

import * as z from 'zod/mini';
import type { PlatformClients } from '#shared/platforms/registry.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import type { Dialect, TokenHolder } from './dialects/dialect.ts';
import type { CallFailureInjector } from './failure-injection.ts';
import type { Grant, Grants, IssuedTokens } from './grants.ts';
import type { Reply, Request } from './http-messages.ts';
import type { Limiter } from './limits.ts';
import type { createOpenId } from './openid.ts';

const Revocation = z.object({ token: z.string() });

type Client = { client_id: string; client_secret: string };

/**
 * A client's id and secret from its Basic header, as they are and form-decoded each: section 2.3.1
 * has them encoded, which not every client library does.
 */
const readBasic = (header = ''): { id: string | null; secret: string | null }[] => {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header)?.[1];
  const pair = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = pair.indexOf(':');
  if (colon < 0) return [];
  const given = { id: pair.slice(0, colon), secret: pair.slice(colon + 1) };
  const decode = (text: string) => new URLSearchParams(`text=${text}`).get('text');
  return [given, { id: decode(given.id), secret: decode(given.secret) }];
};

/** The parameters of a request, from wherever the platform takes them. */
const parametersOf = ({ query, body }: Request, dialect: Dialect): URLSearchParams =>
  new URLSearchParams([
    ...new URLSearchParams(body),
    ...(dialect.takesQueryParameters ? query : []),
  ]);

/** Whether a request comes from the client, in one of the platform's ways of proving it. */
const isFromClient = (
  request: Request,
  { dialect, client }: { dialect: Dialect; client: Client },
): boolean => {
  const form = parametersOf(request, dialect);
  const given = dialect.clientAuthentication.flatMap((way) =>
    way === 'basic'
      ? readBasic(request.headers.authorization)
      : [{ id: form.get('client_id'), secret: form.get('client_secret') }],
  );
  return given.some(({ id, secret }) => id === client.client_id && secret === client.client_secret);
};

/** Where JSON is documented, a form is taken, too: npm's node-quickbooks sends one to Intuit. */
const tokenToRevoke = (request: Request, dialect: Dialect): string | undefined => {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  if (dialect.revocationBody === 'form' || isForm) {
    return parametersOf(request, dialect).get('token') ?? undefined;
  }
  try {
    return Revocation.safeParse(JSON.parse(request.body)).data?.token;
  } catch {
    return undefined;
  }
};

export type OAuthOptions = {
  grants: Grants;
  clients: Required<PlatformClients>;
  dialects: Readonly<Record<Slot, Dialect>>;
  injectCallFailure: CallFailureInjector;
  clock: () => Date;
  /** The only redirect URIs that each slot's client may name; without it any will do. */
  redirectUris?: ((slot: Slot) => readonly string[]) | undefined;
  limiter: Limiter;
  openId: ReturnType<typeof createOpenId>;
};

/** Who the grant's tokens are for, to be told in them. */
export const holderOf = (
  { slot, id, user, companyIds, scope }: Grant,
  clients: Required<PlatformClients>,
): TokenHolder | undefined => {
  const company = companiesOf[slot].find((one) => companyIds.includes(one.id));
  const { client_id: clientId } = clients[slot];
  return company && { clientId, user, consentId: id, scopes: scope.split(' '), company };
};

/** What clients call without a browser: the token and the revocation endpoint. */
export const createTokens = (options: OAuthOptions) => {
  const { grants, clients, dialects, injectCallFailure, limiter, openId } = options;

  /** Answers for the grant that a code or token belongs to (sections 5.1 and 5.2). */
  const giveTokens = async (
    request: Request,
    {
      grant,
      issue,
    }: { grant: Grant | undefined; issue: (grant: Grant) => IssuedTokens | undefined },
  ): Promise<Reply> => {
    const { slot, host, headers } = request;
    const dialect = dialects[slot];
    const holder = grant && holderOf(grant, clients);
    if (grant === undefined || holder === undefined || !dialect.isHomeOf(holder.company, host)) {
      return dialect.tokenError('invalid_grant');
    }
    const failed = await injectCallFailure(dialect, grant.failure);
    if (failed) return failed;
    const tokens = issue(grant);
    if (tokens === undefined) return dialect.tokenError('invalid_grant');
    const nonce = grant.code?.nonce ?? null;
    const idToken =
      dialect.openId && holder.scopes.includes('openid')
        ? { id_token: openId.idToken(dialect.openId, { ...holder, nonce }) }
        : {};
    const extras = { ...idToken, ...dialect.tokenReplyExtras(holder.company, headers) };
    return {
      status: 200,
      json: { token_type: 'Bearer', scope: grant.scope, ...tokens, ...extras },
    };
  };

  return {
    token: async (request: Request): Promise<Reply> => {
      const { slot } = request;
      const dialect = dialects[slot];
      const { tokenError } = dialect;
      if (!isFromClient(request, { dialect, client: clients[slot] })) {
        return tokenError('invalid_client');
      }
      const form = parametersOf(request, dialect);
      const grantType = form.get('grant_type');
      if (grantType === 'authorization_code') {
        const [code, redirectUri] = [form.get('code'), form.get('redirect_uri')];
        const codeVerifier = form.get('code_verifier');
        if (code === null || redirectUri === null) return tokenError('invalid_request');
        return giveTokens(request, {
          grant: grants.findByCode(slot, code),
          issue: (grant) => grants.redeemCode(grant, { redirectUri, codeVerifier }),
        });
      }
      if (grantType === 'refresh_token') {
        const refreshToken = form.get('refresh_token');
        if (refreshToken === null) return tokenError('invalid_request');
        const grant = grants.findByRefreshToken(slot, refreshToken);
        if (grant && dialect.tooManyTokens && !limiter.takeToken(grant.id, dialect.limits)) {
          return dialect.tooManyTokens;
        }
        return giveTokens(request, {
          grant,
          issue: (grant) => grants.refresh(grant, refreshToken),
        });
      }
      return tokenError(grantType === null ? 'invalid_request' : 'unsupported_grant_type');
    },

    /**
     * Ends the token's whole grant, or all of its user's where one consent adds to another:
     * "remove all a user's connections" (xero-python, revoke_token). A token that is not good
     * is no error (RFC 7009, 2.2).
     */
    revoke: async (request: Request): Promise<Reply> => {
      const { slot } = request;
      const dialect = dialects[slot];
      // Who has no header to prove it in is known by the token alone.
      const needsProof = dialect.clientAuthentication.includes('basic');
      if (needsProof && !isFromClient(request, { dialect, client: clients[slot] })) {
        return dialect.tokenError('invalid_client');
      }
      const token = tokenToRevoke(request, dialect);
      if (token === undefined) return dialect.tokenError('invalid_request');
      const grant = grants.findByToken(slot, token);
      const failed = grant && (await injectCallFailure(dialect, grant.failure));
      if (failed) return failed;
      if (grant) grants[dialect.consentTo === 'several' ? 'endUser' : 'end'](grant);
      return { status: 200, json: {} };
    },
  };
};
