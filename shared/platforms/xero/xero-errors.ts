// Classifies error replies of Xero's Accounting API, its connections and its token endpoint.

import * as z from 'zod/mini';
import type { FailureClass } from '../failure-classes.ts';
import { classifyOAuthError, type GrantRefusal } from '../oauth.ts';
import type { Reply } from '../replies.ts';

/** The header with a reply's id, as in the specs of XeroRuby::ApiError (XeroAPI/xero-ruby). */
export const traceHeader = 'xero-correlation-id';

/**
 * The wait for each value of X-Rate-Limit-Problem if there is no Retry-After. Xero documents this
 * header (developer.xero.com/documentation/guides/oauth2/limits), but it may be missing for
 * `concurrent`, which means more than five simultaneous calls for one organisation.
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

const Text = z.nullish(z.string());

/**
 * Xero's gateway sends `Title` and `Detail`, in older replies in lower case. The API itself sends
 * `Type` and `Message` (`Error` in xero_accounting.yaml).
 */
const ErrorReply = z.object({
  Detail: Text,
  detail: Text,
  Message: Text,
  Title: Text,
  title: Text,
  Type: Text,
});

/**
 * Xero's description of a failure. The code is the first word of the detail or the type, for
 * example `TokenExpired` in "TokenExpired: token expired at ...".
 */
const wordsOf = ({ body }: Reply): Pick<FailureClass, 'code' | 'message'> => {
  const { Type, ...error } = ErrorReply.safeParse(body).data ?? {};
  const detail = error.Detail ?? error.detail;
  const title = error.Title ?? error.title;
  const message = detail ?? error.Message ?? title ?? undefined;
  return { code: /^([A-Za-z]{1,60})(?:$|:)/.exec(detail ?? Type ?? '')?.[1], message };
};

/**
 * Classifies an error reply of the API.
 *
 * 401 is about the token: `TokenExpired`, `AuthenticationUnsuccessful`, or
 * `AuthorizationUnsuccessful` if a scope is missing. 403 `AuthenticationUnsuccessful` is about the
 * tenant, which "is missing, incorrect or isn't authorized for use with this access token"
 * (developer.xero.com/documentation/oauth2/troubleshooting). This also happens after the user has
 * revoked the access or if the organisation is not active.
 *
 * @param tenantRefused the reason for a refused tenant; it depends on whether the access was known
 *   to work before
 */
export const classifyApiError =
  (tenantRefused: 'company_not_found' | 'credentials_refused') =>
  (reply: Reply): FailureClass | undefined => {
    const words = wordsOf(reply);
    if (reply.status === 429) return { ...words, ...rateLimited(reply) };
    if (reply.status === 400) return { ...words, reason: 'reply_not_understood' };
    if (reply.status === 401) return { ...words, reason: 'credentials_refused' };
    if (reply.status !== 403) return reply.status < 300 ? undefined : words;
    const isAboutTenant = words.code === 'AuthenticationUnsuccessful';
    return { ...words, reason: isAboutTenant ? tenantRefused : 'credentials_refused' };
  };

/** A report needs its own scope. Tokens of an earlier consent do not have it. */
export const classifyReportError = (reply: Reply): FailureClass | undefined => {
  const failure = classifyApiError('credentials_refused')(reply);
  return failure?.code === 'AuthorizationUnsuccessful'
    ? { ...failure, reason: 'reports_not_permitted' }
    : failure;
};

export const classifyTokenError =
  (refused: GrantRefusal) =>
  (reply: Reply): FailureClass | undefined =>
    reply.status === 429 ? rateLimited(reply) : classifyOAuthError(refused)(reply);
