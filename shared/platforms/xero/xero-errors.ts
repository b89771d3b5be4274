// What Xero's refusals mean: those of its Accounting API, of its connections and of its tokens.

import * as z from 'zod/mini';
import { classifyOAuthError, type FailureClass } from '../failure-classes.ts';
import type { Reply } from '../replies.ts';

/** The id of a reply, as recorded in the specs of XeroRuby::ApiError (XeroAPI/xero-ruby). */
export const traceHeader = 'xero-correlation-id';

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

const Text = z.nullish(z.string());

/**
 * What stands in front of the API states a `Title` and a `Detail`, older replies of it the same in
 * small letters; the API itself states a `Type` and a `Message` (`Error` in xero_accounting.yaml).
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
 * What Xero says of a failure, and as its code the one word of it, or the one that it begins with:
 * `TokenExpired` of "TokenExpired: token expired at ...".
 */
const wordsOf = ({ body }: Reply): Pick<FailureClass, 'code' | 'message'> => {
  const { Type, ...error } = ErrorReply.safeParse(body).data ?? {};
  const detail = error.Detail ?? error.detail;
  const title = error.Title ?? error.title;
  const message = detail ?? error.Message ?? title ?? undefined;
  return { code: /^([A-Za-z]{1,60})(?:$|:)/.exec(detail ?? Type ?? '')?.[1], message };
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
    const words = wordsOf(reply);
    if (reply.status === 429) return { ...words, ...rateLimited(reply) };
    if (reply.status === 400) return { ...words, reason: 'reply_not_understood' };
    if (reply.status === 401) return { ...words, reason: 'credentials_refused' };
    if (reply.status !== 403) return reply.status < 300 ? undefined : words;
    const isAboutTenant = words.code === 'AuthenticationUnsuccessful';
    return { ...words, reason: isAboutTenant ? tenantRefused : 'credentials_refused' };
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
