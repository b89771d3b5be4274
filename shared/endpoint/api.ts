// The API trigger: API Gateway calls an endpoint with a REST proxy event (payload 1.0) and gets our
// envelope.

import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import { Caller } from '../applications/caller.ts';
import {
  ApiError,
  apiErrorFrom,
  errorEnvelope,
  type Problem,
  pointerTo,
  problem,
} from '../errors.ts';
import { forWaitingCaller } from '../table/retry.ts';
import type { Telemetry } from '../telemetry.ts';
import { type ApiAnswer, type ApiEvent, type ApiMiddleware, securityHeaders } from './api-event.ts';
import { instrument } from './instrumentation.ts';
import { readJsonBody } from './json-body.ts';
import { tenantIn } from './tenant-in.ts';
import { validate, withoutNulls } from './validation.ts';

export type ApiRequest<Input> = {
  caller: Caller;
  input: Input;
  /** A request header, by its name in lower case. */
  header: (name: string) => string | undefined;
  /** A variable of the route's path. */
  pathParameter: (name: string) => string | undefined;
};

export type ApiReply<Data> = { data: Data; headers?: Record<string, string> };

export type Endpoint<Request extends z.ZodMiniType, Data extends z.ZodMiniType> = {
  /** The source of the input: the JSON body or the query parameters. */
  from: 'body' | 'query';
  request: Request;
  data: Data;
  handle: (request: ApiRequest<z.output<Request>>) => Promise<ApiReply<z.input<Data>>>;
  /** Formats the data as CSV, for requests that prefer CSV to JSON. */
  csv?: (data: z.output<Data>, input: z.output<Request>) => string;
  /**
   * Whether the endpoint changes nothing. Read-only keys can only call such endpoints. The
   * authorizer's policy checks this too; this check protects the books if that policy is wrong.
   */
  isReadOnly?: boolean;
  /** Whether contended writes wait long: a platform may have replaced tokens for the request. */
  isPatient?: boolean;
  /** Whether a request can be repeated without harm. Defaults to true. */
  isIdempotent?: (request: Pick<ApiRequest<unknown>, 'input' | 'header'>) => boolean;
  /**
   * Finds the problems that require a read of the table, in an input that violates the schema. It
   * must not use the fields that `schemaProblems` point to.
   *
   * The read lets a caller fix all problems at once. Revisit if invalid requests dominate the bill.
   */
  storeProblems?: (request: ApiRequest<unknown>, schemaProblems: Problem[]) => Promise<Problem[]>;
};

/**
 * Lambda's maximum size of a reply as JSON (AWS Lambda Developer Guide, "Lambda quotas"). For a
 * larger reply, the caller would get a generic error of the gateway.
 */
const maximumReplyBytes = 6 * 1024 * 1024;

/** The time before a function's timeout at which it stops waiting and answers with an error. */
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
    .handler(async (event) => {
      const work = () => answer(endpoint, event);
      const reply = await (endpoint.isPatient ? work() : forWaitingCaller(work));
      return { reply, outcome: 'success' };
    });

  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const chained: ApiEvent = { ...event, headers: withLowerCaseNames(event.headers) };
    const { reply } = await instrument(() => chain(chained, context), telemetry, {
      name: 'request',
      about: {
        request_id: event.requestContext.requestId,
        application_id: event.requestContext.authorizer?.applicationId,
      },
      chargedTo: event.requestContext.authorizer?.applicationId,
      summarize: ({ reply: { statusCode: status }, outcome, fault }) => ({
        outcome,
        status,
        fields: { tenant: chained.tenant, status },
        fault,
      }),
    });
    return reply;
  };
};

/**
 * The gateway does not change the case of header names. Without headers it sends null, contrary to
 * the type, for example in its own test call (an event in github.com/brefphp/bref, issue 534).
 */
const withLowerCaseNames = (
  headers: APIGatewayProxyEvent['headers'] | null,
): APIGatewayProxyEvent['headers'] =>
  Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );

/** The middlewares of every endpoint, in the order in which they run. */
export const middlewaresOf = (
  endpoint: Pick<Endpoint<z.ZodMiniType, z.ZodMiniType>, 'from' | 'isReadOnly' | 'isIdempotent'>,
): ApiMiddleware[] => [
  answerErrors(endpoint),
  requireCaller(endpoint),
  ...(endpoint.from === 'body' ? readJsonBody : []),
];

