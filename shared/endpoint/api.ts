// How API Gateway calls an endpoint: REST proxy events (payload 1.0) in, our envelope out.

import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import { ApiError, errorEnvelope, type Problem, pointerTo, problem } from '../errors.ts';
import { prefersCsv } from './accepted-types.ts';
import { type ApiAnswer, type ApiEvent, type ApiMiddleware, Caller } from './api-event.ts';
import { instrument, type Telemetry } from './instrumentation.ts';
import { readJsonBody } from './json-body.ts';
import { securityHeaders } from './security-headers.ts';
import { validate, withoutNulls } from './validation.ts';

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
  /** Its data as csv, for whoever prefers that to JSON; without it, there is JSON alone. */
  csv?: (data: z.output<Data>, input: z.output<Request>) => string;
  /**
   * Whether it changes nothing, so that it answers read-only keys too. The authorizer's policy
   * keeps these from all others already; a mistake there is not to cost anybody's books.
   */
  isReadOnly?: boolean;
  /** Whether a request can be carried out twice without harm; all can where this is left out. */
  isIdempotent?: (request: Pick<ApiRequest<unknown>, 'input' | 'header'>) => boolean;
  /**
   * Problems that only the table can show, for an input that already has some. `found` are those
   * of the schema; what they point at must be left alone.
   *
   * It costs a read, so that a caller fixes a request once. Revisit when invalid requests dominate
   * the bill.
   */
  storeProblems?: (request: ApiRequest<unknown>, found: Problem[]) => Promise<Problem[]>;
};

/**
 * What Lambda takes as a function's reply (AWS Lambda Developer Guide, "Lambda quotas"), in which
 * the body is a text within JSON. More would be an error of the gateway's own, which says nothing.
 */
const maximumReplyBytes = 6 * 1024 * 1024;

/** How long before its end a function stops waiting and answers that it ran out of time. */
export const timeoutEarlyInMillis = 500;

type Headers = Record<string, string>;

const replyWith = (
  statusCode: number,
  body: object,
  headers: Headers = {},
): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...securityHeaders, ...headers },
  body: JSON.stringify(body),
});

const csvReplyWith = (body: string, headers: Headers): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { 'Content-Type': 'text/csv; charset=utf-8', ...securityHeaders, ...headers },
  body,
});

/** Makes the Lambda handler of an endpoint, with one log line for each request. */
export const createApiHandler = <Request extends z.ZodMiniType, Data extends z.ZodMiniType>(
  endpoint: Endpoint<Request, Data>,
  telemetry: Telemetry,
) => {
  const chain = middy<ApiEvent, ApiAnswer>({
    timeoutEarlyInMillis,
    timeoutEarlyResponse: () => {
      throw new ApiError('request_timed_out');
    },
  })
    .use(middlewaresOf(endpoint))
    .handler(async (event) => ({ reply: await answer(endpoint, event) }));

  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const headers = withLowerCaseNames(event.headers);
    const { reply } = await instrument(() => chain({ ...event, headers }, context), telemetry, {
      name: 'request',
      about: {
        request_id: event.requestContext.requestId,
        application_id: event.requestContext.authorizer?.applicationId,
        route: `${event.httpMethod} ${event.resource}`,
      },
      chargedTo: event.requestContext.authorizer?.applicationId,
      summarize: ({ reply: { statusCode, body }, fault }) => ({
        outcome: outcomeOf({ statusCode, body }),
        status: statusCode,
        fields: { status: statusCode },
        fault,
      }),
    });
    return reply;
  };
};

/** `success`, or the code of the refusal that the reply states. */
const outcomeOf = ({
  statusCode,
  body,
}: Pick<APIGatewayProxyResult, 'statusCode' | 'body'>): string =>
  statusCode < 400 ? 'success' : JSON.parse(body).error.code;

/**
 * The gateway passes the names of headers on as the caller wrote them. Where there are none it says
 * null, whatever the type says: its own test call does (an event in github.com/brefphp/bref, issue
 * 534).
 */
const withLowerCaseNames = (
  headers: APIGatewayProxyEvent['headers'] | null,
): APIGatewayProxyEvent['headers'] =>
  Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );

/** The one chain of every endpoint, in the order in which it runs. */
export const middlewaresOf = (
  endpoint: Pick<Endpoint<z.ZodMiniType, z.ZodMiniType>, 'from' | 'isReadOnly' | 'isIdempotent'>,
): ApiMiddleware[] => [
  answerErrors(endpoint),
  requireCaller(endpoint),
  ...(endpoint.from === 'body' ? readJsonBody : []),
];

