// Builders of the events of a Lambda URL, as a browser causes them.

import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { keepReply } from './lambda-events.ts';

/** A Lambda URL event (payload 2.0). */
export const urlEvent = ({
  path,
  query = '',
  form,
  method = form === undefined ? 'GET' : 'POST',
}: {
  path: string;
  query?: string | Record<string, string>;
  /** The fields of a form. Lambda encodes the body in Base64. */
  form?: string | Record<string, string> | undefined;
  method?: string | undefined;
}): APIGatewayProxyEventV2 => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: path,
  rawQueryString: new URLSearchParams(query).toString(),
  headers: {
    accept: 'text/html',
    'user-agent': 'test',
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  },
  requestContext: {
    accountId: 'anonymous',
    apiId: 'abcdef1234',
    domainName: 'abcdef1234.lambda-url.eu-west-1.on.aws',
    domainPrefix: 'abcdef1234',
    http: { method, path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'test' },
    requestId: '8f6a1f0e-93c5-4f7f-8f0e-0123456789ab',
    routeKey: '$default',
    stage: '$default',
    time: '23/Mar/2026:09:30:00 +0000',
    timeEpoch: 1774258200000,
  },
  ...(form !== undefined && {
    body: Buffer.from(new URLSearchParams(form).toString()).toString('base64'),
  }),
  isBase64Encoded: form !== undefined,
});

/** The visible parts of a page: status, heading and sentence. */
export const readPage = (result: APIGatewayProxyStructuredResultV2) => {
  const { statusCode, headers, body = '' } = keepReply(result);
  const [, title, text] = /<h1>(.*)<\/h1><p>(.*)<\/p>/.exec(body) ?? [];
  return { status: statusCode, location: headers?.Location, title, text };
};

/** The form of a page: its address, hidden fields and choices. */
export const readForm = ({ body = '' }: APIGatewayProxyStructuredResultV2) => {
  const inputsOf = (type: string) =>
    [...body.matchAll(new RegExp(`<input type="${type}" name="(.*?)" value="(.*?)"`, 'g'))].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
  return {
    action: /<form method="post" action="(.*?)"/.exec(body)?.[1],
    hidden: Object.fromEntries(inputsOf('hidden')),
    choices: inputsOf('radio').map(([, value]) => value),
  };
};
