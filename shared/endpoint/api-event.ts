// The gateway's event and the reply, as the endpoints' middlewares see them.

import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Caller } from '../applications/caller.ts';
import type { ApiErrorCode } from '../errors.ts';

/** `tenant` is the prefix of the tenant that the request names or creates. */
export type ApiEvent = APIGatewayProxyEvent & { caller?: Caller; tenant?: string | undefined };

/** A reply, and what the log says of it. For an internal error, `fault` is the cause. */
export type ApiAnswer = {
  reply: APIGatewayProxyResult;
  outcome: 'success' | ApiErrorCode;
  fault?: unknown;
};

export type ApiMiddleware = middy.MiddlewareObj<
  ApiEvent,
  ApiAnswer,
  Error,
  Context,
  { text?: string }
>;

/**
 * The security headers of every reply, including those of the gateway and the firewall. They forbid
 * caching and guessing the content type.
 */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;
