// What a platform's failure means to whom we answer: a caller with a body, or a browser.

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
};

/**
 * The refusal of a request that carried the platform's credentials in its body.
 * @param tried the one that the platform was shown
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
 * The refusal of a request whose platform could not do its part with the credentials that we hold.
 * Where the platform does not say how long to wait, we do: the same request is to come again.
 */
export const apiErrorOfOurAccess = (failure: PlatformFailure): ApiError => {
  const { reason, retryAfterSeconds = 60 } = failure;
  const code = reason === 'platform_timed_out' ? reason : 'platform_failed';
  return new ApiError(code, { retryAfterSeconds, cause: failure });
};

/** Why an authorization ended without a tenant: the closed list of `error` at a redirect_url. */
export const authorizationErrors = {
  access_denied: 'The user did not give consent at the platform, or chose none of the companies.',
  authorization_failed: 'The platform did not grant the access that was asked for.',
  application_suspended: 'The application that asked for this is suspended here.',
  company_not_consented: 'The consent is not for the company that the application asked for.',
  too_many_companies:
    'The consent is for too many companies to choose from. The application has to name one.',
  company_connected_by_another_user:
    'Another user has connected this company here. Only the application can give access to it.',
  tenant_quota_reached: 'The application that asked for this has as many companies as it may have.',
  platform_failed: 'The platform answered with a failure. Start again later.',
  platform_timed_out: 'The platform took too long to answer. Start again later.',
  internal_error: 'Something went wrong on our side. Start again later.',
} as const;

export type AuthorizationError = keyof typeof authorizationErrors;

/** The `error` of an authorization that the platform let fail after the user's consent. */
export const authorizationErrorOf = ({ reason }: PlatformFailure): AuthorizationError => {
  const code = codeByReason[reason];
  return code === 'platform_refused_credentials' ? 'authorization_failed' : code;
};
