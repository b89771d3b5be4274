// An endpoint that echoes its input, with the whole replies and log lines to compare it with.

import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { createApiHandler, type Endpoint } from '#shared/endpoint/api.ts';
import { type ApiErrorCode, errorEnvelope } from '#shared/errors.ts';
import { amount, text } from '#shared/fields.ts';
import {
  type ApiEventOptions,
  apiEvent,
  lambdaContext,
  readResult,
} from '../events/lambda-events.ts';
import { jsonHeaders } from '../readers/replies.ts';
import { costFields, keepLog } from '../recorders/log.ts';
import { keepMetrics } from '../recorders/metrics.ts';

export const Request = z.strictObject({ note: text(300_000), amount: z.optional(amount) });
export const Data = z.object({ note: z.string(), amount: z.optional(amount) });
export type EchoEndpoint = Endpoint<typeof Request, typeof Data>;

export const echo: EchoEndpoint['handle'] = async ({ input }) => ({ data: input });

type Changes = Partial<EchoEndpoint> & { remainingMilliseconds?: number };

/** Opens an endpoint that echoes its input, with changes. */
export const openEcho = ({ remainingMilliseconds, ...changes }: Changes = {}) => {
  const log = keepLog();
  const metrics = keepMetrics();
  const handler = createApiHandler(
    { from: 'body', request: Request, data: Data, handle: echo, ...changes },
    { log, metrics },
  );
  const send = async (event: APIGatewayProxyEvent) =>
    readResult(await handler(event, lambdaContext(remainingMilliseconds)));
  return {
    send,
    log: log.lines as [string, Record<string, unknown>][],
    metrics: metrics.events,
  };
};

/** Sends one request to an echo endpoint. */
export const call = async (
  { isBase64Encoded = false, ...options }: ApiEventOptions & { isBase64Encoded?: boolean },
  changes: Changes = {},
) => {
  const { send, log } = openEcho(changes);
  return { ...(await send({ ...apiEvent(options), isBase64Encoded })), log };
};

export const requestId = apiEvent({}).requestContext.requestId;

export const failure = (
  code: ApiErrorCode,
  status: number,
  { details = [], headers = {} }: { details?: unknown[]; headers?: Record<string, string> } = {},
) => {
  const { error } = errorEnvelope({ code, requestId, isIdempotent: true });
  return {
    status,
    headers: { ...jsonHeaders, ...headers },
    body: { status: 'error', status_code: status, error: { ...error, details } },
  };
};

export const requestLine = (
  status: number,
  outcome: ApiErrorCode | 'success',
  more = {},
): [message: string, fields: object] => [
  'request',
  {
    request_id: requestId,
    application_id: 'app1',
    outcome,
    status,
    ...costFields(),
    ...more,
  },
];
