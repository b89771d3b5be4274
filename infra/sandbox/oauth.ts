// The sandbox platform's authorization server: consent, codes and tokens (RFC 6749).

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { PlatformClients } from '#shared/platforms/registry.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import type { Dialect } from './dialects/dialect.ts';
import { type CallFailureInjector, Failure } from './failure-injection.ts';
import type { Grant, Grants, IssuedTokens } from './grants.ts';
import type { Reply, Request } from './http-messages.ts';
import { consentPage, problemPage } from './pages.ts';

const consentMinutes = 10;

/** A consent page that was shown and not answered yet. */
type OpenConsent = {
  slot: Slot;
  redirectUri: string;
  state: string | null;
  scope: string;
  codeChallenge: string | null;
  endsAt: number;
};

const ConsentForm = z.object({
  consent: z.string(),
  decision: z.enum(['approve', 'deny']),
  company: z.optional(z.string()),
  failure: z._default(Failure, 'none'),
});

const Revocation = z.object({ token: z.string() });

const isRedirectUri = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && !text.includes('#');

/** What is wrong with a request whose client and redirect URI are known (section 4.1.2.1). */
const authorizationError = (
  query: URLSearchParams,
  { scopes, scopeSeparator, takesPkce }: Dialect,
): string | undefined => {
  const responseType = query.get('response_type');
  if (responseType === null) return 'invalid_request';
  if (responseType !== 'code') return 'unsupported_response_type';
  // Section 4.4.1 of RFC 7636: of the methods there is S256 only.
  const isChallenged = takesPkce && query.has('code_challenge');
  if (isChallenged && query.get('code_challenge_method') !== 'S256') return 'invalid_request';
  const asked = query.get('scope')?.split(scopeSeparator) ?? [];
  const known = asked.length > 0 && asked.every((scope) => scopes.includes(scope));
  return known ? undefined : 'invalid_scope';
};

/** Back to the client, which keeps what its redirect URI's query had (section 3.1.2). */
const redirect = (
  { redirectUri, state }: Pick<OpenConsent, 'redirectUri' | 'state'>,
  outcome: Record<string, string>,
): Reply => {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...outcome, ...(state !== null && { state }) })) {
    url.searchParams.append(name, value);
  }
  return { redirectTo: url.href };
};

/** A client's id and secret from its Basic header, form-encoded each (section 2.3.1). */
const readBasic = (header = ''): { id: string; secret: string } | undefined => {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header)?.[1];
  const pair = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = pair.indexOf(':');
  if (colon < 0) return undefined;
  const decode = (text: string) => new URLSearchParams(`text=${text}`).get('text') ?? '';
  return { id: decode(pair.slice(0, colon)), secret: decode(pair.slice(colon + 1)) };
};

/** Whether a request comes from the client, in the platform's way of proving it. */
const isFromClient = (
  { headers, body }: Request,
  { dialect, client }: { dialect: Dialect; client: { client_id: string; client_secret: string } },
): boolean => {
  const form = new URLSearchParams(body);
  const given =
    dialect.clientAuthentication === 'basic'
      ? readBasic(headers.authorization)
      : { id: form.get('client_id'), secret: form.get('client_secret') };
  return given?.id === client.client_id && given.secret === client.client_secret;
};

