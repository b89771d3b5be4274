// What Intuit's refusals mean: those of the QuickBooks API and of its tokens.

import * as z from 'zod/mini';
import { classifyOAuthError, type FailureClass } from '../failure-classes.ts';
import type { PlatformFailureReason } from '../platform.ts';
import type { Reply } from '../replies.ts';

/** The id of a reply, for Intuit's support (README of github.com/intuit/oauth-jsclient). */
export const traceHeader = 'intuit_tid';

/**
 * How long Intuit asks to wait (developer.intuit.com, limits and throttles). It documents no
 * Retry-After; where one comes, that one counts.
 */
const rateLimited: FailureClass = { reason: 'rate_limited', retryAfterSeconds: 60 };

const Text = z.nullish(z.string());
const Code = z.string().check(z.regex(/^\d{1,6}$/));

/** The API has other capitals than what answers in front of it, which checks the tokens. */
const FaultReply = z.union([
  z.object({ Fault: z.object({ Error: z.array(z.unknown()) }) }),
  z.object({ fault: z.object({ error: z.array(z.unknown()) }) }),
]);
const FaultError = z.object({
  code: Code,
  Message: Text,
  Detail: Text,
  message: Text,
  detail: Text,
});

const Faulty = z.object({ Fault: z.unknown() });

/**
 * A query or a list of changes can fail in a reply whose status is 200, with the fault inside
 * (`QueryResponse` and `CDCResponse` in IntuitRestServiceDef.xsd of QuickBooks-V3-Java-SDK).
 */
const InnerFaultReply = z.union([
  z.object({ QueryResponse: Faulty }),
  z.object({ CDCResponse: z.array(z.unknown()) }),
]);

const innerFaultOf = (body: unknown): unknown => {
  const reply = InnerFaultReply.safeParse(body).data;
  if (reply === undefined) return undefined;
  if ('QueryResponse' in reply) return reply.QueryResponse;
  const Inner = z.object({ QueryResponse: z.array(z.unknown()) });
  return reply.CDCResponse.flatMap((it) => [it, ...(Inner.safeParse(it).data?.QueryResponse ?? [])])
    .map((it) => Faulty.safeParse(it))
    .find(({ data }) => data?.Fault !== undefined)?.data;
};

/**
 * What a fault's code means for a call that only reads.
 *
 * 3100 (ApplicationAuthorizationFailed, status 403) is what users report of a company that the
 * token is not good for, and of one that must be connected again; we know of no page of Intuit's
 * that says so. Intuit's own people met the 401 of a bad token there as well
 * (github.com/intuit/oauth-jsclient, issue 91). 6000 is about what is written, or asks to try again
 * in a few minutes; 10000 is a failure of the system.
 *
 * 6190 is "Invalid Company Status: Subscription period has ended or been canceled, or there was a
 * billing problem" (developer.intuit.com/hub/blog/2017/06/08/top-quickbooks-online-api-errors-and-
 * how-to-handle-them), though reading is said to stay possible until the company is deleted
 * (developer.intuit.com, subscription states). 7001 says that the "subscription for company has
 * lapsed", or that a company of the sandbox was asked for in production
 * (github.com/ruckus/quickbooks-ruby, issue 321), where no consent leads.
 */
const reasonByFault = new Map<string, PlatformFailureReason>([
  ['3100', 'company_not_found'],
  ['3200', 'credentials_refused'],
  ['6000', 'platform_unavailable'],
  ['6190', 'subscription_lapsed'],
  ['7001', 'subscription_lapsed'],
  ['10000', 'platform_unavailable'],
]);

/** The fault's code without its zeros in front, and its words. */
const wordsOf = (given: unknown): Pick<FailureClass, 'code' | 'message'> => {
  const error = FaultError.safeParse(given).data;
  if (error === undefined) return {};
  const words = [error.Message ?? error.message, error.Detail ?? error.detail];
  return { code: error.code.replace(/^0+/, ''), message: words.filter(Boolean).join(': ') };
};

export const classifyFault = ({ status, body }: Reply): FailureClass | undefined => {
  const inner = innerFaultOf(body);
  const reply = FaultReply.safeParse(inner ?? body).data;
  const errors = reply && ('Fault' in reply ? reply.Fault.Error : reply.fault.error);
  const words = wordsOf(errors?.[0]);
  if (status === 429 || words.code === '3001') return { ...words, ...rateLimited };
  const reason = reasonByFault.get(words.code ?? '');
  if (reason !== undefined) return { ...words, reason };
  // A page that is a fault must not pass for one without entities, which would be the last.
  if (status < 300)
    return inner || reply ? { ...words, reason: 'reply_not_understood' } : undefined;
  return words;
};

/** Where tokens are asked for, 401 and 403 are about our own client, whatever the body says. */
export const classifyTokenError =
  (refused: 'code_refused' | 'credentials_refused') =>
  (reply: Reply): FailureClass | undefined => {
    const failureClass = classifyOAuthError(refused)(reply);
    if (failureClass !== undefined) return failureClass;
    if (reply.status === 429) return rateLimited;
    const isAboutUs = reply.status === 401 || reply.status === 403;
    return isAboutUs ? { reason: 'platform_unavailable' } : undefined;
  };

/**
 * A token that is dead already is refused (github.com/intuit/oauth-jsclient, issue 18), by what is
 * reported with 400 and no body (issue 71); Intuit documents neither.
 */
export const classifyRevocation = (reply: Reply): FailureClass | undefined =>
  classifyTokenError('credentials_refused')(reply) ??
  (reply.status === 400 ? { reason: 'credentials_refused' } : undefined);
