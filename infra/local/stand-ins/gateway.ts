// The gateway on this machine, with the manifest's routes, the authorizer and its cache, and the
// errors of the deployed gateway.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
} from 'aws-lambda';
import { isWithin } from '#shared/money/dates.ts';
import { readBody } from '../../http-server.ts';
import type { GatewayError } from '../../manifest/gateway-responses.ts';
import { type FunctionName, functionsOfKind } from '../../manifest/manifest.ts';
import type { Throttling } from '../../manifest/stages.ts';
import { failureReply, GatewayFailure, gatewayFailureOf } from './gateway-failures.ts';
import type { Invoke } from './lambda.ts';
import { allows } from './policies.ts';
import { openRehearsals, type Rehearsal, type Rehearsals } from './rehearsals.ts';
import { openThrottles } from './throttles.ts';

/** The largest payload of API Gateway (API Gateway quotas). */
const maximumPayloadBytes = 10 * 1024 * 1024;

const stage = 'local';
const apiArn = `arn:aws:execute-api:local:000000000000:ledger/${stage}`;

type Route = { name: FunctionName; method: string; resource: string; pattern: RegExp };

const routes: Route[] = functionsOfKind('api').map(({ name, trigger: { method, path } }) => ({
  name,
  method,
  resource: path,
  // The gateway serves a resource with and without a trailing slash.
  pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
}));

type Incoming = { request: IncomingMessage; url: URL; requestId: string };

/** The URL of a request. A malformed one has no route. */
const urlOf = (request: IncomingMessage): URL => {
  const target = request.url ?? '';
  // A request target can be absolute (RFC 9112 section 3.2.2).
  const url = URL.parse(target.startsWith('/') ? `http://localhost${target}` : target);
  if (url === null) throw new GatewayFailure('MISSING_AUTHENTICATION_TOKEN');
  return url;
};

type Match = { route: Route; parameters: [string, string][] };

/** The gateway does not distinguish a path without this method from an unknown path. */
const findRoute = ({ request, url }: Incoming): Match => {
  for (const route of routes) {
    const match = route.pattern.exec(url.pathname);
    if (match && route.method === request.method) {
      return { route, parameters: Object.entries(match.groups ?? {}) };
    }
  }
  throw new GatewayFailure('MISSING_AUTHENTICATION_TOKEN');
};

const multiValues = (pairs: Iterable<[string, string]>): Record<string, string[]> => {
  // A caller can send a header or parameter named `constructor`.
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of pairs) {
    values[name] = [...(values[name] ?? []), value];
  }
  return values;
};

const lastValues = (values: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));

function* headerPairs({ rawHeaders }: IncomingMessage): Generator<[string, string]> {
  for (let place = 0; place + 1 < rawHeaders.length; place += 2) {
    yield [rawHeaders[place] ?? '', rawHeaders[place + 1] ?? ''];
  }
}

/** The event of a proxy integration (payload format 1.0). */
const eventOf = (
  { request, url, requestId }: Incoming,
  { resource, parameters }: { resource: string; parameters: [string, string][] },
): APIGatewayProxyEvent => {
  const multiValueHeaders = multiValues(headerPairs(request));
  const query = multiValues(url.searchParams);
  const hasQuery = Object.keys(query).length > 0;
  const { method = '' } = request;
  const now = new Date();
  return {
    resource,
    path: url.pathname,
    httpMethod: method,
    headers: lastValues(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: hasQuery ? lastValues(query) : null,
    multiValueQueryStringParameters: hasQuery ? query : null,
    pathParameters:
      parameters.length > 0
        ? Object.fromEntries(parameters.map(([name, value]) => [name, decodeOrKeep(value)]))
        : null,
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'ledger',
      authorizer: null,
      domainName: request.headers.host ?? '',
      domainPrefix: 'ledger',
      httpMethod: method,
      identity: { sourceIp: request.socket.remoteAddress ?? '' },
      path: `/${stage}${url.pathname}`,
      protocol: 'HTTP/1.1',
      requestId,
      requestTime: now.toUTCString(),
      requestTimeEpoch: now.getTime(),
      resourceId: resource,
      resourcePath: resource,
      stage,
    } as APIGatewayProxyEvent['requestContext'],
    body: null,
    isBase64Encoded: false,
  };
};

