// Connects the company that a consent is for, and answers the browser, whatever comes of it.

import type { Applications } from '#shared/applications/applications.store.ts';
import type { ConnectionObstacle } from '#shared/connections/connected-companies.store.ts';
import type {
  ConsumedAuthorization,
  OAuthStates,
  PendingAuthorization,
} from '#shared/connections/oauth-states.store.ts';
import type { ConnectionRecorder } from '#shared/connections/pending-connections.store.ts';
import type { ConnectionTokens } from '#shared/connections/platform-connections.ts';
import type { UrlReply } from '#shared/endpoint/url.ts';
import type { Log } from '#shared/log.ts';
import { type AuthorizationError, authorizationErrorOf } from '#shared/platforms/error-codes.ts';
import { type CompanyChoice, type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import type { Tenants } from '#shared/tenants/tenants.store.ts';
import { type AuthorizationResult, replyWith } from './replies.ts';

export type ConnectingDependencies = {
  states: Pick<OAuthStates, 'recordConnected'>;
  applications: Pick<Applications, 'find'>;
  tenants: Pick<Tenants, 'connect'>;
  connectionRecorder: ConnectionRecorder;
  clock: () => Date;
  newImportId: () => string;
  newNonce: () => string;
  log: Log;
};

/** What a consent gave at a platform, for the company that it is used for. */
export type Grant = {
  platform: Platform;
  choice: CompanyChoice;
  tokens: ConnectionTokens;
  reconnectBy: string | null;
};

/** What the browser is told of what keeps a user from connecting a company. */
const errorOf: Record<ConnectionObstacle, AuthorizationError> = {
  connected_by_another_user: 'company_connected_by_another_user',
  tenant_quota_reached: 'tenant_quota_reached',
};

export type Connecting = ReturnType<typeof openConnecting>;

export const openConnecting = (dependencies: ConnectingDependencies) => {
  const { states, applications, tenants, connectionRecorder, clock, log } = dependencies;
  const { newImportId, newNonce } = dependencies;

  return {
    connect: async (
      pending: PendingAuthorization,
      { platform, choice, tokens, reconnectBy }: Grant,
    ): Promise<AuthorizationResult> => {
      const { slot, applicationId, email, cashFlowMethod, confirmConnection } = pending;
      const { accessToken } = tokens;
      const { companyId, dataCenter, name, currency, financialYearEnd } = await platform.company({
        ...choice,
        accessToken,
      });
      const createdAt = clock().toISOString();
      const owner = { applicationId, email };
      const request = {
        details: {
          ...{ platform: slot, companyName: name, currency, cashFlowMethod, createdAt },
          financialYearEnd,
        },
        company: { adapter: platform.adapter, companyId, dataCenter },
        tokens,
        reconnectBy,
      };
      const code = newNonce();
      const connecting = confirmConnection
        ? await connectionRecorder.record({ owner, request, code, now: clock() })
        : await tenants.connect(owner, {
            ...request,
            importId: newImportId(),
            idempotentRequest: undefined,
          });
      // The tokens that the consent gave are forgotten. To revoke them could end the access of
      // those who have connected the company: platforms count it by company, or by user.
      if (connecting.outcome === 'pending') {
        return { prefix: connecting.prefix, confirmationCode: code };
      }
      if ('tenant' in connecting) return { prefix: connecting.tenant.prefix };
      if (connecting.outcome === 'replayed') throw new Error('nothing was to be repeated');
      return { error: errorOf[connecting.outcome] };
    },

    /** Does the work of an authorization, after which the browser goes back in any case. */
    conclude: async <Result>(
      pending: PendingAuthorization,
      { requestId, work }: { requestId: string; work: () => Promise<Result> },
    ): Promise<Result | { error: AuthorizationError }> => {
      try {
        // The gateway lets no key of a suspended application in, but its users may be on their way.
        const application = await applications.find(pending.applicationId);
        if (application?.status !== 'active') return { error: 'application_suspended' };
        return await work();
      } catch (error) {
        const about = { request_id: requestId, platform: pending.slot, error };
        if (error instanceof PlatformFailure) {
          log.warn('the platform failed', about);
          return { error: authorizationErrorOf(error) };
        }
        log.error('authorization failed', about);
        return { error: 'internal_error' };
      }
    },

    /** The reply, once it is kept that the state has connected a company. */
    answer: async (
      {
        state,
        consumed,
        requestId,
      }: {
        state: string;
        consumed: ConsumedAuthorization;
        requestId: string;
      },
      result: AuthorizationResult,
    ): Promise<UrlReply> => {
      // Who loses the code that the browser brings must start again, and so is told nothing else.
      if ('prefix' in result && result.confirmationCode === undefined) {
        try {
          await states.recordConnected(state, consumed);
        } catch (error) {
          // It is for whoever comes again; the company is connected without that.
          log.warn('a state was not kept as connected', { request_id: requestId, error });
        }
      }
      return replyWith(consumed, result);
    },
  };
};
