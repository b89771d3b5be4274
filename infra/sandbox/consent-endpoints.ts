// The authorization endpoint with its consent page (RFC 6749 section 4.1.1), and test tokens.

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Slot } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import type { CodeTerms, ConsentTerms } from './consents.ts';
import type { DemoCompany } from './demo-company.ts';
import type { Dialect } from './dialects/dialect.ts';
import { Failure, TestTokenFailure } from './failures.ts';
import { parseJson, type Reply, type Request } from './http-messages.ts';
import type { OAuthOptions } from './oauth.ts';
import { consentPage, problemPage } from './pages.ts';

const consentMinutes = 10;

/** An authorization request whose consent page has no answer. */
type PendingRequest = CodeTerms &
  Pick<ConsentTerms, 'slot' | 'scope'> & { state: string | null; endsAt: number };

const ConsentForm = z.object({
  consent: z.string(),
  decision: z.enum(['approve', 'deny']),
  failure: z._default(Failure, 'none'),
});

const isRedirectUri = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && !text.includes('#');

/** The scopes of a request, separated as on the platform; `undefined` if one is unknown. */
const scopesIn = (
  query: URLSearchParams,
  { scopes, scopeSeparator, openId }: Dialect,
): string[] | undefined => {
  const requested = query.get('scope')?.split(scopeSeparator) ?? [];
  const known = [...scopes, ...(openId ? ['openid', 'profile', 'email'] : [])];
  const isKnown = requested.length > 0 && requested.every((scope) => known.includes(scope));
  return isKnown ? requested : undefined;
};

/** The error of a request whose client and redirect URI are valid (section 4.1.2.1). */
const authorizationError = (query: URLSearchParams, dialect: Dialect): string | undefined => {
  const responseType = query.get('response_type');
  if (responseType === null) return 'invalid_request';
  if (responseType !== 'code') return 'unsupported_response_type';
  // RFC 7636 section 4.4.1. The only supported method is S256.
  const hasChallenge = dialect.takesPkce && query.has('code_challenge');
  if (hasChallenge && query.get('code_challenge_method') !== 'S256') return 'invalid_request';
  return scopesIn(query, dialect) ? undefined : 'invalid_scope';
};

/** Returns to the client. The query of its redirect URI stays (section 3.1.2). */
const redirect = (
  { redirectUri, state }: Pick<PendingRequest, 'redirectUri' | 'state'>,
  outcome: Record<string, string>,
): Reply => {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.append(name, value);
  if (state !== null) url.searchParams.append('state', state);
  return { redirectTo: url.href };
};

/** The user and companies of a consent to the selected ones; `undefined` for a wrong number. */
const consentTo = (
  [first, ...others]: readonly DemoCompany[],
  { slot, dialect }: { slot: Slot; dialect: Dialect },
): Pick<ConsentTerms, 'user' | 'companyIds'> | undefined => {
  const isSeveral = dialect.consentTo === 'several';
  if (first === undefined || (others.length > 0 && !isSeveral)) return undefined;
  const isCovered = (it: DemoCompany) => dialect.consentTo === 'all' && it.owner === first.owner;
  const covered = companiesOf[slot].filter(
    (it) => [first, ...others].includes(it) || isCovered(it),
  );
  const user = dialect.consentTo === 'all' ? first.owner : randomUUID();
  return { user, companyIds: covered.map(({ id }) => id) };
};

/** The selected companies. A form without the field selects the first company. */
const companiesIn = (form: URLSearchParams, slot: Slot): DemoCompany[] => {
  const companies = companiesOf[slot];
  if (!form.has('company')) return companies.slice(0, 1);
  const ids = form.getAll('company').filter((id) => id !== '');
  const selected = ids.flatMap((id) => companies.find((company) => company.id === id) ?? []);
  return selected.length === ids.length ? selected : [];
};

