// Checks that the AWS SDK signed a request with the local stage's secret key (IAM User Guide,
// "Create a signed AWS API request").

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const algorithm = 'AWS4-HMAC-SHA256';
const authorizationPattern = new RegExp(
  `^${algorithm} Credential=[^/,]+/((\\d{8})/([\\w-]+)/([\\w-]+)/aws4_request), ` +
    'SignedHeaders=([\\w;-]+), Signature=([0-9a-f]{64})$',
);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** For POST requests without a query, to a path of letters, digits, hyphens and slashes. */
export const isSignedWith = (
  secretAccessKey: string,
  { path = '/', headers, body }: { path?: string; headers: IncomingHttpHeaders; body: string },
): boolean => {
  const [, scope = '', date = '', region = '', service = '', names = '', signature] =
    authorizationPattern.exec(headers.authorization ?? '') ?? [];
  if (signature === undefined) return false;
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`);
  const canonicalRequest = ['POST', path, '', ...lines, '', names, sha256(body)].join('\n');
  const moment = String(headers['x-amz-date']);
  const textToSign = [algorithm, moment, scope, sha256(canonicalRequest)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretAccessKey}`,
  );
  return timingSafeEqual(hmac(key, textToSign), Buffer.from(signature, 'hex'));
};
