// Classifies error replies of the QuickBooks API and of Intuit's token endpoint.

import * as z from 'zod/mini';
import type { FailureClass } from '../failure-classes.ts';
import { classifyOAuthError, type GrantRefusal } from '../oauth.ts';
import type { PlatformFailureReason } from '../platform.ts';
import type { Reply } from '../replies.ts';

/** The header with a reply's id (README of github.com/intuit/oauth-jsclient). */
export const traceHeader = 'intuit_tid';

/**
 * The wait that Intuit asks for (developer.intuit.com, limits and throttles), without Retry-After.
 */
const rateLimited: FailureClass = { reason: 'rate_limited', retryAfterSeconds: 60 };

const Text = z.nullish(z.string());
const Code = z.string().check(z.regex(/^\d{1,6}$/));

/** The API uses upper case, and its gateway, which checks tokens, lower case. */
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
 * A failed query or list of changes can have status 200 and contain the fault
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
 * The reasons by fault code, for calls that only read.
 *
 * 3100 (ApplicationAuthorizationFailed, status 403): users report it for a company outside the
 * consent and for a company that must be connected again. We know of no documentation. Intuit's own
 * developers saw it for an invalid token too (github.com/intuit/oauth-jsclient, issue 91). 6000 is
 * about writes, or asks to retry in a few minutes. 10000 is a system failure.
 *
 * 6190 is "Invalid Company Status: Subscription period has ended or been canceled, or there was a
 * billing problem" (developer.intuit.com/hub/blog/2017/06/08/top-quickbooks-online-api-errors-and-
 * how-to-handle-them), although reading should stay possible until the company is deleted
 * (developer.intuit.com, subscription states). 7001 means that the "subscription for company has
 * lapsed", or that production was asked for a sandbox company
 * (github.com/ruckus/quickbooks-ruby, issue 321), which no consent gives access to.
 */
const reasonByFault = new Map<string, PlatformFailureReason>([
  ['3100', 'company_not_found'],
  ['3200', 'credentials_refused'],
  ['6000', 'platform_unavailable'],
  ['6190', 'subscription_lapsed'],
  ['7001', 'subscription_lapsed'],
  ['10000', 'platform_unavailable'],
]);

/** The fault's code without leading zeros, and its message. */
const wordsOf = (fault: unknown): Pick<FailureClass, 'code' | 'message'> => {
  const error = FaultError.safeParse(fault).data;
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
  // Without this, a fault in a page would count as an empty page, which ends the list.
  if (status < 300)
    return inner || reply ? { ...words, reason: 'reply_not_understood' } : undefined;
  return words;
};

export const classifyTokenError =
  (refused: GrantRefusal) =>
  (reply: Reply): FailureClass | undefined =>
    classifyOAuthError(refused)(reply) ?? (reply.status === 429 ? rateLimited : undefined);

/**
 * Users report that Intuit refuses the revocation of an invalid token
 * (github.com/intuit/oauth-jsclient, issue 18) with status 400 and no body (issue 71). Intuit
 * documents neither.
 */
export const classifyRevocation = (reply: Reply): FailureClass | undefined =>
  classifyTokenError('credentials_refused')(reply) ??
  (reply.status === 400 ? { reason: 'credentials_refused' } : undefined);
