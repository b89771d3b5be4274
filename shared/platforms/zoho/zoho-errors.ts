// Classifies error replies of Zoho Books and of Zoho's token endpoint.

import * as z from 'zod/mini';
import type { FailureClass } from '../failure-classes.ts';
import type { GrantRefusal } from '../oauth.ts';
import type { Reply } from '../replies.ts';

const OAuthError = z.object({ error: z.string() });

/**
 * The token endpoint returns errors with status 200, or sometimes 400, and its own codes.
 * `invalid_code` means that a code or refresh token is invalid, used or revoked
 * (www.zoho.com/accounts/protocol/oauth/web-apps/access-token.html). Other codes are about our
 * client.
 *
 * "Access Denied" means more than ten tokens in ten minutes, until these have passed
 * (www.zoho.com/accounts/protocol/oauth/token-limits.html).
 */
export const classifyTokenError =
  (refused: GrantRefusal) =>
  ({ status, body }: Reply): FailureClass | undefined => {
    const code = OAuthError.safeParse(body).data?.error;
    switch (code) {
      case undefined:
        // The endpoint authenticates only our client, and errors about a grant have a code.
        return status === 401 || status === 403 ? { reason: 'platform_unavailable' } : undefined;
      case 'invalid_code':
      case 'invalid_grant':
        return { reason: refused, code };
      case 'invalid_client':
      case 'invalid_client_secret':
      case 'invalid_redirect_uri':
        return { reason: 'platform_unavailable', code };
      case 'Access Denied':
      case 'access_denied':
        return { reason: 'rate_limited', code: 'access_denied', retryAfterSeconds: 600 };
      default:
        // An unknown error with status 200 must not count as success.
        if (status < 300) return { reason: 'reply_not_understood' };
        return status < 500 ? { reason: 'platform_unavailable' } : undefined;
    }
  };

/**
 * "400 Bad Request: The token passed in the request is invalid" means that the token is already
 * revoked (www.zoho.com/accounts/protocol/oauth/revoke-refresh-token.html).
 */
export const classifyRevocation = (reply: Reply): FailureClass | undefined => {
  const failureClass = classifyTokenError('credentials_refused')(reply);
  return reply.status === 400 && failureClass?.code === undefined
    ? { reason: 'credentials_refused' }
    : failureClass;
};

const tooManyInAMinute: FailureClass = { reason: 'rate_limited', retryAfterSeconds: 60 };

/**
 * The API's error codes. Zero is success.
 *
 * 44 means more than 100 calls for a company in a minute, 45 more than its plan's calls in a day,
 * 1070 too many simultaneous calls (www.zoho.com/books/api/v3/introduction). Zoho states neither a
 * wait nor when a day begins, so the waits are ours; a Retry-After takes precedence. 6041 is "This
 * user is not associated with the CompanyID/CompanyName" (www.zoho.com/deluge/help/invoice/
 * fetch-records.html). 103001 is "Your trial of Zoho Books is over. Please upgrade to a paid plan"
 * (a reply to github.com/qutubkothari/salesmate-ai, ZOHO_TRIAL_EXPIRATION_ISSUE.md).
 *
 * Unverified: users report 57, usually with status 401, for a token that is invalid, of another
 * data center or without the scope, and 14 for an invalid token.
 */
const failureClassByCode = new Map<number, FailureClass>([
  [14, { reason: 'credentials_refused' }],
  [44, tooManyInAMinute],
  [45, { reason: 'rate_limited', retryAfterSeconds: 3_600 }],
  [57, { reason: 'credentials_refused' }],
  [1070, { reason: 'rate_limited', retryAfterSeconds: 10 }],
  [6041, { reason: 'company_not_found' }],
  [103_001, { reason: 'subscription_lapsed' }],
]);

const ApiError = z.object({ code: z.int(), message: z.catch(z.optional(z.string()), undefined) });

/** "Invoice does not exist." (www.zoho.com/books/api/v3/errors), for every kind of record. */
const goneCode = 1002;

/** Whether Zoho reports that the record does not exist. */
export const isGone = ({ status, body, isFromIntermediary }: Reply): boolean =>
  ApiError.safeParse(body).data?.code === goneCode || (status === 404 && !isFromIntermediary);

/** Keeps the code and the message of every failure. */
export const classifyApiError = ({ status, body }: Reply): FailureClass | undefined => {
  const { code = 0, message } = ApiError.safeParse(body).data ?? {};
  if (code === 0) return status === 429 ? tooManyInAMinute : undefined;
  const known = failureClassByCode.get(code) ?? (status === 429 ? tooManyInAMinute : {});
  // An unknown error with status 200 must not count as success.
  const reason = known.reason ?? (status < 300 ? 'reply_not_understood' : undefined);
  return { ...known, ...(reason && { reason }), code: String(code), message };
};