/** Turns everything thrown into the failure envelope. The reply never explains a 5xx. */
const answerErrors = ({
  isIdempotent = () => true,
}: Pick<Endpoint<z.ZodMiniType, z.ZodMiniType>, 'isIdempotent'>): ApiMiddleware => ({
  onError: ({ error, event }) => {
    const apiError = apiErrorFrom(error);
    const requestId = event.requestContext.requestId;
    const wait = apiError.retryAfterSeconds;
    const refusal = replyWith(
      apiError.status,
      errorEnvelope({
        code: apiError.code,
        requestId,
        details: apiError.details,
        isIdempotent: isIdempotent({ input: event.body, header: (name) => event.headers[name] }),
      }),
      wait === undefined ? {} : { 'Retry-After': String(wait) },
    );
    return apiError.status >= 500 ? { reply: refusal, fault: error } : { reply: refusal };
  },
});

const apiErrorFrom = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('internal_error', { cause: error });

/** The default is to deny: without the authorizer's word nothing is done. */
const requireCaller = ({
  isReadOnly = false,
}: Pick<Endpoint<z.ZodMiniType, z.ZodMiniType>, 'isReadOnly'>): ApiMiddleware => ({
  before: ({ event }) => {
    const caller = Caller.safeParse(event.requestContext.authorizer);
    if (!caller.success) throw new ApiError('api_key_not_accepted');
    if (!isReadOnly && caller.data.access !== 'full') throw new ApiError('api_key_read_only');
    event.caller = caller.data;
  },
});

/** The query parameters, of which each is to be given once. */
const readQuery = ({ multiValueQueryStringParameters: given }: APIGatewayProxyEvent) => {
  const parameters = Object.entries(given ?? {}).map(([name, values = []]) => ({ name, values }));
  return {
    input: Object.fromEntries(parameters.map(({ name, values }) => [name, values.at(0) ?? ''])),
    repeated: parameters
      .filter(({ values }) => values.length > 1)
      .map(({ name }) => problem('repeated_parameter', pointerTo(name))),
  };
};

/** A success in the form that the request prefers, of those that the endpoint has. */
const successWith = <Request extends z.ZodMiniType, Data extends z.ZodMiniType>(
  { csv }: Pick<Endpoint<Request, Data>, 'csv'>,
  {
    data,
    input,
    headers,
    accept,
  }: {
    data: z.output<Data>;
    input: z.output<Request>;
    headers: Headers;
    accept: string | undefined;
  },
): APIGatewayProxyResult => {
  const body = { status: 'success', status_code: 200, data };
  if (csv === undefined) return replyWith(200, body, headers);
  const ofBoth = { Vary: 'Accept', ...headers };
  return prefersCsv(accept) ? csvReplyWith(csv(data, input), ofBoth) : replyWith(200, body, ofBoth);
};

const answer = async <Request extends z.ZodMiniType, Data extends z.ZodMiniType>(
  endpoint: Endpoint<Request, Data>,
  event: ApiEvent,
): Promise<APIGatewayProxyResult> => {
  const { caller } = event;
  if (caller === undefined) throw new ApiError('api_key_not_accepted');
  const { input: given, repeated } =
    endpoint.from === 'query' ? readQuery(event) : { input: event.body as unknown, repeated: [] };
  const input = withoutNulls(endpoint.request, given);
  const request = {
    caller,
    input,
    requestId: event.requestContext.requestId,
    header: (name: string) => event.headers[name],
    pathParameter: (name: string) => event.pathParameters?.[name],
  };
  const validated = validate(endpoint.request, input);
  const found = [...repeated, ...(validated.valid ? [] : validated.problems)];
  if (!validated.valid || found.length > 0) {
    const further = await endpoint.storeProblems?.(request, found);
    throw new ApiError('validation_failed', { details: [...found, ...(further ?? [])] });
  }
  const { data, headers } = await endpoint.handle({ ...request, input: validated.value });
  const reply = successWith(endpoint, {
    data: endpoint.data.parse(data),
    input: validated.value,
    headers: headers ?? {},
    accept: request.header('accept'),
  });
  if (Buffer.byteLength(JSON.stringify(reply)) > maximumReplyBytes) {
    throw new ApiError('reply_too_large');
  }
  return reply;
};