export const createAuthorizationPages = (options: OAuthOptions) => {
  const { consents, clients, dialects, clock, redirectUris } = options;
  const pendingRequests = new Map<string, PendingRequest>();

  const addPending = (request: Omit<PendingRequest, 'endsAt'>): string => {
    const now = clock().getTime();
    for (const [id, { endsAt }] of pendingRequests) if (endsAt <= now) pendingRequests.delete(id);
    const id = randomBytes(16).toString('base64url');
    pendingRequests.set(id, { ...request, endsAt: now + consentMinutes * 60_000 });
    return id;
  };

  /** Why the sandbox must not redirect the browser. */
  const untrustedReason = (slot: Slot, request: { clientId: string; redirectUri: string }) => {
    if (request.clientId !== clients[slot].client_id) return 'has an unknown client_id.';
    if (!isRedirectUri(request.redirectUri)) {
      return 'has a redirect_uri that is not an http(s) address without a fragment.';
    }
    if (redirectUris?.(slot).includes(request.redirectUri) ?? true) return undefined;
    return 'has a redirect_uri that the client did not register.';
  };

  return {
    /** Shows the consent page. A request of an unknown client is never redirected. */
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
      const scope = scopesIn(query, dialect)?.join(' ') ?? '';
      const codeChallenge = dialect.takesPkce ? query.get('code_challenge') : null;
      const consentId = addPending({ slot, redirectUri, state, scope, codeChallenge });
      const page = consentPage({ slot, dialect, consentId, clientId, redirectUri });
      return { status: 200, page };
    },

    /** Accepts the form of each consent page once. */
    consent: ({ slot, body }: Request): Reply => {
      const fields = new URLSearchParams(body);
      const form = ConsentForm.safeParse(Object.fromEntries(fields)).data;
      const pending = pendingRequests.get(form?.consent ?? '');
      const isPending = pending?.slot === slot && clock().getTime() < pending.endsAt;
      const dialect = dialects[slot];
      const selected = companiesIn(fields, slot);
      const [company] = selected;
      const terms = consentTo(selected, { slot, dialect });
      if (!form || !pending || !isPending || !company || !terms) {
        const text = 'The form is incomplete, too old or already sent. Start again.';
        return { status: 400, page: problemPage('This form is no longer valid', text) };
      }
      pendingRequests.delete(form.consent);
      if (form.decision === 'deny') return redirect(pending, { error: 'access_denied' });
      const { failure } = form;
      const code = consents.record({ slot, ...terms, failure, scope: pending.scope }, pending);
      return redirect(pending, { code, ...dialect.callbackParameters?.(company) });
    },
  };
};

const Choice = z.strictObject({
  company_id: z.optional(z.string()),
  failure: z._default(TestTokenFailure, 'none'),
});

/** Tokens without a browser's redirect, for callers who hold a platform's tokens themselves. */
export const createTestTokens = ({
  consents,
  dialects,
}: Pick<OAuthOptions, 'consents' | 'dialects'>) => {
  /** The fields of a request that creates a tenant; `undefined` for an invalid choice. */
  const issueTokens = (slot: Slot, body: unknown) => {
    const choice = Choice.safeParse(body).data;
    const dialect = dialects[slot];
    const companies = companiesOf[slot];
    const company = companies.find(({ id }) => id === (choice?.company_id ?? companies[0]?.id));
    const terms = company && consentTo([company], { slot, dialect });
    if (!choice || !company || !terms) return undefined;
    const { failure } = choice;
    const { scopes, companyIdOf, callbackParameters } = dialect;
    // The callback of a platform with several data centers names one.
    const { location } = callbackParameters?.(company) ?? {};
    const request = { redirectUri: '', codeChallenge: null, codeVerifier: null };
    const code = consents.record({ slot, ...terms, failure, scope: scopes.join(' ') }, request);
    const consent = consents.findByCode(slot, code);
    return {
      ...(consent && consents.redeemCode(consent, request)),
      platform_company_id: companyIdOf(company),
      ...(location !== undefined && { data_center: location }),
      // The contract requires both for a tenant of platform_c.
      ...(slot === 'platform_c' && { company_name: company.name, currency: company.currency }),
    };
  };

  /** JSON `{company_id?, failure?}`. The defaults are the first company and no failure. */
  return ({ slot, body }: Request): Reply => {
    const tokens = issueTokens(slot, parseJson(body || '{}'));
    if (tokens) return { status: 200, json: tokens };
    const description = 'Send JSON. company_id and failure are optional and must exist.';
    return { status: 400, json: { error: 'invalid_request', error_description: description } };
  };
};