const tokenToRevoke = (body: string, kind: Dialect['revocationBody']): string | undefined => {
  if (kind === 'form') return new URLSearchParams(body).get('token') ?? undefined;
  try {
    return Revocation.safeParse(JSON.parse(body)).data?.token;
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
};

/** The pages on which consent is given; what follows is the token endpoints'. */
export const createConsents = ({
  grants,
  clients,
  dialects,
  clock,
  redirectUris,
}: OAuthOptions) => {
  const openConsents = new Map<string, OpenConsent>();

  const openConsent = (consent: Omit<OpenConsent, 'endsAt'>): string => {
    const now = clock().getTime();
    for (const [id, { endsAt }] of openConsents) if (endsAt <= now) openConsents.delete(id);
    const consentId = randomBytes(16).toString('base64url');
    openConsents.set(consentId, { ...consent, endsAt: now + consentMinutes * 60_000 });
    return consentId;
  };

  /** Why a browser must not be led to this redirect URI, in words for its user. */
  const untrustedReason = (slot: Slot, request: { clientId: string; redirectUri: string }) => {
    if (request.clientId !== clients[slot].client_id) return 'has a client_id that is not known.';
    if (!isRedirectUri(request.redirectUri)) {
      return 'has a redirect_uri that is not an http(s) address without a fragment.';
    }
    const isRegistered = redirectUris?.(slot).includes(request.redirectUri) ?? true;
    return isRegistered ? undefined : 'has a redirect_uri that is not registered for its client.';
  };

  return {
    /** Asks for consent. A request that is not surely the client's never leads to a redirect. */
    authorize: ({ slot, query }: Request): Reply => {
      const clientId = query.get('client_id') ?? '';
      const redirectUri = query.get('redirect_uri') ?? '';
      const reason = untrustedReason(slot, { clientId, redirectUri });
      if (reason !== undefined) {
        const text = `The link that brought you here ${reason}`;
        return { status: 400, page: problemPage('This request cannot be trusted', text) };
      }
      const state = query.get('state');
      const dialect = dialects[slot];
      const error = authorizationError(query, dialect);
      if (error !== undefined) return redirect({ redirectUri, state }, { error });
      const scope = (query.get('scope') ?? '').split(dialect.scopeSeparator).join(' ');
      const codeChallenge = dialect.takesPkce ? query.get('code_challenge') : null;
      const consentId = openConsent({ slot, redirectUri, state, scope, codeChallenge });
      const { title } = dialect;
      return { status: 200, page: consentPage({ slot, title, consentId, clientId, redirectUri }) };
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
      const { failure } = form;
      const consent = { slot, companyId: company.id, failure, scope: open.scope };
      const code = grants.consent(consent, open);
      return redirect(open, { code, ...dialects[slot].callbackParameters(company) });
    },
  };
};

/** What clients call without a browser: the token and the revocation endpoint. */
export const createTokens = ({ grants, clients, dialects, injectCallFailure }: OAuthOptions) => {
  /** Answers for the grant that a code or token belongs to (sections 5.1 and 5.2). */
  const giveTokens = async (
    { slot, headers }: Request,
    {
      grant,
      issue,
    }: { grant: Grant | undefined; issue: (grant: Grant) => IssuedTokens | undefined },
  ): Promise<Reply> => {
    const dialect = dialects[slot];
    const company = companiesOf[slot].find(({ id }) => id === grant?.companyId);
    if (grant === undefined || company === undefined) return dialect.tokenError('invalid_grant');
    const failed = await injectCallFailure(dialect, grant.failure);
    if (failed) return failed;
    const tokens = issue(grant);
    if (tokens === undefined) return dialect.tokenError('invalid_grant');
    const extras = dialect.tokenReplyExtras(company, headers);
    return {
      status: 200,
      json: { token_type: 'Bearer', scope: grant.scope, ...tokens, ...extras },
    };
  };

  return {
    token: async (request: Request): Promise<Reply> => {
      const { slot, body } = request;
      const { tokenError } = dialects[slot];
      if (!isFromClient(request, { dialect: dialects[slot], client: clients[slot] })) {
        return tokenError('invalid_client');
      }
      const form = new URLSearchParams(body);
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
        return giveTokens(request, {
          grant: grants.findByRefreshToken(slot, refreshToken),
          issue: (grant) => grants.refresh(grant, refreshToken),
        });
      }
      return tokenError(grantType === null ? 'invalid_request' : 'unsupported_grant_type');
    },

    /** Ends the token's whole grant. A token that is not good is no error (RFC 7009, 2.2). */
    revoke: async (request: Request): Promise<Reply> => {
      const { slot, body } = request;
      const dialect = dialects[slot];
      // Who has no header to prove it in is known by the token alone.
      const needsProof = dialect.clientAuthentication === 'basic';
      if (needsProof && !isFromClient(request, { dialect, client: clients[slot] })) {
        return dialect.tokenError('invalid_client');
      }
      const token = tokenToRevoke(body, dialect.revocationBody);
      if (token === undefined) return dialect.tokenError('invalid_request');
      const grant = grants.findByToken(slot, token);
      const failed = grant && (await injectCallFailure(dialect, grant.failure));
      if (failed) return failed;
      if (grant) grants.end(grant);
      return { status: 200, json: {} };
    },
  };
};
