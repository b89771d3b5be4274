// The gateway's event as the endpoints' middlewares see it, with the caller once it is known.

import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { keyAccesses } from '../applications/api-keys.ts';

/** Who calls, and what its key is for, as the authorizer found it. */
export const Caller = z.object({
  applicationId: z.string(),
  keyId: z.string(),
  access: z.enum(keyAccesses),
});
export type Caller = z.infer<typeof Caller>;

export type ApiEvent = APIGatewayProxyEvent & { caller?: Caller };

/** A reply, with the fault behind it where it is ours; the log has it, the caller does not. */
export type ApiAnswer = { reply: APIGatewayProxyResult; fault?: unknown };

export type ApiMiddleware = middy.MiddlewareObj<
  ApiEvent,
  ApiAnswer,
  Error,
  Context,
  { text?: string }
>;
