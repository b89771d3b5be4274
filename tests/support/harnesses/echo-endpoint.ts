// An endpoint that echoes its input, with the whole replies and log lines to compare it with.

import * as z from 'zod/mini';
import { amount, text } from '#shared/domain/fields.ts';
import { type ApiErrorCode, errorEnvelope } from '#shared/errors.ts';
import { createApiHandler, type Endpoint } from '#shared/triggers/api.ts';
import {
  type ApiEventOptions,
  apiEvent,
  lambdaContext,
  readResult,
} from '../events/lambda-events.ts';
import { costFields, keepLog } from '../recorders/log.ts';
import { keepMetrics } from '../recorders/metrics.ts';

export const Request = z.strictObject({ note: text(300_000), amount: z.optional(amount) });
export const Data = z.object({ note: z.string(), amount: z.optional(amount) });
export type EchoEndpoint = Endpoint<typeof Request, typeof Data>;

export const echo: EchoEndpoint['handle'] = async ({ input }) => ({ data: input });

/** Calls an endpoint that echoes its input, with what a test changes of it. */
export const call = async (
  event: ApiEventOptions & { isBase64Encoded?: boolean },
  changes: Partial<EchoEndpoint> & { remainingMilliseconds?: number } = {},
) => {
  const log = keepLog();
  const metrics = keepMetrics();
  const { remainingMilliseconds, ...endpoint } = changes;
  const handler = createApiHandler(
    { from: 'body', request: Request, data: Data, handle: echo, ...endpoint },
    { log, metrics },
  );
  const { isBase64Encoded = false, ...options } = event;
  const result = await handler(
    { ...apiEvent(options), isBase64Encoded },
    lambdaContext(remainingMilliseconds),
  );
  return { ...readResult(result), log: log.lines as [string, Record<string, unknown>][] };
};

export const requestId = apiEvent({}).requestContext.requestId;
export const ownHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

export const success = (data: unknown) => ({
  status: 200,
  headers: ownHeaders,
  body: { status: 'success', status_code: 200, data },
});

export const failure = (
  code: ApiErrorCode,
  status: number,
  { details = [], headers = {} }: { details?: unknown[]; headers?: Record<string, string> } = {},
) => {
  const { error } = errorEnvelope({ code, requestId, isIdempotent: true });
  return {
    status,
    headers: { ...ownHeaders, ...headers },
    body: { status: 'error', status_code: status, error: { ...error, details } },
  };
};

export const requestLine = (status: number, outcome: ApiErrorCode | 'success', more = {}) => [
  'request',
  {
    request_id: requestId,
    application_id: 'app1',
    route: 'POST /external/v1/test',
    outcome,
    status,
    ...costFields(),
    ...more,
  },
];
