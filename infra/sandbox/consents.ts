// The pages on which consent is given at the sandbox platform (RFC 6749 section 4.1.1).

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Slot } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import type { DemoCompany } from './demo-company.ts';
import type { Dialect } from './dialects/dialect.ts';
import { Failure } from './failure-injection.ts';
import type { CodeTerms } from './grants.ts';
import type { Reply, Request } from './http-messages.ts';
import type { OAuthOptions } from './oauth.ts';
import { consentPage, problemPage } from './pages.ts';

const consentMinutes = 10;

/** A consent page that was shown and not answered yet. */
type OpenConsent = CodeTerms & {
  slot: Slot;
  state: string | null;
  scope: string;
  endsAt: number;
};

const ConsentForm = z.object({
  consent: z.string(),
  decision: z.enum(['approve', 'deny']),
  failure: z._default(Failure, 'none'),
  /** Whose consent it is, where one user can give several; by default somebody new. */
  user: z._default(z.string(), ''),
});

const isRedirectUri = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && !text.includes('#');

/** What is wrong with a request whose client and redirect URI are known (section 4.1.2.1). */
const authorizationError = (
  query: URLSearchParams,
  { scopes, otherScopes, scopeSeparator, takesPkce }: Dialect,
): string | undefined => {
  const responseType = query.get('response_type');
  if (responseType === null) return 'invalid_request';
  if (responseType !== 'code') return 'unsupported_response_type';
  // Section 4.4.1 of RFC 7636: of the methods there is S256 only.
  const isChallenged = takesPkce && query.has('code_challenge');
  if (isChallenged && query.get('code_challenge_method') !== 'S256') return 'invalid_request';
  const asked = query.get('scope')?.split(scopeSeparator) ?? [];
  const isKnown = (scope: string) => scopes.includes(scope) || otherScopes.test(scope);
  return asked.length > 0 && asked.every(isKnown) ? undefined : 'invalid_scope';
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

/** Whose consent for what company or companies it is, where these are chosen. */
export const consentFor = (
  chosen: readonly DemoCompany[],
  { slot, dialect, user }: { slot: Slot; dialect: Dialect; user: string },
): { user: string; companyIds: string[] } | undefined => {
  const [first] = chosen;
  if (first === undefined || (chosen.length > 1 && dialect.consentTo !== 'several'))
    return undefined;
  if (dialect.consentTo !== 'all') {
    return { user: user || randomUUID(), companyIds: chosen.map(({ id }) => id) };
  }
  const all = companiesOf[slot].filter(({ owner }) => owner === first.owner);
  return { user: first.owner, companyIds: all.map(({ id }) => id) };
};

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
      const nonce = query.get('nonce');
      const consentId = openConsent({ slot, redirectUri, state, scope, codeChallenge, nonce });
      const { title, consentTo } = dialect;
      const page = consentPage({ slot, title, consentTo, consentId, clientId, redirectUri });
      return { status: 200, page };
    },

    /** Takes the consent page's form, once. */
    consent: ({ slot, body }: Request): Reply => {
      const fields = new URLSearchParams(body);
      const form = ConsentForm.safeParse(Object.fromEntries(fields)).data;
      const open = openConsents.get(form?.consent ?? '');
      const companies = companiesOf[slot];
      // A page on which several can be chosen says by an empty one that none may have been.
      const asked = fields.has('company')
        ? fields.getAll('company').filter((id) => id !== '')
        : [companies[0]?.id];
      const chosen = asked.flatMap((id) => companies.find((company) => company.id === id) ?? []);
      const dialect = dialects[slot];
      const consented =
        chosen.length === asked.length
          ? consentFor(chosen, { slot, dialect, user: form?.user ?? '' })
          : undefined;
      const isOpen = open?.slot === slot && clock().getTime() < open.endsAt;
      const [company] = chosen;
      if (!form || !open || !isOpen || !company || !consented) {
        const text = 'It was answered before, is too old, or was not filled in. Start again.';
        return { status: 400, page: problemPage('This form is not valid any more', text) };
      }
      openConsents.delete(form.consent);
      if (form.decision === 'deny') return redirect(open, { error: 'access_denied' });
      const { failure } = form;
      const code = grants.consent({ slot, ...consented, failure, scope: open.scope }, open);
      return redirect(open, { code, ...dialect.callbackParameters(company) });
    },
  };
};
