// Reads a JSON body: bounded, in UTF-8, and with every number exactly as the caller wrote it.

import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import Big from 'big.js';
import { ApiError, problem } from '../errors.ts';
import { replacementCharacter } from '../fields.ts';
import type { ApiMiddleware } from './api-event.ts';
import { jsonSyntaxProblems } from './json-syntax.ts';
import { inexactNumber } from './validation.ts';

/** The largest body in bytes; API Gateway itself would let 10 MB through. */
export const maximumBodyBytes = 256 * 1024;

const textOfBody = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string =>
  isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');

/**
 * Refuses a body that is too large, not there or not UTF-8, and keeps its text for the steps that
 * follow. Where bytes are not UTF-8, the gateway has put U+FFFD when it read the body as text
 * (recorded from AWS in github.com/localstack/localstack,
 * tests/aws/services/apigateway/test_apigateway_s3.snapshot.json).
 */
const limitBody: ApiMiddleware = {
  before: ({ event, internal }) => {
    const text = textOfBody(event);
    if (Buffer.byteLength(text) > maximumBodyBytes) throw new ApiError('body_too_large');
    if (text.trim() === '') {
      throw new ApiError('malformed_json', { details: [problem('required', '')] });
    }
    if (text.includes(replacementCharacter)) {
      throw new ApiError('malformed_json', { details: [problem('encoding_not_valid', '')] });
    }
    internal.text = text;
  },
};

/** JSON is UTF-8 (RFC 8259 section 8.1); the gateway has read it as that, whatever it says. */
const isOtherCharset = (contentType: string): boolean => {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  return charset !== undefined && !/^utf-?8$/i.test(charset);
};

const parser = httpJsonBodyParser();

/**
 * Parses the body. The parser refuses keys that could reach a prototype, and gives up on nesting
 * deeper than its stack; both are JSON all the same, and parsed plainly they are unknown fields,
 * which the schema names with their place.
 *
 * Of a key that stands twice in an object the last one counts: RFC 8259 section 4 leaves it open,
 * and most readers do the same. Revisit when a caller is hurt by it.
 */
const parseBody: ApiMiddleware = {
  before: async (request) => {
    const { event, internal } = request;
    if (isOtherCharset(event.headers['content-type'] ?? '')) {
      throw new ApiError('content_type_not_supported');
    }
    try {
      await parser.before?.(request as Parameters<NonNullable<typeof parser.before>>[0]);
    } catch (error) {
      if ((error as { statusCode?: unknown }).statusCode === 415) {
        throw new ApiError('content_type_not_supported');
      }
      event.body = parsePlainly(internal.text ?? '');
    }
  },
};

const parsePlainly = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json', { details: jsonSyntaxProblems(text) });
  }
};

/** Only a number of many digits or with an exponent can be one that a float does not hold. */
const mayBeInexact = /[\d.]{16}|\d[eE]/;

/** Puts a mark where a number of the body is not exactly what the caller wrote. */
const markInexactNumbers: ApiMiddleware = {
  before: ({ event, internal }) => {
    const { text = '' } = internal;
    if (mayBeInexact.test(text)) event.body = withMarks(text) ?? event.body;
  },
};

/** `undefined` where the body is nested too deeply to be walked; then no field of ours is in it. */
const withMarks = (text: string) => {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && !isExact(value, context?.source ?? '') ? inexactNumber : value,
    );
  } catch {
    return undefined;
  }
};

const isExact = (value: number, source: string): boolean =>
  Number.isFinite(value) && new Big(value).eq(source);

/** The steps, in the order in which they run. */
export const readJsonBody: readonly ApiMiddleware[] = [limitBody, parseBody, markInexactNumbers];
