// What the failures of Zoho Books and of Zoho's token endpoints mean.

import * as z from 'zod/mini';
import type { FailureClass } from '../failure-classes.ts';
import type { Reply } from '../replies.ts';

const OAuthError = z.object({ error: z.string() });

/**
 * The token endpoint answers errors with status 200, or at times with 400, in words of its own:
 * `invalid_code` is a code or a refresh token that is not good, was used or was revoked
 * (www.zoho.com/accounts/protocol/oauth/web-apps/access-token.html). The other codes are about us.
 *
 * "Access Denied" comes for more than ten tokens in ten minutes, and until those are over
 * (www.zoho.com/accounts/protocol/oauth/token-limits.html).
 */
export const classifyTokenError =
  (refused: 'code_refused' | 'credentials_refused') =>
  ({ status, body }: Reply): FailureClass | undefined => {
    const code = OAuthError.safeParse(body).data?.error;
    switch (code) {
      case undefined:
        // It authenticates nobody but us, and says what it has against a grant.
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
        // A status of success would make a success of an error that is not known.
        if (status < 300) return { reason: 'reply_not_understood' };
        return status < 500 ? { reason: 'platform_unavailable' } : undefined;
    }
  };

/**
 * "400 Bad Request: The token passed in the request is invalid", so there is nothing left to revoke
 * (www.zoho.com/accounts/protocol/oauth/revoke-refresh-token.html).
 */
export const classifyRevocation = (reply: Reply): FailureClass | undefined => {
  const failureClass = classifyTokenError('credentials_refused')(reply);
  return reply.status === 400 && failureClass?.code === undefined
    ? { reason: 'credentials_refused' }
    : failureClass;
};

const tooManyInAMinute: FailureClass = { reason: 'rate_limited', retryAfterSeconds: 60 };

/**
 * What the codes of the API mean. Zero is success.
 *
 * 44 is for more than 100 calls for a company in a minute, 45 for more than its plan has in a day,
 * 1070 for too many at once (www.zoho.com/books/api/v3/introduction). Zoho does not say how long to
 * wait, nor when a day begins: the times are ours, and http.ts prefers a Retry-After. 6041 is "This
 * user is not associated with the CompanyID/CompanyName" (www.zoho.com/deluge/help/invoice/
 * fetch-records.html). 103001 is "Your trial of Zoho Books is over. Please upgrade to a paid plan"
 * (answered to github.com/qutubkothari/salesmate-ai, ZOHO_TRIAL_EXPIRATION_ISSUE.md).
 *
 * Unverified: others were answered 57, as a rule with status 401, for a token that is not good, not
 * of this data center or without the scope, and 14 for one that is not good.
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

/** "Invoice does not exist." (www.zoho.com/books/api/v3/errors) is of every kind of record. */
const goneCode = 1002;

/** Whether what was asked for by its id is not there, or not any more, by Zoho's own word. */
export const isGone = ({ status, body, isFromIntermediary }: Reply): boolean =>
  ApiError.safeParse(body).data?.code === goneCode || (status === 404 && !isFromIntermediary);

/** The code and the words of a failure are kept, whatever it means. */
export const classifyApiError = ({ status, body }: Reply): FailureClass | undefined => {
  const { code = 0, message } = ApiError.safeParse(body).data ?? {};
  if (code === 0) return status === 429 ? tooManyInAMinute : undefined;
  const known = failureClassByCode.get(code) ?? (status === 429 ? tooManyInAMinute : {});
  // A status of success would make a success of an error that is not known.
  const reason = known.reason ?? (status < 300 ? 'reply_not_understood' : undefined);
  return { ...known, ...(reason && { reason }), code: String(code), message };
};
