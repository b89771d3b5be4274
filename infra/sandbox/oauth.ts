// The token and revocation endpoints (RFC 6749 and 7009).

import * as z from 'zod/mini';
import type { PlatformClients } from '#shared/platforms/registry.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import type { Consent, Consents, IssuedTokens } from './consents.ts';
import type { Dialect, TokenHolder } from './dialects/dialect.ts';
import type { FailCall } from './failures.ts';
import { parseJson, Refusal, type Reply, type Request } from './http-messages.ts';
import type { Limiter } from './limits.ts';
import type { createOpenId } from './openid.ts';

const Revocation = z.object({ token: z.string() });

type Credentials = { id: string | null; secret: string | null };

const decode = (text: string): string | null => new URLSearchParams(`text=${text}`).get('text');

/**
 * The client id and secret of a Basic header, raw and form-decoded. RFC 6749 section 2.3.1 requires
 * the encoding, but some client libraries do not do it.
 */
const readBasic = (header = ''): Credentials[] => {
  const pair = Buffer.from(header.replace(/^Basic /i, ''), 'base64').toString();
  const [id = '', ...rest] = pair.split(':');
  const secret = rest.join(':');
  return [
    { id, secret },
    { id: decode(id), secret: decode(secret) },
  ];
};

/** Intuit documents JSON but also accepts a form: npm's node-quickbooks sends one. */
const tokenToRevoke = ({ headers, body }: Request, { revocationBody }: Dialect) => {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return isForm || revocationBody === 'form'
    ? new URLSearchParams(body).get('token')
    : Revocation.safeParse(parseJson(body)).data?.token;
};

export type OAuthOptions = {
  consents: Consents;
  clients: Required<PlatformClients>;
  dialects: Readonly<Record<Slot, Dialect>>;
  failCall: FailCall;
  clock: () => Date;
  /** The redirect URIs that each slot's client may name. Without this, it may name any. */
  redirectUris?: ((slot: Slot) => readonly string[]) | undefined;
  limiter: Limiter;
  openId: ReturnType<typeof createOpenId>;
};

/** The holder of a consent's tokens; `undefined` if no company is left. */
export const holderOf = (
  { slot, id, user, companyIds, scope }: Consent,
  clients: Required<PlatformClients>,
): TokenHolder | undefined => {
  const company = companiesOf[slot].find((one) => companyIds.includes(one.id));
  const { client_id: clientId } = clients[slot];
  return company && { clientId, user, consentId: id, scopes: scope.split(' '), company };
};

export const createTokenEndpoints = (options: OAuthOptions) => {
  const { consents, clients, dialects, failCall, limiter, openId } = options;

  const isFromClient = ({ slot, headers, body }: Request): boolean => {
    const { client_id, client_secret } = clients[slot];
    const form = new URLSearchParams(body);
    const inForm = { id: form.get('client_id'), secret: form.get('client_secret') };
    return dialects[slot].clientAuthentication
      .flatMap((method) => (method === 'basic' ? readBasic(headers.authorization) : [inForm]))
      .some(({ id, secret }) => id === client_id && secret === client_secret);
  };

  /** The reply for the consent of a code or refresh token (RFC 6749 sections 5.1 and 5.2). */
  const issueTokens = async (
    { slot, host, headers }: Request,
    {
      consent,
      issue,
    }: { consent: Consent | undefined; issue: (consent: Consent) => IssuedTokens | undefined },
  ): Promise<Reply> => {
    const dialect = dialects[slot];
    const invalidGrant = new Refusal(dialect.tokenError('invalid_grant'));
    const holder = consent && holderOf(consent, clients);
    if (!consent || !holder) throw invalidGrant;
    if (dialect.isHomeOf && !dialect.isHomeOf(holder.company, host)) throw invalidGrant;
    await failCall(dialect, consent.failure);
    const tokens = issue(consent);
    if (tokens === undefined) throw invalidGrant;
    const requested = holder.scopes.includes('openid') ? dialect.openId : null;
    const reply = {
      token_type: 'Bearer',
      scope: consent.scope,
      ...tokens,
      ...(requested && { id_token: openId.idToken(requested, holder) }),
      ...dialect.tokenReplyExtras?.(holder.company, headers),
    };
    return { status: 200, json: reply };
  };

  const redeemCode = (request: Request, form: URLSearchParams): Promise<Reply> | undefined => {
    const [code, redirectUri] = [form.get('code'), form.get('redirect_uri')];
    const codeVerifier = form.get('code_verifier');
    if (code === null || redirectUri === null) return undefined;
    return issueTokens(request, {
      consent: consents.findByCode(request.slot, code),
      issue: (consent) => consents.redeemCode(consent, { redirectUri, codeVerifier }),
    });
  };

  const refresh = (request: Request, form: URLSearchParams): Promise<Reply> | undefined => {
    const { slot } = request;
    const { tooManyTokens, limits } = dialects[slot];
    const token = form.get('refresh_token');
    if (token === null) return undefined;
    const consent = consents.findByToken(slot, { token, kinds: ['refreshTokens'] });
    const isAllowed = consent === undefined || limiter.takeToken(consent.id, limits);
    if (tooManyTokens && !isAllowed) throw new Refusal(tooManyTokens);
    return issueTokens(request, { consent, issue: (it) => consents.refresh(it, token) });
  };

  return {
    token: async (request: Request): Promise<Reply> => {
      const { slot, body } = request;
      const { tokenError } = dialects[slot];
      if (!isFromClient(request)) return tokenError('invalid_client');
      const form = new URLSearchParams(body);
      const invalidRequest = tokenError('invalid_request');
      const type = form.get('grant_type');
      if (type === 'authorization_code') return redeemCode(request, form) ?? invalidRequest;
      if (type === 'refresh_token') return refresh(request, form) ?? invalidRequest;
      return type === null ? invalidRequest : tokenError('unsupported_grant_type');
    },

    /**
     * Ends all tokens of the token's consent: "remove all a user's connections" (xero-python,
     * revoke_token). An invalid token is no error (RFC 7009 section 2.2).
     */
    revoke: async (request: Request): Promise<Reply> => {
      const { slot } = request;
      const dialect = dialects[slot];
      // A platform without a Basic header does not authenticate the client here.
      const needsClient = dialect.clientAuthentication.includes('basic');
      if (needsClient && !isFromClient(request)) return dialect.tokenError('invalid_client');
      const token = tokenToRevoke(request, dialect);
      if (!token) return dialect.tokenError('invalid_request');
      const consent = consents.findByToken(slot, { token });
      if (consent) {
        await failCall(dialect, consent.failure);
        consents.end(consent);
      }
      return { status: 200, json: {} };
    },
  };
};
