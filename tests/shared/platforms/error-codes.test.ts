import { describe, expect, test } from 'vitest';
import type { ApiErrorCode } from '#shared/errors.ts';
import {
  type AuthorizationError,
  apiErrorOf,
  authorizationErrorOf,
  authorizationErrors,
} from '#shared/platforms/error-codes.ts';
import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';

/** The code and the problem for a caller, and the error in a redirect, by the failure's reason. */
const meanings: Record<PlatformFailureReason, [ApiErrorCode, string, AuthorizationError]> = {
  code_refused: ['platform_refused_credentials', '', 'authorization_failed'],
  credentials_refused: [
    'platform_refused_credentials',
    'credentials_not_accepted /access_token',
    'authorization_failed',
  ],
  company_not_found: [
    'platform_refused_credentials',
    'company_not_found /platform_company_id',
    'authorization_failed',
  ],
  subscription_lapsed: ['platform_refused_credentials', '', 'authorization_failed'],
  rate_limited: ['platform_failed', '', 'platform_failed'],
  platform_unavailable: ['platform_failed', '', 'platform_failed'],
  platform_timed_out: ['platform_timed_out', '', 'platform_timed_out'],
  reply_not_understood: ['platform_failed', '', 'platform_failed'],
  reply_too_large: ['platform_failed', '', 'platform_failed'],
  changes_incomplete: ['platform_failed', '', 'platform_failed'],
  page_did_not_advance: ['platform_failed', '', 'platform_failed'],
  reports_not_permitted: ['platform_failed', '', 'platform_failed'],
  report_refused: ['platform_failed', '', 'platform_failed'],
};
const reasons = Object.keys(meanings) as PlatformFailureReason[];

describe("a platform's failure", () => {
  test.each(reasons)('has its codes for the reason %s', (reason) => {
    const failure = new PlatformFailure(reason, { cause: new Error('GET /things was answered') });
    const refusal = apiErrorOf(failure, '/access_token');
    const [code, problem, authorizationError] = meanings[reason];
    expect(refusal).toMatchObject({ code, cause: failure, retryAfterSeconds: undefined });
    expect(refusal.details.map((it) => `${it.code} ${it.pointer}`).join()).toBe(problem);
    expect(authorizationErrorOf(failure)).toBe(authorizationError);
    expect(authorizationErrors[authorizationError]).toMatch(/^[A-Z].*\.$/);
  });

  test.each([0, 17])('has the Retry-After of the platform: %i seconds', (seconds) => {
    const failure = new PlatformFailure('rate_limited', { retryAfterSeconds: seconds });
    expect(apiErrorOf(failure, '/access_token').retryAfterSeconds).toBe(seconds);
  });
});
