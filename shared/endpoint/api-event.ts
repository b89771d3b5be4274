// The gateway's event and the reply, as the endpoints' middlewares see them.

import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { keyAccesses } from '../applications/api-keys.ts';

/** The calling application and its key, from the authorizer. */
export const Caller = z.object({
  applicationId: z.string(),
  keyId: z.string(),
  access: z.enum(keyAccesses),
});
export type Caller = z.infer<typeof Caller>;

export type ApiEvent = APIGatewayProxyEvent & { caller?: Caller };

/** A reply. For an internal error, `fault` is the cause, for the log. */
export type ApiAnswer = { reply: APIGatewayProxyResult; fault?: unknown };

export type ApiMiddleware = middy.MiddlewareObj<
  ApiEvent,
  ApiAnswer,
  Error,
  Context,
  { text?: string }
>;