/** Turns every error into the failure envelope. The reply never explains a 5xx. */
const answerErrors = ({
  isIdempotent = () => true,
}: Pick<Endpoint<z.ZodMiniType, z.ZodMiniType>, 'isIdempotent'>): ApiMiddleware => ({
  onError: ({ error, event }) => {
    const { code, status, details, retryAfterSeconds: wait } = apiErrorFrom(error);
    const { requestId } = event.requestContext;
    const reply = replyWith(
      status,
      errorEnvelope({
        code,
        requestId,
        details,
        isIdempotent: isIdempotent({ input: event.body, header: (name) => event.headers[name] }),
      }),
      wait === undefined ? {} : { 'Retry-After': String(wait) },
    );
    return { reply, outcome: code, ...(status >= 500 && { fault: error }) };
  },
});

/** Refuses requests without a caller from the authorizer. */
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

/** The query parameters, and the problems of repeated ones. */
const readQuery = ({ multiValueQueryStringParameters: query }: APIGatewayProxyEvent) => {
  const parameters = Object.entries(query ?? {}).map(([name, values = []]) => ({ name, values }));
  return {
    input: Object.fromEntries(parameters.map(({ name, values }) => [name, values.at(0) ?? ''])),
    repeated: parameters
      .filter(({ values }) => values.length > 1)
      .map(({ name }) => problem('repeated_parameter', pointerTo(name))),
  };
};

/** A media range with its weight (0 to 1) and precision (2 for an exact type). */
type AcceptedRange = { range: string; weight: number; precision: number };

const precisionOf = (range: string): number => {
  if (range === '*/*') return 0;
  return range.endsWith('/*') ? 1 : 2;
};

/** Ignores parameters other than the weight. An invalid weight counts as 0. */
const rangeOf = (text: string): AcceptedRange => {
  const [range = '', ...parameters] = text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const weight = parameters.find((it) => it.startsWith('q='))?.slice(2) ?? '1';
  const isWeight = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight);
  return { range, weight: isWeight ? Number(weight) : 0, precision: precisionOf(range) };
};

/** The most precise range of the header that matches a type. */
const findRange = (accept: string, type: string): AcceptedRange => {
  const ranges = [type, type.replace(/\/.*/, '/*'), '*/*'];
  const matches = accept
    .split(',')
    .map(rangeOf)
    .filter(({ range }) => ranges.includes(range));
  matches.sort((one, other) => other.precision - one.precision);
  return matches[0] ?? { range: '', weight: 0, precision: 0 };
};

/**
 * Whether a request prefers CSV to JSON (RFC 9110 section 12.5.1). With equal weights it prefers
 * JSON, unless only CSV is named. JSON is also the answer if the request accepts neither.
 * @param accept the header, if there is one
 */
const prefersCsv = (accept = '*/*'): boolean => {
  const csv = findRange(accept, 'text/csv');
  const json = findRange(accept, 'application/json');
  if (csv.weight !== json.weight) return csv.weight > json.weight;
  return csv.weight > 0 && csv.precision > json.precision;
};

/** A success as JSON, or as CSV if the endpoint has it and the request prefers it. */
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
  const varying = { Vary: 'Accept', ...headers };
  return prefersCsv(accept)
    ? csvReplyWith(csv(data, input), varying)
    : replyWith(200, body, varying);
};

/** A character of the body takes at most six bytes, so a short body needs no exact count. */
const isTooLarge = (reply: APIGatewayProxyResult): boolean =>
  reply.body.length > maximumReplyBytes / 8 &&
  Buffer.byteLength(JSON.stringify(reply)) > maximumReplyBytes;

const answer = async <Request extends z.ZodMiniType, Data extends z.ZodMiniType>(
  endpoint: Endpoint<Request, Data>,
  event: ApiEvent,
): Promise<APIGatewayProxyResult> => {
  const { caller } = event;
  if (caller === undefined) throw new ApiError('api_key_not_accepted');
  const { input: rawInput, repeated } =
    endpoint.from === 'query' ? readQuery(event) : { input: event.body as unknown, repeated: [] };
  const input = withoutNulls(endpoint.request, rawInput);
  event.tenant = tenantIn(input);
  const request = {
    caller,
    input,
    header: (name: string) => event.headers[name],
    pathParameter: (name: string) => event.pathParameters?.[name],
  };
  const validated = validate(endpoint.request, input);
  const problems = [...repeated, ...(validated.valid ? [] : validated.problems)];
  if (!validated.valid || problems.length > 0) {
    const further = await endpoint.storeProblems?.(request, problems);
    throw new ApiError('validation_failed', { details: [...problems, ...(further ?? [])] });
  }
  const { data, headers } = await endpoint.handle({ ...request, input: validated.value });
  event.tenant ??= tenantIn(data);
  const reply = successWith(endpoint, {
    data: endpoint.data.parse(data),
    input: validated.value,
    headers: headers ?? {},
    accept: request.header('accept'),
  });
  if (isTooLarge(reply)) throw new ApiError('reply_too_large');
  return reply;
};
