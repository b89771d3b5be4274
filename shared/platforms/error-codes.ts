// Error codes for platform failures: in replies, and in redirects to an application.

import { ApiError, type ApiErrorCode, problem } from '../errors.ts';
import type { PlatformFailure, PlatformFailureReason } from './platform.ts';

type PlatformErrorCode = Extract<
  ApiErrorCode,
  'platform_refused_credentials' | 'platform_failed' | 'platform_timed_out'
>;

const codeByReason: Record<PlatformFailureReason, PlatformErrorCode> = {
  code_refused: 'platform_refused_credentials',
  credentials_refused: 'platform_refused_credentials',
  company_not_found: 'platform_refused_credentials',
  subscription_lapsed: 'platform_refused_credentials',
  rate_limited: 'platform_failed',
  platform_unavailable: 'platform_failed',
  platform_timed_out: 'platform_timed_out',
  reply_not_understood: 'platform_failed',
  reply_too_large: 'platform_failed',
  page_did_not_advance: 'platform_failed',
  changes_incomplete: 'platform_failed',
  reports_not_permitted: 'platform_failed',
  report_refused: 'platform_failed',
};

/**
 * The error of a request that contains platform credentials.
 * @param tried the credential that the platform refused
 */
export const apiErrorOf = (
  failure: PlatformFailure,
  tried: '/access_token' | '/refresh_token',
): ApiError => {
  const { reason, retryAfterSeconds } = failure;
  return new ApiError(codeByReason[reason], {
    details: [
      ...(reason === 'credentials_refused' ? [problem('credentials_not_accepted', tried)] : []),
      ...(reason === 'company_not_found'
        ? [problem('company_not_found', '/platform_company_id')]
        : []),
    ],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause: failure,
  });
};

/**
 * The error of a request that uses our stored tokens. It always has Retry-After, because the caller
 * should repeat the same request.
 */
export const apiErrorOfOurAccess = (failure: PlatformFailure): ApiError => {
  const { reason, retryAfterSeconds = 60 } = failure;
  const code = reason === 'platform_timed_out' ? reason : 'platform_failed';
  return new ApiError(code, { retryAfterSeconds, cause: failure });
};

/** The values of `error` in a redirect after an authorization without a tenant. */
export const authorizationErrors = {
  access_denied: 'The user did not consent at the platform, or did not choose a company.',
  authorization_failed: 'The platform did not grant the requested access.',
  application_suspended: 'The application is suspended here.',
  company_not_consented: 'The consent does not include the company that the application requested.',
  too_many_companies:
    'The consent includes too many companies. The application must request one company.',
  company_connected_by_another_user:
    'Another user has connected this company. Only the application can give access to it.',
  tenant_quota_reached: 'The application has reached its maximum number of companies.',
  platform_failed: 'The platform returned an error. Start again later.',
  platform_timed_out: 'The platform did not respond in time. Start again later.',
  internal_error: 'An internal error occurred. Start again later.',
} as const;

export type AuthorizationError = keyof typeof authorizationErrors;

/** The `error` of an authorization that failed at the platform after the user's consent. */
export const authorizationErrorOf = ({ reason }: PlatformFailure): AuthorizationError => {
  const code = codeByReason[reason];
  return code === 'platform_refused_credentials' ? 'authorization_failed' : code;
};
