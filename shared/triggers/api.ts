// How API Gateway calls an endpoint: REST proxy events (payload 1.0) in, our envelope out.

import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import Big from 'big.js';
import * as z from 'zod/mini';
import { errorEnvelope, type Problem, pointerTo, problem, Refusal } from '../errors.ts';
import type { Log } from '../log.ts';
import { measureUsage } from '../usage.ts';
import { inexactNumber, validate } from './validation.ts';

/** Who calls, as the authorizer found it. */
export const Caller = z.object({ applicationId: z.string(), keyId: z.string() });
export type Caller = z.infer<typeof Caller>;

export type ApiRequest<Input> = {
  caller: Caller;
  input: Input;
  requestId: string;
  /** A request header, by its name in lower case. */
  header: (name: string) => string | undefined;
  /** A variable of the route's path. */
  pathParameter: (name: string) => string | undefined;
};

export type ApiReply<Data> = { data: Data; headers?: Record<string, string> };

/** An endpoint: what it takes, what it returns and what it does. */
export type Endpoint<Request extends z.ZodMiniType, Data extends z.ZodMiniType> = {
  /** Where the input is: the JSON body, or the query parameters. */
  from: 'body' | 'query';
  request: Request;
  data: Data;
  handle: (request: ApiRequest<z.output<Request>>) => Promise<ApiReply<z.input<Data>>>;
  /**
   * Problems that only the table can show, for an input that already has some. `found` are those
   * of the schema; what they point at must be left alone.
   */
  furtherProblems?: (request: ApiRequest<unknown>, found: Problem[]) => Promise<Problem[]>;
};

/** The largest body in bytes; API Gateway itself would let 10 MB through. */
export const largestBody = 256 * 1024;

/** How long before its end a function stops waiting and answers that it ran out of time. */
const timeoutEarlyInMillis = 500;

type ApiMiddleware = middy.MiddlewareObj<
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  Error,
  Context,
  { text?: string }
>;

const reply = (
  statusCode: number,
  body: object,
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** Makes the Lambda handler of an endpoint, with one log line for each request. */
export const createApiHandler = <Request extends z.ZodMiniType, Data extends z.ZodMiniType>(
  endpoint: Endpoint<Request, Data>,
  { log }: { log: Log },
) => {
  const chain = middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis,
    timeoutEarlyResponse: () => {
      throw new Refusal('request_timed_out');
    },
  })
    .use(middlewaresOf(endpoint, log))
    .handler((event) => answer(endpoint, event));

  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const startedAt = performance.now();
    const headers = withLowerCaseNames(event.headers);
    const { result, usage } = await measureUsage(() => chain({ ...event, headers }, context));
    log.info('request', {
      request_id: event.requestContext.requestId,
      application_id: event.requestContext.authorizer?.applicationId,
      route: `${event.httpMethod} ${event.resource}`,
      status: result.statusCode,
      duration_ms: Math.round(performance.now() - startedAt),
      table_calls: usage.calls.length,
      capacity_units: usage.calls.reduce((sum, { units }) => sum + units, 0),
      contention_retries: usage.contentionRetries,
    });
    return result;
  };
};

/** The gateway passes the names of headers on as the caller wrote them. */
const withLowerCaseNames = (headers: APIGatewayProxyEvent['headers']): typeof headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The one chain of every endpoint, in the order in which it runs. */
export const middlewaresOf = (
  endpoint: Pick<Endpoint<z.ZodMiniType, z.ZodMiniType>, 'from'>,
  log: Log,
): ApiMiddleware[] => [
  answerRefusals(log),
  requireCaller,
  ...(endpoint.from === 'body' ? [limitBody, httpJsonBodyParser(), markInexactNumbers] : []),
];

