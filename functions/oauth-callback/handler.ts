// Takes the browser back from the platform, creates the tenant and asks for its import.

import { isState } from '#shared/domain/authorization-states.ts';
import { withParameters } from '#shared/domain/redirect-urls.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { platformInPath } from '#shared/platforms/callback-urls.ts';
import {
  type AuthorizationError,
  authorizationErrorOf,
  authorizationErrors,
} from '#shared/platforms/error-codes.ts';
import { PlatformFailure, withExpiry } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import { type Slots, slotNamed } from '#shared/platforms/slots.ts';
import type { OAuthStates, PendingAuthorization } from '#shared/store/oauth-states.ts';
import type { Tenants } from '#shared/store/tenants.ts';
import {
  createUrlHandler,
  type Page,
  type UrlReply,
  type UrlRequest,
} from '#shared/triggers/url.ts';

export type Dependencies = {
  states: Pick<OAuthStates, 'consume'>;
  tenants: Pick<Tenants, 'connect'>;
  slots: Slots;
  platforms: Platforms;
  clock: () => Date;
  newImportId: () => string;
  log: Log;
  metrics: Metrics;
};

/** How an authorization ended: with the prefix of its tenant, or with an error. */
type AuthorizationResult = { prefix: string } | { error: AuthorizationError };

const notFound: Page = {
  outcome: 'route_not_found',
  status: 404,
  title: 'There is nothing here',
  text: 'Check the address.',
};

const methodNotAllowed: Page = {
  outcome: 'method_not_allowed',
  status: 405,
  title: 'This does not work here',
  text: 'This address only takes GET requests.',
  headers: { Allow: 'GET' },
};

/** One page for every state that does not count, so that it tells nothing about any. */
const stateNotAccepted: Page = {
  outcome: 'state_not_accepted',
  status: 400,
  title: 'This link does not work any more',
  text: 'It was used already, or it is more than ten minutes old. Please start again.',
};

const statusOf: Record<AuthorizationError, number> = {
  access_denied: 400,
  authorization_failed: 400,
  platform_failed: 502,
  platform_timed_out: 504,
  internal_error: 500,
};

const pageOf = (result: AuthorizationResult): Omit<Page, 'outcome'> =>
  'prefix' in result
    ? {
        status: 200,
        title: 'The company is connected',
        text: `It has the name ${result.prefix} here. You can close this page.`,
      }
    : {
        status: statusOf[result.error],
        title: 'The company was not connected',
        text: `${authorizationErrors[result.error]} (${result.error})`,
      };

const replyWith = (
  { redirectUrl, applicationId }: PendingAuthorization,
  result: AuthorizationResult,
): UrlReply => {
  const outcome = 'prefix' in result ? 'success' : result.error;
  const page = { outcome, applicationId, ...pageOf(result) };
  if (redirectUrl === null) return page;
  const parameters: Record<string, string> =
    'prefix' in result
      ? { status: 'success', domain_url: result.prefix }
      : { status: 'error', error: result.error };
  const redirectTo = withParameters(redirectUrl, parameters);
  return { outcome, applicationId, status: page.status, redirectTo };
};

/** A parameter that is given exactly once (RFC 6749 section 3.1). */
const single = (query: URLSearchParams, name: string): string | undefined => {
  const [value, ...more] = query.getAll(name);
  return more.length === 0 ? value : undefined;
};

const maximumCodeLength = 4096;

/** The code of an authorization that was granted, or why there is none (section 4.1.2.1). */
const readGrant = (query: URLSearchParams): { code: string } | { error: AuthorizationError } => {
  if (query.has('error')) {
    const denied = single(query, 'error') === 'access_denied';
    return { error: denied ? 'access_denied' : 'authorization_failed' };
  }
  const code = single(query, 'code') ?? '';
  return code === '' || code.length > maximumCodeLength
    ? { error: 'authorization_failed' }
    : { code };
};

export const createHandler = (dependencies: Dependencies) => {
  const { states, tenants, slots, platforms, clock, newImportId, log, metrics } = dependencies;

  const connect = async (
    { slot, applicationId, email, cashFlowMethod, redirectUri }: PendingAuthorization,
    { code, query }: { code: string; query: URLSearchParams },
  ): Promise<AuthorizationResult> => {
    const platform = await platforms.get(slot);
    const askedAt = clock();
    const { tokens, company } = await platform.connect({ code, redirectUri, callback: query });
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
    if (creation.outcome === 'replayed') throw new Error('nothing was to be repeated');
    return { prefix: creation.tenant.prefix };
  };

  /** From here on the browser goes back to the application, whatever happens. */
  const conclude = async (
    pending: PendingAuthorization,
    { query, requestId }: UrlRequest,
  ): Promise<AuthorizationResult> => {
    try {
      const grant = readGrant(query);
      return 'error' in grant ? grant : await connect(pending, { code: grant.code, query });
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

  return createUrlHandler(
    async (request) => {
      const slot = slotNamed(slots, platformInPath(request.path) ?? '');
      if (slot === undefined) return notFound;
      if (request.method !== 'GET') return methodNotAllowed;
      const state = single(request.query, 'state');
      if (state === undefined || !isState(state)) return stateNotAccepted;
      const pending = await states.consume(state, clock());
      // Another platform's callback would hand this state's code to the wrong token endpoint
      // (RFC 9700 section 4.4).
      if (pending?.slot !== slot) return stateNotAccepted;
      return replyWith(pending, await conclude(pending, request));
    },
    { log, metrics },
  );
};
