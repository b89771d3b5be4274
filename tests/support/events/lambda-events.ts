// Builders of the events that AWS sends, as recorded from it, and of a Lambda context.

import type {
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayRequestAuthorizerEvent,
  Context,
} from 'aws-lambda';
import type { Caller } from '#shared/applications/caller.ts';
import { secrets } from '../recorders/secrets-collector.ts';

export const lambdaContext = (remainingMilliseconds = 10_000): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'test',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:test',
  memoryLimitInMB: '512',
  awsRequestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  logGroupName: '/aws/lambda/test',
  logStreamName: '2026/11/21/[$LATEST]0123456789abcdef',
  getRemainingTimeInMillis: () => remainingMilliseconds,
  done: () => {},
  fail: () => {},
  succeed: () => {},
});

export type ApiEventOptions = {
  method?: string;
  resource?: string;
  body?: unknown;
  rawBody?: string;
  query?: Record<string, string | string[]>;
  pathParameters?: Record<string, string>;
  headers?: Record<string, string>;
  applicationId?: string;
  /** What of the caller is not as usual. */
  caller?: Partial<Caller>;
  withoutCaller?: boolean;
};

/** A caller of this application, whose key may do everything. */
export const callerOf = (applicationId: string): Caller => ({
  applicationId,
  keyId: `${applicationId}-key`,
  access: 'full',
});

/** The caller has an address and no AWS identity. */
const identity = Object.fromEntries([
  ...[
    ...['accessKey', 'accountId', 'apiKey', 'apiKeyId', 'caller', 'clientCert', 'userArn', 'user'],
    ...['cognitoAuthenticationProvider', 'cognitoAuthenticationType', 'cognitoIdentityId'],
    ...['cognitoIdentityPoolId', 'principalOrgId'],
  ].map((name) => [name, null]),
  ...Object.entries({ sourceIp: '203.0.113.7', userAgent: 'test' }),
]) as APIGatewayProxyEvent['requestContext']['identity'];

const commonRequestContext = {
  accountId: '123456789012',
  apiId: 'abcdef1234',
  domainName: 'abcdef1234.execute-api.eu-west-1.amazonaws.com',
  identity,
  protocol: 'HTTP/1.1',
  requestId: 'b5c5b7f5-8a3c-4d5f-9b0a-0123456789ab',
  requestTimeEpoch: 1774258200000,
  resourceId: 'abc123',
  stage: 'v1',
};

/** A REST proxy event (payload 1.0), already authorized for an application. */
export const apiEvent = (options: ApiEventOptions): APIGatewayProxyEvent => {
  const { method = 'POST', resource = '/external/v1/test', applicationId = 'app1' } = options;
  const headers = { 'Content-Type': 'application/json', ...options.headers };
  const body =
    options.rawBody ?? (options.body === undefined ? null : JSON.stringify(options.body));
  if (body !== null) secrets.registerFields(body);
  const query = Object.entries(options.query ?? {}).map(
    ([name, value]) => [name, [value].flat()] as const,
  );
  return {
    resource,
    path: `${resource}/`,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    ),
    queryStringParameters: Object.fromEntries(
      query.map(([name, values]) => [name, values.at(-1) ?? '']),
    ),
    multiValueQueryStringParameters: Object.fromEntries(query),
    pathParameters: options.pathParameters ?? null,
    stageVariables: null,
    requestContext: {
      ...commonRequestContext,
      authorizer: options.withoutCaller
        ? null
        : { ...callerOf(applicationId), ...options.caller, principalId: applicationId },
      domainPrefix: 'abcdef1234',
      extendedRequestId: 'JJbxmplHYosFVYQ=',
      httpMethod: method,
      path: `/v1${resource}/`,
      requestTime: '23/Mar/2026:09:30:00 +0000',
      resourcePath: resource,
    },
    body,
    isBase64Encoded: false,
  };
};

/** A REQUEST authorizer event, for a request with this key. */
export const authorizerEvent = (
  apiKey: string,
  headers: Record<string, string> = { 'X-API-Key': apiKey },
): APIGatewayRequestAuthorizerEvent => ({
  type: 'REQUEST',
  methodArn:
    'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234/v1/POST/external/v1/users/ensure/',
  resource: '/external/v1/users/ensure',
  path: '/external/v1/users/ensure/',
  httpMethod: 'POST',
  headers,
  multiValueHeaders: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  ),
  queryStringParameters: {},
  multiValueQueryStringParameters: {},
  pathParameters: {},
  stageVariables: {},
  requestContext: {
    ...commonRequestContext,
    authorizer: undefined,
    httpMethod: 'POST',
    path: '/v1/external/v1/users/ensure/',
    resourcePath: '/external/v1/users/ensure',
  },
});

type Reply = { headers?: object | undefined; body?: string | undefined };

/** Records a reply for the search for secrets. */
export const keepReply = <Given extends Reply>(reply: Given): Given => {
  const headers = Object.entries(reply.headers ?? {}).map((header) => header.join(': '));
  secrets.keep('reply of a handler', [...headers, '', reply.body].join('\n'));
  return reply;
};

/** A result with its body read, unless it is csv, to be compared whole. */
export const readResult = (result: APIGatewayProxyResult) => {
  const { statusCode, headers = {}, body } = keepReply(result);
  const isCsv = String(headers['Content-Type']).startsWith('text/csv');
  return { status: statusCode, headers, body: isCsv ? body : JSON.parse(body) };
};
