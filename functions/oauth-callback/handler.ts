// Takes the browser back from the platform, creates the tenant and asks for its import.

import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { platformInPath } from '#shared/platforms/callback-urls.ts';
import { authorizationErrorOf } from '#shared/platforms/error-codes.ts';
import { PlatformFailure, withExpiry } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import { type Slots, slotNamed } from '#shared/platforms/slots.ts';
import type { ProvenState, StateKeys } from '#shared/state-keys.ts';
import type { Applications } from '#shared/store/applications.ts';
import type {
  ConsumedAuthorization,
  OAuthStates,
  PendingAuthorization,
} from '#shared/store/oauth-states.ts';
import type { Tenants } from '#shared/store/tenants.ts';
import { createUrlHandler, type UrlRequest } from '#shared/triggers/url.ts';
import { readGrant, single } from './grant.ts';
import {
  type AuthorizationResult,
  connectedAlready,
  methodNotAllowed,
  notFound,
  replyWith,
  stateNotAccepted,
} from './replies.ts';

export type Dependencies = {
  states: Pick<OAuthStates, 'consume' | 'recordConnected' | 'hasConnected'>;
  stateKeys: Pick<StateKeys, 'recognise'>;
  applications: Pick<Applications, 'find'>;
  tenants: Pick<Tenants, 'connect'>;
  slots: Slots;
  platforms: Platforms;
  clock: () => Date;
  newImportId: () => string;
  log: Log;
  metrics: Metrics;
};

export const createHandler = (dependencies: Dependencies) => {
  const { states, stateKeys, applications, tenants, slots, platforms } = dependencies;
  const { clock, newImportId, log, metrics } = dependencies;

  const connect = async (
    { slot, applicationId, email, cashFlowMethod, redirectUri }: PendingAuthorization,
    grant: { code: string; codeVerifier: string; callback: URLSearchParams },
  ): Promise<AuthorizationResult> => {
    const platform = await platforms.get(slot);
    const askedAt = clock();
    const { tokens, choices } = await platform.connect({ ...grant, redirectUri });
    const [choice] = choices;
    if (choice === undefined) throw new PlatformFailure('company_not_found');
    const { accessToken } = tokens;
    const company = await platform.company({ ...choice, accessToken });
    const creation = await tenants.connect(
      { applicationId, email },
      {
        details: {
          platform: slot,
          companyName: company.name,
          currency: company.currency,
          cashFlowMethod,
          createdAt: clock().toISOString(),
        },
        company: {
          adapter: platform.adapter,
          companyId: company.companyId,
          dataCenter: company.dataCenter,
        },
        tokens: withExpiry(tokens, askedAt),
        importId: newImportId(),
        idempotentRequest: undefined,
      },
    );
    // The tokens that the consent gave are forgotten. To revoke them could end the access of those
    // who have connected the company: platforms count it by company, or by user.
    if (creation.outcome === 'connected_by_another_user') {
      return { error: 'company_connected_by_another_user' };
    }
    if (creation.outcome === 'replayed') throw new Error('nothing was to be repeated');
    return { prefix: creation.tenant.prefix };
  };

  /** From here on the browser goes back to the application, whatever happens. */
  const conclude = async (
    {
      pending,
      codeVerifier,
    }: { pending: PendingAuthorization } & Pick<ProvenState, 'codeVerifier'>,
    { query, requestId }: UrlRequest,
  ): Promise<AuthorizationResult> => {
    try {
      // The gateway lets no key of a suspended application in, but its users may be on their way.
      const application = await applications.find(pending.applicationId);
      if (application?.status !== 'active') return { error: 'application_suspended' };
      const grant = readGrant(query);
      if ('error' in grant) return grant;
      return await connect(pending, { code: grant.code, codeVerifier, callback: query });
    } catch (error) {
      const about = { request_id: requestId, platform: pending.slot, error };
      if (error instanceof PlatformFailure) {
        log.warn('the platform failed', about);
        return { error: authorizationErrorOf(error) };
      }
      log.error('authorization failed', about);
      return { error: 'internal_error' };
    }
  };

  /** For whoever reloads the page or goes back to it; the company is connected without that. */
  const keepConnected = async (
    state: string,
    consumed: ConsumedAuthorization,
    requestId: string,
  ) => {
    try {
      await states.recordConnected(state, consumed);
    } catch (error) {
      log.warn('a state was not kept as connected', { request_id: requestId, error });
    }
  };

  return createUrlHandler(
    async (request) => {
      const slot = slotNamed(slots, platformInPath(request.path) ?? '');
      if (slot === undefined) return notFound;
      if (request.method !== 'GET') return methodNotAllowed;
      const proven = await stateKeys.recognise(single(request.query, 'state') ?? '');
      if (proven === undefined) return stateNotAccepted;
      const { state, codeVerifier } = proven;
      const now = clock();
      const pending = await states.consume(state, now);
      if (pending === undefined) {
        const isConnected = await states.hasConnected(state, { slot, now });
        return isConnected ? connectedAlready : stateNotAccepted;
      }
      // Another platform's callback would hand this state's code to the wrong token endpoint
      // (RFC 9700 section 4.4).
      if (pending.slot !== slot) return stateNotAccepted;
      const result = await conclude({ pending, codeVerifier }, request);
      if ('prefix' in result) await keepConnected(state, pending, request.requestId);
      return replyWith(pending, result);
    },
    { log, metrics },
  );
};
