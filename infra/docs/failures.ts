// Failures in the OpenAPI document: the envelope with every code, and the responses.

import { STATUS_CODES } from 'node:http';
import {
  type ApiErrorCode,
  apiErrors,
  errorEnvelope,
  maximumProblems,
  type Problem,
  problem,
  problems,
} from '#shared/errors.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { table } from './markdown.ts';
import { refTo } from './schemas.ts';

const exampleRequestId = '8f6f0b9c-2b7a-4a57-9d0e-3c5a1e7f4d21';

/** Details of failures other than `validation_failed`. */
const exampleDetails: Partial<Record<ApiErrorCode, Problem[]>> = {
  malformed_json: [problem('json_syntax', '', { line: 3, column: 14 })],
  cost_budget_exhausted: [
    problem('budget_used_up', '', {
      budget: 'read_units',
      size: 240_000,
      used: 84_873,
      allowed: 84_000,
    }),
  ],
  platform_not_connectable: [
    problem('not_an_allowed_value', '/platform', { allowed: [...slotNames] }),
  ],
  platform_refused_credentials: [problem('credentials_not_accepted', '/access_token')],
};

/** The failure that the introduction shows: two problems, with amounts and an account. */
export const failureToRead = errorEnvelope({
  code: 'validation_failed',
  requestId: exampleRequestId,
  details: [
    problem('debits_must_equal_credits', '/entries', {
      total_debits: '1159.60',
      total_credits: '1159.00',
      difference: '0.60',
    }),
    problem('account_not_found', '/entries/1/account', { account: '6001' }),
  ],
});

const codes = Object.keys(apiErrors) as ApiErrorCode[];

const retryableInWords = (retryable: boolean | 'if_idempotent'): string =>
  retryable === 'if_idempotent' ? 'if idempotent' : retryable ? 'yes' : 'no';

/** All error codes. */
export const errorTable = table(
  ['code', 'status', 'retryable', 'message'],
  codes.map((code) => {
    const { status, retryable, message } = apiErrors[code];
    return [`\`${code}\``, status, retryableInWords(retryable), message];
  }),
);

const problemTable = table(
  ['code', 'message'],
  Object.entries(problems).map(([code, message]) => [`\`${code}\``, message]),
);

export const failureSchemas = {
  Failure: {
    type: 'object',
    description: 'The envelope of every failure, including failures of the gateway.',
    required: ['status', 'status_code', 'error'],
    properties: {
      status: { type: 'string', const: 'error' },
      status_code: {
        type: 'integer',
        description: 'The HTTP status of the reply.',
      },
      error: {
        type: 'object',
        required: ['code', 'message', 'retryable', 'request_id', 'details'],
        properties: {
          code: {
            type: 'string',
            'x-extensible-enum': codes,
            description: 'Why the request failed. Decide on this. Later versions may add codes.',
          },
          message: { type: 'string', description: 'For people. The wording may change.' },
          retryable: {
            type: 'boolean',
            description: 'Whether the same request can succeed later.',
          },
          request_id: { type: 'string', description: 'Quote this to report a failure.' },
          details: {
            type: 'array',
            maxItems: maximumProblems,
            description:
              `All problems of the request, at most ${maximumProblems}. Empty if the request is ` +
              'refused as a whole.',
            items: refTo('Problem'),
          },
        },
      },
    },
  },
  Problem: {
    type: 'object',
    description: `A problem of a request.\n\n${problemTable}`,
    required: ['code', 'pointer', 'message'],
    properties: {
      code: {
        type: 'string',
        'x-extensible-enum': Object.keys(problems),
        description: 'The broken rule. Later versions may add codes.',
      },
      pointer: {
        type: 'string',
        description:
          'JSON Pointer (RFC 6901) to the part that breaks the rule, such as /entries/1/account. ' +
          'Empty for the whole body. For a query parameter or header: a slash and its name.',
      },
      message: { type: 'string', description: 'For people. The wording may change.' },
      params: {
        type: 'object',
        description: 'Values for your program, depending on the code.',
        additionalProperties: {
          anyOf: [
            { type: 'string' },
            { type: 'number' },
            { type: 'array', items: { type: 'string' } },
          ],
        },
      },
    },
  },
};

/** The outcome of some failures is unknown, so only an idempotent request can be repeated. */
const exampleOf = (code: ApiErrorCode, details: Problem[] = []) => ({
  summary:
    apiErrors[code].retryable === 'if_idempotent' ? `${code}, of an idempotent request` : code,
  value: errorEnvelope({ code, requestId: exampleRequestId, details, isIdempotent: true }),
});

/** The examples that all endpoints share. */
export const failureExamples = Object.fromEntries(
  codes
    .filter((code) => code !== 'validation_failed')
    .map((code) => [code, exampleOf(code, exampleDetails[code])]),
);

export const failureHeaders = {
  'Retry-After': {
    description: 'Seconds to wait before you send the request again.',
    schema: { type: 'integer', minimum: 0 },
  },
};

/** Replies with `Retry-After`: always for throttling and contention, sometimes for a platform. */
const statusesWithWait = [429, 502, 503, 504];

/**
 * The failure responses of an endpoint, by HTTP status.
 * @param problemsOfExample the details in the example of `validation_failed`
 */
export const failureResponses = (
  possible: readonly ApiErrorCode[],
  problemsOfExample: Problem[],
): Record<string, object> => {
  const byStatus = Object.groupBy(possible, (code) => apiErrors[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, found = []]) => [
      status,
      responseOf(Number(status), { found, problemsOfExample }),
    ]),
  );
};

const responseOf = (
  status: number,
  { found, problemsOfExample }: { found: ApiErrorCode[]; problemsOfExample: Problem[] },
) => ({
  description: [
    STATUS_CODES[status],
    '',
    ...found.map((code) => `- \`${code}\`: ${apiErrors[code].message}`),
  ].join('\n'),
  ...(statusesWithWait.includes(status) && {
    headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
  }),
  content: {
    'application/json': {
      schema: refTo('Failure'),
      examples: Object.fromEntries(
        found.map((code) => [
          code,
          code === 'validation_failed'
            ? exampleOf(code, problemsOfExample)
            : { $ref: `#/components/examples/${code}` },
        ]),
      ),
    },
  },
});
