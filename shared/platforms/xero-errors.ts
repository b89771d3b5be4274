// What Xero's refusals mean: those of its Accounting API, of its connections and of its tokens.

import * as z from 'zod/mini';
import { classifyOAuthError, type FailureClass, type Reply } from './http.ts';

/**
 * How long to wait by X-Rate-Limit-Problem where no Retry-After comes; http.ts prefers that one.
 * Xero documents it (developer.xero.com/documentation/guides/oauth2/limits), but it is said to be
 * absent for `concurrent`, which is more than five calls of one organisation at once.
 */
const waitSecondsByLimit = new Map([
  ['concurrent', 2],
  ['minute', 60],
  ['day', 60 * 60],
]);

const rateLimited = ({ headers }: Reply): FailureClass => {
  const limit = headers.get('X-Rate-Limit-Problem')?.toLowerCase() ?? '';
  const retryAfterSeconds = waitSecondsByLimit.get(limit);
  const isKnown = retryAfterSeconds !== undefined;
  return { reason: 'rate_limited', code: isKnown ? limit : undefined, retryAfterSeconds };
};

/**
 * What stands in front of the API states a `Detail`, older replies of it a `detail`; the API itself
 * states a `Type` (`Error` in xero_accounting.yaml).
 */
const ErrorReply = z.object({
  Detail: z.nullish(z.string()),
  detail: z.nullish(z.string()),
  Type: z.nullish(z.string()),
});

/** The word that a failure begins with: `TokenExpired` of "TokenExpired: token expired at ...". */
const codeOf = ({ body }: Reply): string | undefined => {
  const error = ErrorReply.safeParse(body).data;
  const text = error?.Detail ?? error?.detail ?? error?.Type ?? '';
  return /^[A-Za-z]{1,60}\b/.exec(text)?.[0];
};

/**
 * What a failure of the API means.
 *
 * 401 is about the token: `TokenExpired`, `AuthenticationUnsuccessful`, or
 * `AuthorizationUnsuccessful` where it lacks a scope. 403 `AuthenticationUnsuccessful` is about the
 * tenant, which "is missing, incorrect or isn't authorized for use with this access token"
 * (developer.xero.com/documentation/oauth2/troubleshooting): also because the user revoked the
 * access or the organisation is not active any more.
 *
 * @param tenantRefused what that means to the caller, who knows whether the access was good before
 */
export const classifyApiError =
  (tenantRefused: 'company_not_found' | 'credentials_refused') =>
  (reply: Reply): FailureClass | undefined => {
    const code = codeOf(reply);
    if (reply.status === 429) return rateLimited(reply);
    if (reply.status === 400) return { reason: 'reply_not_understood', code };
    if (reply.status === 401) return { reason: 'credentials_refused', code };
    if (reply.status !== 403) return undefined;
    const isAboutTenant = code === 'AuthenticationUnsuccessful';
    return { reason: isAboutTenant ? tenantRefused : 'credentials_refused', code };
  };

/** This endpoint authenticates our client alone, so 401 and 403 are about us, body or not. */
export const classifyTokenError =
  (refused: 'code_refused' | 'credentials_refused') =>
  (reply: Reply): FailureClass | undefined => {
    if (reply.status === 429) return rateLimited(reply);
    const isAboutUs = reply.status === 401 || reply.status === 403;
    return (
      classifyOAuthError(refused)(reply) ??
      (isAboutUs ? { reason: 'platform_unavailable' } : undefined)
    );
  };
