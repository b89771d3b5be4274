// The browser comes back from the platform: its code is traded for tokens, and the company that
// they are good for is connected; where there are several, the user is asked for one.

import {
  type HeldConsents,
  maximumChoices,
  type OfferedConsent,
} from '#shared/connections/held-consents.store.ts';
import type { OAuthStates, PendingAuthorization } from '#shared/connections/oauth-states.store.ts';
import type { UrlReply } from '#shared/endpoint/url.ts';
import { PlatformFailure, reconnectByOf, withExpiry } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Connecting } from './connecting.ts';
import { readGrant } from './grant.ts';
import { type AuthorizationResult, choicePage, stateNotAccepted } from './replies.ts';
import type { Revisit, Visit } from './revisit.ts';

export type ArrivalDependencies = {
  states: Pick<OAuthStates, 'consume'>;
  consents: Pick<HeldConsents, 'record'>;
  platforms: Platforms;
  clock: () => Date;
};

export const openArrival = (
  { states, consents, platforms, clock }: ArrivalDependencies,
  { connecting, revisit }: { connecting: Connecting; revisit: Revisit },
) => {
  const exchange = async (
    pending: PendingAuthorization,
    { proven, arrivalProof, request: { query } }: Visit,
  ): Promise<AuthorizationResult | { offered: OfferedConsent }> => {
    const grant = readGrant(query);
    if ('error' in grant) return grant;
    const platform = await platforms.get(pending.slot);
    const askedAt = clock();
    const { state, codeVerifier } = proven;
    const { redirectUri, companyId } = pending;
    const { tokens: given, choices: all } = await platform.connect({
      ...{ code: grant.code, redirectUri, codeVerifier, callback: query },
    });
    const tokens = withExpiry(given, askedAt);
    const reconnectBy = reconnectByOf(given, askedAt);
    const choices = all.filter((choice) => companyId === null || choice.companyId === companyId);
    const [choice, ...others] = choices;
    if (choice === undefined) {
      if (companyId !== null) return { error: 'company_not_consented' };
      throw new PlatformFailure('company_not_found');
    }
    if (others.length === 0) {
      return connecting.connect(pending, { platform, choice, tokens, reconnectBy });
    }
    if (choices.length > maximumChoices) return { error: 'too_many_companies' };
    const consent = { adapter: platform.adapter, choices, tokens, reconnectBy };
    const name = { state, arrivalProof };
    return { offered: await consents.record(name, { pending, consent, now: clock() }) };
  };

  return async (visit: Visit): Promise<UrlReply> => {
    const { proven, arrivalProof, slot, request } = visit;
    const { state } = proven;
    const { requestId } = request;
    const pending = await states.consume(state, clock());
    if (pending === undefined) return revisit(visit);
    // Another platform's callback would hand this state's code to the wrong token endpoint
    // (RFC 9700 section 4.4).
    if (pending.slot !== slot) return stateNotAccepted;
    const work = () => exchange(pending, visit);
    const result = await connecting.conclude(pending, { requestId, work });
    if ('offered' in result) return choicePage({ state, arrivalProof }, result.offered);
    return connecting.answer({ state, consumed: pending, requestId }, result);
  };
};