/** Turns everything thrown into the failure envelope. The reply never explains a 5xx. */
const answerRefusals = (log: Log): ApiMiddleware => ({
  onError: ({ error, event }) => {
    const refusal = refusalFrom(error);
    const requestId = event.requestContext.requestId;
    if (refusal.status >= 500) log.error(refusal.code, { request_id: requestId, error });
    const wait = refusal.retryAfterSeconds;
    return reply(
      refusal.status,
      errorEnvelope({ code: refusal.code, requestId, details: refusal.details }),
      wait === undefined ? {} : { 'Retry-After': String(wait) },
    );
  },
});

const ParserError = z.object({
  statusCode: z.number(),
  message: z.string(),
  cause: z.object({ package: z.literal('@middy/http-json-body-parser'), data: z.unknown() }),
});

const refusalFrom = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error;
  const thrownByParser = ParserError.safeParse(error);
  if (!thrownByParser.success) return new Refusal('internal_error', { cause: error });
  const { statusCode, message, cause } = thrownByParser.data;
  if (statusCode === 415) return new Refusal('content_type_not_supported');
  if (!message.startsWith('Forbidden key')) return new Refusal('malformed_json');
  const details = [problem('unknown_field', '', { field: String(cause.data) })];
  return new Refusal('validation_failed', { details });
};

/** The default is to deny: without the authorizer's word nothing is done. */
const requireCaller: ApiMiddleware = {
  before: ({ event }) => {
    if (!Caller.safeParse(event.requestContext.authorizer).success) {
      throw new Refusal('api_key_not_accepted');
    }
  },
};

const textOfBody = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string =>
  isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');

/** Refuses a body that is too large or not there, and keeps its text for the check of numbers. */
const limitBody: ApiMiddleware = {
  before: ({ event, internal }) => {
    const text = textOfBody(event);
    if (Buffer.byteLength(text) > largestBody) throw new Refusal('body_too_large');
    if (text.trim() === '') throw new Refusal('malformed_json');
    internal.text = text;
  },
};

/** Only a number of many digits or with an exponent can be one that a float does not hold. */
const mayBeInexact = /[\d.]{16}|\d[eE]/;

/** Puts a mark where a number of the body is not exactly what the caller wrote. */
const markInexactNumbers: ApiMiddleware = {
  before: ({ event, internal }) => {
    const { text = '' } = internal;
    if (!mayBeInexact.test(text)) return;
    event.body = JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && !isExact(value, context?.source ?? '') ? inexactNumber : value,
    );
  },
};

const isExact = (value: number, source: string): boolean =>
  Number.isFinite(value) && new Big(value).eq(source);

/** The query parameters, each given once. */
const queryOf = (event: APIGatewayProxyEvent): Record<string, string> => {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  const repeated = given.filter(([, values]) => (values?.length ?? 0) > 1);
  if (repeated.length > 0) {
    const details = repeated.map(([name]) => problem('repeated_parameter', pointerTo(name)));
    throw new Refusal('validation_failed', { details });
  }
  return Object.fromEntries(given.map(([name, values]) => [name, values?.[0] ?? '']));
};

const answer = async <Request extends z.ZodMiniType, Data extends z.ZodMiniType>(
  endpoint: Endpoint<Request, Data>,
  event: APIGatewayProxyEvent,
): Promise<APIGatewayProxyResult> => {
  const request = {
    caller: Caller.parse(event.requestContext.authorizer),
    input: endpoint.from === 'query' ? queryOf(event) : (event.body as unknown),
    requestId: event.requestContext.requestId,
    header: (name: string) => event.headers[name],
    pathParameter: (name: string) => event.pathParameters?.[name],
  };
  const validated = validate(endpoint.request, request.input);
  if (!validated.valid) {
    const further = await endpoint.furtherProblems?.(request, validated.problems);
    const details = [...validated.problems, ...(further ?? [])];
    throw new Refusal('validation_failed', { details });
  }
  const { data, headers: ownHeaders } = await endpoint.handle({
    ...request,
    input: validated.value,
  });
  const body = { status: 'success', status_code: 200, data: endpoint.data.parse(data) };
  return reply(200, body, ownHeaders);
};
