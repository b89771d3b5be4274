// The sandbox platform's authorization server: consent, codes and tokens (RFC 6749).

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { PlatformClients } from '#shared/platforms/registry.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import { type FailCall, Failure } from './failures.ts';
import { consentPage, problemPage } from './pages.ts';
import type { Reply, Request } from './replies.ts';
import type { Grants, IssuedTokens } from './state.ts';

const scopes = ['offline_access', 'accounting.read'];
const consentMinutes = 10;

/** A consent page that was shown and not answered yet. */
type OpenConsent = { slot: Slot; redirectUri: string; state: string | null; endsAt: number };

const ConsentForm = z.object({
  consent: z.string(),
  decision: z.enum(['approve', 'deny']),
  company: z.optional(z.string()),
  failure: z._default(Failure, 'none'),
});

const isRedirectUri = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && !text.includes('#');

/** What is wrong with a request whose client and redirect URI are known (section 4.1.2.1). */
const authorizationError = (query: URLSearchParams): string | undefined => {
  const responseType = query.get('response_type');
  if (responseType === null) return 'invalid_request';
  if (responseType !== 'code') return 'unsupported_response_type';
  const asked = query.get('scope')?.split(' ') ?? [];
  const known = asked.length > 0 && asked.every((scope) => scopes.includes(scope));
  return known ? undefined : 'invalid_scope';
};

/** Back to the client, which keeps what its redirect URI's query had (section 3.1.2). */
const redirect = (
  { redirectUri, state }: Pick<OpenConsent, 'redirectUri' | 'state'>,
  outcome: { code: string } | { error: string },
): Reply => {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...outcome, ...(state !== null && { state }) })) {
    url.searchParams.append(name, value);
  }
  return { redirectTo: url.href };
};

/** Section 5.2. */
const tokenError = (error: string, status = 400): Reply => ({
  status,
  json: { error },
  ...(status === 401 && { headers: { 'WWW-Authenticate': 'Basic realm="sandbox"' } }),
});

const tokenReply = (tokens: IssuedTokens | undefined): Reply =>
  tokens === undefined
    ? tokenError('invalid_grant')
    : { status: 200, json: { token_type: 'Bearer', scope: scopes.join(' '), ...tokens } };

/** A client's id and secret from its Basic header, form-encoded each (section 2.3.1). */
const readBasic = (header = ''): { id: string; secret: string } | undefined => {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header)?.[1];
  const pair = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = pair.indexOf(':');
  if (colon < 0) return undefined;
  const decode = (text: string) => new URLSearchParams(`text=${text}`).get('text') ?? '';
  return { id: decode(pair.slice(0, colon)), secret: decode(pair.slice(colon + 1)) };
};

export const createOAuth = ({
  grants,
  clients,
  failCall,
  clock,
}: {
  grants: Grants;
  clients: Required<PlatformClients>;
  failCall: FailCall;
  clock: () => Date;
}) => {
  const openConsents = new Map<string, OpenConsent>();

  const openConsent = (consent: Omit<OpenConsent, 'endsAt'>): string => {
    const now = clock().getTime();
    for (const [id, { endsAt }] of openConsents) if (endsAt <= now) openConsents.delete(id);
    const consentId = randomBytes(16).toString('base64url');
    openConsents.set(consentId, { ...consent, endsAt: now + consentMinutes * 60_000 });
    return consentId;
  };

  const tokensForCode = async (slot: Slot, form: URLSearchParams): Promise<Reply> => {
    const [code, redirectUri] = [form.get('code'), form.get('redirect_uri')];
    if (code === null || redirectUri === null) return tokenError('invalid_request');
    const grant = grants.findByCode(slot, code);
    if (grant === undefined) return tokenError('invalid_grant');
    const failure = await failCall(grant.failure);
    return failure ?? tokenReply(grants.redeemCode(grant, redirectUri));
  };

  const tokensForRefreshToken = async (slot: Slot, form: URLSearchParams): Promise<Reply> => {
    const refreshToken = form.get('refresh_token');
    if (refreshToken === null) return tokenError('invalid_request');
    const grant = grants.findByRefreshToken(slot, refreshToken);
    if (grant === undefined) return tokenError('invalid_grant');
    const failure = await failCall(grant.failure);
    return failure ?? tokenReply(grants.refresh(grant, refreshToken));
  };

  return {
    /** Asks for consent. A request that is not surely the client's never leads to a redirect. */
    authorize: ({ slot, query }: Request): Reply => {
      const clientId = query.get('client_id') ?? '';
      const redirectUri = query.get('redirect_uri') ?? '';
      if (clientId !== clients[slot].client_id || !isRedirectUri(redirectUri)) {
        const text =
          'The link that brought you here has a client_id that is not registered, or a ' +
          'redirect_uri that is not an http(s) address without a fragment.';
        return { status: 400, page: problemPage('This request cannot be trusted', text) };
      }
      const state = query.get('state');
      const error = authorizationError(query);
      if (error !== undefined) return redirect({ redirectUri, state }, { error });
      const consentId = openConsent({ slot, redirectUri, state });
      return { status: 200, page: consentPage({ slot, consentId, clientId, redirectUri }) };
    },

    /** Takes the consent page's form, once. */
    consent: ({ slot, body }: Request): Reply => {
      const form = ConsentForm.safeParse(Object.fromEntries(new URLSearchParams(body))).data;
      const open = openConsents.get(form?.consent ?? '');
      const companies = companiesOf[slot];
      const company = companies.find(({ id }) => id === (form?.company ?? companies[0]?.id));
      const isOpen = open?.slot === slot && clock().getTime() < open.endsAt;
      if (form === undefined || open === undefined || !isOpen || company === undefined) {
        const text = 'It was answered before, is too old, or was not filled in. Start again.';
        return { status: 400, page: problemPage('This form is not valid any more', text) };
      }
      openConsents.delete(form.consent);
      if (form.decision === 'deny') return redirect(open, { error: 'access_denied' });
      const consent = { slot, companyId: company.id, failure: form.failure };
      return redirect(open, { code: grants.consent(consent, open.redirectUri) });
    },

    token: async ({ slot, headers, body }: Request): Promise<Reply> => {
      const client = readBasic(headers.authorization);
      const { client_id: id, client_secret: secret } = clients[slot];
      if (client?.id !== id || client.secret !== secret) return tokenError('invalid_client', 401);
      const form = new URLSearchParams(body);
      const grantType = form.get('grant_type');
      if (grantType === null) return tokenError('invalid_request');
      if (grantType === 'authorization_code') return tokensForCode(slot, form);
      if (grantType === 'refresh_token') return tokensForRefreshToken(slot, form);
      return tokenError('unsupported_grant_type');
    },
  };
};
