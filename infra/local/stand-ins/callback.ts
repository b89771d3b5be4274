// The callback's Lambda URL on this machine: it turns HTTP requests into events (format 2.0).

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { readBody } from '../../http-server.ts';
import { functionsOfKind } from '../../manifest/manifest.ts';
import type { RequestLine } from './gateway.ts';
import { InvocationRefused, type Invoke } from './lambda.ts';

/** The largest payload of a Lambda URL (AWS Lambda quotas). */
const maximumPayloadBytes = 6 * 1024 * 1024;

/** Bodies of other types arrive in Base64, forms included. */
const textType = /^(?:text\/|application\/(?:json|javascript|xml)\b)/i;

const eventOf = (
  request: IncomingMessage,
  { requestId, body }: { requestId: string; body: Buffer },
): APIGatewayProxyEventV2 => {
  const [path = '/', rawQueryString = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const now = new Date();
  const isText = textType.test(request.headers['content-type'] ?? '');
  const domainName = request.headers.host ?? '';
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(',')]),
    ),
    requestContext: {
      accountId: 'anonymous',
      apiId: 'callback',
      domainName,
      domainPrefix: 'callback',
      http: {
        method: request.method ?? '',
        path,
        protocol: 'HTTP/1.1',
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: request.headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
};

/** The reply of the URL if its function was not called or failed. */
const failureOf = (fault: unknown): APIGatewayProxyStructuredResultV2 =>
  fault instanceof InvocationRefused
    ? { statusCode: 429, body: '{"message":"Rate Exceeded."}' }
    : { statusCode: 502, body: 'Bad Gateway' };

export const createCallback = (
  invoke: Invoke,
  report: (line: RequestLine) => void,
): RequestListener => {
  const [callback] = functionsOfKind('url');
  if (callback === undefined) throw new Error('the manifest has no function with a URL');

  const answer = async (
    request: IncomingMessage,
    requestId: string,
  ): Promise<{ result: APIGatewayProxyStructuredResultV2; fault?: unknown }> => {
    const body = await readBody(request, maximumPayloadBytes);
    if (body === undefined) return { result: { statusCode: 413 } };
    const event = eventOf(request, { requestId, body });
    return invoke(callback.name, event).then(
      (result) => ({ result: result as APIGatewayProxyStructuredResultV2 }),
      (fault: unknown) => ({ result: failureOf(fault), fault }),
    );
  };

  return async (request, response) => {
    const startedAt = performance.now();
    const { result, fault } = await answer(request, randomUUID());
    const { statusCode = 200, headers, body } = result;
    response.writeHead(statusCode, headers as Record<string, string>).end(body);
    report({
      method: request.method ?? '',
      path: request.url?.split('?', 1)[0] ?? '',
      status: statusCode,
      milliseconds: Math.round(performance.now() - startedAt),
      ...(fault !== undefined && { fault }),
    });
  };
};
