// The requests of a browser at the callback: it returns from the platform with a code, submits the
// choice of a company, or repeats a request.

import type { ProvenState } from '#shared/connections/authorization-states.ts';
import {
  type HeldConsents,
  maximumChoices,
  type OfferedConsent,
} from '#shared/connections/held-consents.store.ts';
import type { OAuthStates, PendingAuthorization } from '#shared/connections/oauth-states.store.ts';
import type { UrlReply, UrlRequest } from '#shared/endpoint/url.ts';
import type { AuthorizationError } from '#shared/platforms/error-codes.ts';
import { PlatformFailure, reconnectTimeOf, withExpiry } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import type { Connecting } from './connecting.ts';
import {
  type AuthorizationResult,
  choicePage,
  chosenAlready,
  companyField,
  connectedAlready,
  stateNotAccepted,
} from './replies.ts';

/**
 * A browser's request with a valid state, at the callback of a slot. `arrivalProof` is computed
 * from the code in the query, or read from the form.
 */
type Visit = {
  proven: ProvenState;
  arrivalProof: string;
  slot: Slot;
  request: UrlRequest;
};

export type VisitDependencies = {
  states: Pick<OAuthStates, 'consume' | 'hasConnected'>;
  consents: HeldConsents;
  platforms: Platforms;
  clock: () => Date;
};

/** A parameter that occurs exactly once (RFC 6749 section 3.1). */
export const single = (query: URLSearchParams, name: string): string | undefined => {
  const [value, ...more] = query.getAll(name);
  return more.length === 0 ? value : undefined;
};

const maximumCodeLength = 4096;

/** The authorization code, or the platform's error (RFC 6749 sections 4.1.2 and 4.1.2.1). */
const readCode = (query: URLSearchParams): { code: string } | { error: AuthorizationError } => {
  if (query.has('error')) {
    const isDenied = single(query, 'error') === 'access_denied';
    return { error: isDenied ? 'access_denied' : 'authorization_failed' };
  }
  const code = single(query, 'code') ?? '';
  return code === '' || code.length > maximumCodeLength
    ? { error: 'authorization_failed' }
    : { code };
};

export const openVisits = (
  { states, consents, platforms, clock }: VisitDependencies,
  connecting: Connecting,
) => {
  /** Answers a state that was used before, or that still waits for the choice of a company. */
  const revisit = async ({ proven: { state }, arrivalProof, slot }: Visit): Promise<UrlReply> => {
    const now = clock();
    if (await states.hasConnected(state, { slot, now })) return connectedAlready;
    const offered = await consents.find({ state, arrivalProof }, { slot, now });
    if (offered === 'chosen') return chosenAlready;
    return offered ? choicePage({ state, arrivalProof }, offered) : stateNotAccepted;
  };

  /** Exchanges the code for tokens. Connects the company, or offers several. */
  const exchange = async (
    pending: PendingAuthorization,
    { proven, arrivalProof, request: { query } }: Visit,
  ): Promise<AuthorizationResult | { offered: OfferedConsent }> => {
    const answer = readCode(query);
    if ('error' in answer) return answer;
    const platform = await platforms.get(pending.slot);
    const requestedAt = clock();
    const { state, codeVerifier } = proven;
    const { redirectUri, companyId } = pending;
    const consent = await platform.connect({
      code: answer.code,
      redirectUri,
      codeVerifier,
      callback: query,
    });
    const tokens = withExpiry(consent.tokens, requestedAt);
    const reconnectBy = reconnectTimeOf(consent.tokens, requestedAt);
    const choices = consent.choices.filter(
      (choice) => companyId === null || choice.companyId === companyId,
    );
    const [choice, ...others] = choices;
    if (choice === undefined) {
      if (companyId !== null) return { error: 'company_not_consented' };
      throw new PlatformFailure('company_not_found');
    }
    if (others.length === 0) {
      return connecting.connect(pending, { platform, choice, tokens, reconnectBy });
    }
    if (choices.length > maximumChoices) return { error: 'too_many_companies' };
    const offered = await consents.record(
      { state, arrivalProof },
      {
        pending,
        consent: { adapter: platform.adapter, choices, tokens, reconnectBy },
        now: clock(),
      },
    );
    return { offered };
  };

  return {
    /** The browser returns from the platform. */
    arrive: async (visit: Visit): Promise<UrlReply> => {
      const { proven, arrivalProof, slot, request } = visit;
      const { state } = proven;
      const { requestId } = request;
      const pending = await states.consume(state, clock());
      if (pending === undefined) return revisit(visit);
      // Another platform's callback would send this state's code to the wrong token endpoint
      // (RFC 9700 section 4.4).
      if (pending.slot !== slot) return stateNotAccepted;
      const work = () => exchange(pending, visit);
      const result = await connecting.conclude(pending, { requestId, work });
      if ('offered' in result) return choicePage({ state, arrivalProof }, result.offered);
      return connecting.answer({ state, consumed: pending, requestId }, result);
    },

    /** The user has chosen one of the companies of the consent, or cancelled. */
    choose: async (visit: Visit): Promise<UrlReply> => {
      const { proven, arrivalProof, slot, request } = visit;
      const { state } = proven;
      const name = { state, arrivalProof };
      const { requestId, form } = request;
      const offered = await consents.find(name, { slot, now: clock() });
      if (offered === undefined || offered === 'chosen') return revisit(visit);
      const isCancelled = single(form, 'decision') === 'cancel';
      const companyId = single(form, companyField);
      const choice = offered.choices.find((one) => one.companyId === companyId);
      // An invalid choice shows the page again and does not consume the consent.
      if (choice === undefined && !isCancelled) {
        return choicePage(name, offered, { isRepeated: true });
      }
      const held = await consents.consume(name, offered, clock());
      if (held === undefined) return revisit(visit);
      const work = async (): Promise<AuthorizationResult> => {
        if (isCancelled || choice === undefined) return { error: 'access_denied' };
        const platform = await platforms.get(slot);
        // Only the platform that issued the tokens may receive them.
        if (platform.adapter !== offered.adapter) {
          throw new Error('the slot has another adapter now');
        }
        return connecting.connect(offered, { platform, choice, ...held });
      };
      const result = await connecting.conclude(offered, { requestId, work });
      return connecting.answer({ state, consumed: offered, requestId }, result);
    },
  };
};
