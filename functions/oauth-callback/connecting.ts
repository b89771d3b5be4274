// Connects the company of a consent and answers the browser.

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
import { byUser } from '#shared/history/tenant-history.ts';
import { type AuthorizationError, authorizationErrorOf } from '#shared/platforms/error-codes.ts';
import { type CompanyChoice, type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import type { Log } from '#shared/telemetry.ts';
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

/** The tokens of a consent, and the company to connect with them. */
type CompanyConsent = {
  platform: Platform;
  choice: CompanyChoice;
  tokens: ConnectionTokens;
  reconnectBy: string | null;
};

/** The error for the browser if a user cannot connect a company. */
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
      { platform, choice, tokens, reconnectBy }: CompanyConsent,
    ): Promise<AuthorizationResult> => {
      const { slot, applicationId, email, userId, cashFlowMethod, confirmConnection } = pending;
      const { accessToken } = tokens;
      const { companyId, dataCenter, name, currency, financialYearEnd } = await platform.company({
        ...choice,
        accessToken,
      });
      const createdAt = clock().toISOString();
      const owner = { applicationId, email, userId };
      const request = {
        details: {
          platform: slot,
          companyName: name,
          currency,
          cashFlowMethod,
          createdAt,
          financialYearEnd,
        },
        company: { adapter: platform.adapter, companyId, dataCenter },
        tokens,
        reconnectBy,
      };
      const code = newNonce();
      const connection = confirmConnection
        ? await connectionRecorder.record({ owner, request, code, now: clock() })
        : await tenants.connect(owner, {
            ...request,
            importId: newImportId(),
            idempotentRequest: undefined,
            by: byUser(userId),
          });
      // After an error, the new tokens are discarded without a revocation. Platforms count access
      // by company or by user, so revoking them could end the access of a connected user.
      if (connection.outcome === 'pending') {
        return { prefix: connection.prefix, confirmationCode: code };
      }
      if ('tenant' in connection) return { prefix: connection.tenant.prefix };
      if (connection.outcome === 'replayed')
        throw new Error('a request without an Idempotency-Key was replayed');
      return { error: errorOf[connection.outcome] };
    },

    /** Does the work of an authorization. Turns failures into an error for the browser. */
    conclude: async <Result>(
      pending: PendingAuthorization,
      { requestId, work }: { requestId: string; work: () => Promise<Result> },
    ): Promise<Result | { error: AuthorizationError }> => {
      try {
        // The application can be suspended while its user is at the platform.
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

    /** Records that the state has connected a company, and returns the reply. */
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
      // A state with a confirmation code is not recorded: a user who loses the code starts again.
      if ('prefix' in result && result.confirmationCode === undefined) {
        try {
          await states.recordConnected(state, consumed);
        } catch (error) {
          // The record only improves the page for a repeated visit.
          log.warn('a connected state was not recorded', { request_id: requestId, error });
        }
      }
      return replyWith(consumed, result);
    },
  };
};
