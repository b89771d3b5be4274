// Reads a JSON body and detects numbers that JavaScript cannot represent exactly.

import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import Big from 'big.js';
import { type ParseError, parse } from 'jsonc-parser';
import { ApiError, type Problem, problem } from '../errors.ts';
import { replacementCharacter } from '../fields.ts';
import type { ApiMiddleware } from './api-event.ts';
import { inexactNumber } from './validation.ts';

/** The maximum size of a body in bytes. API Gateway would allow 10 MB. */
export const maximumBodyBytes = 256 * 1024;

const textOfBody = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string =>
  isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');

/**
 * Refuses a body that is too large, empty or not UTF-8. The gateway replaces invalid bytes with
 * U+FFFD (recorded from AWS in github.com/localstack/localstack,
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

/** JSON must be UTF-8 (RFC 8259 section 8.1). The gateway decodes every body as UTF-8. */
const isOtherCharset = (contentType: string): boolean => {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  return charset !== undefined && !/^utf-?8$/i.test(charset);
};

const parser = httpJsonBodyParser();

/**
 * Parses the body. The parser refuses keys that could change a prototype, and nesting deeper than
 * its stack. Both are valid JSON, so the fallback parses them too: the schema then reports them as
 * unknown fields with a pointer.
 *
 * If an object contains a key twice, the last value counts. RFC 8259 section 4 allows this, and
 * most parsers do the same. Revisit if it causes a problem for a caller.
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

/** The offset of the first error in UTF-16 units. `undefined` if the nesting is too deep. */
const offsetOfError = (text: string): number | undefined => {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return undefined;
  }
  return errors[0]?.offset;
};

/** The problem with the line and column of the first syntax error, both counted from 1. */
const jsonSyntaxProblems = (text: string): Problem[] => {
  const offset = offsetOfError(text);
  if (offset === undefined) return [];
  const linesBefore = text.slice(0, offset).split('\n');
  const column = (linesBefore.at(-1)?.length ?? 0) + 1;
  return [problem('json_syntax', '', { line: linesBefore.length, column })];
};

const parsePlainly = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json', { details: jsonSyntaxProblems(text) });
  }
};

/** Only a number with many digits or an exponent can be inexact as a float. */
const mayBeInexact = /[\d.]{16}|\d[eE]/;

/** Replaces each inexact number with a marker for the schema. */
const markInexactNumbers: ApiMiddleware = {
  before: ({ event, internal }) => {
    const { text = '' } = internal;
    if (mayBeInexact.test(text)) event.body = withMarks(text) ?? event.body;
  },
};

/** Returns `undefined` if the nesting is too deep. None of our fields is at that depth. */
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

/** The middlewares, in the order in which they run. */
export const readJsonBody: readonly ApiMiddleware[] = [limitBody, parseBody, markInexactNumbers];