const decodeOrKeep = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Calls the authorizer and caches its result by API key. */
const openAuthorizer = (invoke: Invoke) => {
  const [authorizer] = functionsOfKind('authorizer');
  if (authorizer === undefined) throw new Error('the manifest has no authorizer');
  const { name, trigger } = authorizer;
  const cache = new Map<string, { result: APIGatewayAuthorizerResult; at: number }>();

  const readPolicy = async (event: APIGatewayProxyEvent, methodArn: string, apiKey: string) => {
    const cached = cache.get(apiKey);
    const cacheMilliseconds = trigger.cacheSeconds * 1000;
    if (cached && isWithin(cacheMilliseconds, { since: cached.at, now: Date.now() })) {
      return cached.result;
    }
    const { body: _body, isBase64Encoded: _isBase64Encoded, ...request } = event;
    const authorizerEvent = { ...request, type: 'REQUEST', methodArn, identitySource: apiKey };
    try {
      const result = (await invoke(name, authorizerEvent)) as APIGatewayAuthorizerResult;
      cache.set(apiKey, { result, at: Date.now() });
      return result;
    } catch (error) {
      const refused = error instanceof Error && error.message === 'Unauthorized';
      // To the gateway, any other error is a configuration error of the authorizer.
      const kind = refused ? 'UNAUTHORIZED' : 'AUTHORIZER_CONFIGURATION_ERROR';
      throw new GatewayFailure(kind, { cause: error });
    }
  };

  /** @returns the key by which the usage plan counts the caller */
  return async (event: APIGatewayProxyEvent): Promise<string> => {
    const headers = Object.entries(event.headers);
    const [, apiKey = ''] = headers.find(([name]) => name.toLowerCase() === 'x-api-key') ?? [];
    if (apiKey === '') throw new GatewayFailure('UNAUTHORIZED');
    const methodArn = `${apiArn}/${event.httpMethod}${event.path}`;
    const result = await readPolicy(event, methodArn, apiKey);
    const { context, principalId } = result;
    if (!allows(result, methodArn)) {
      throw new GatewayFailure('ACCESS_DENIED', { authorizer: { ...context } });
    }
    event.requestContext.authorizer = { ...context, principalId };
    return result.usageIdentifierKey ?? '';
  };
};

const send = (response: ServerResponse, { statusCode, headers, body }: APIGatewayProxyResult) => {
  const plain = Object.entries(headers ?? {}).map(
    ([name, value]) => [name, String(value)] as const,
  );
  response.writeHead(statusCode, Object.fromEntries(plain)).end(body);
};

export type RequestLine = {
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  fault?: unknown;
};

/** The failures that come before the function. */
const failureBefore: Partial<Record<Rehearsal['failure'], GatewayError>> = {
  throttled: 'THROTTLED',
  unavailable: 'INTEGRATION_FAILURE',
};

/**
 * @param options.report gets each request with its status, and the cause of a 5xx
 * @param options.rehearsals the failures that somebody planned
 */
export const createGateway = (
  invoke: Invoke,
  {
    throttling,
    report,
    rehearsals = openRehearsals(),
  }: {
    throttling: Throttling;
    report: (line: RequestLine) => void;
    rehearsals?: Pick<Rehearsals, 'take'>;
  },
): RequestListener => {
  const authorize = openAuthorizer(invoke);
  const mayPass = openThrottles(throttling);

  const answer = async (
    request: IncomingMessage,
    { requestId, rehearsal }: { requestId: string; rehearsal: Rehearsal | undefined },
  ): Promise<APIGatewayProxyResult> => {
    const incoming = { request, url: urlOf(request), requestId };
    const { route, parameters } = findRoute(incoming);
    const body = await readBody(request, maximumPayloadBytes);
    if (body === undefined) throw new GatewayFailure('REQUEST_TOO_LARGE');
    const event = eventOf(incoming, { resource: route.resource, parameters });
    const usageKey = await authorize(event);
    if (!mayPass({ usageKey, name: route.name })) throw new GatewayFailure('THROTTLED');
    const planned = rehearsal && failureBefore[rehearsal.failure];
    if (planned) throw new GatewayFailure(planned);
    // As on AWS, U+FFFD replaces bytes that are not UTF-8.
    const withBody = { ...event, body: body.length === 0 ? null : body.toString() };
    const result = (await invoke(route.name, withBody)) as APIGatewayProxyResult;
    if (rehearsal?.failure === 'timed_out') throw new GatewayFailure('INTEGRATION_TIMEOUT');
    return result;
  };

  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    // Without the query, which can contain personal data.
    const [path = ''] = request.url?.split('?', 1) ?? [];
    const rehearsal = rehearsals.take(path);
    const { result, fault } = await answer(request, { requestId, rehearsal }).then(
      (reply) => ({ result: reply, fault: undefined }),
      (error: unknown) => {
        const failure = gatewayFailureOf(error);
        return {
          result: failureReply(failure, requestId),
          fault: failure.cause,
        };
      },
    );
    if (rehearsal?.failure === 'slow') await pause(rehearsal.milliseconds);
    response.setHeader('x-amzn-RequestId', requestId);
    if (rehearsal?.failure === 'reply_lost') response.destroy();
    else send(response, result);
    report({
      method: request.method ?? '',
      path,
      status: result.statusCode,
      milliseconds: Math.round(performance.now() - startedAt),
      ...(result.statusCode >= 500 && { fault }),
    });
  };
};
