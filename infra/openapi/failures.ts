// The refusals in the OpenAPI document: the failure envelope with every code, and the responses.

import { STATUS_CODES } from 'node:http';
import {
  type ApiErrorCode,
  apiErrors,
  errorEnvelope,
  maximumProblems,
  type Problem,
  problem,
} from '#shared/errors.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { problems } from '#shared/problem-codes.ts';
import { table } from './markdown.ts';
import { refTo } from './schemas.ts';

const exampleRequestId = '8f6f0b9c-2b7a-4a57-9d0e-3c5a1e7f4d21';

/** Details that a refusal other than `validation_failed` comes with. */
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

/** A failure that an accountant's program has to read: which line, which account, what amounts. */
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
const statuses = [...new Set(codes.map((code) => apiErrors[code].status))].sort();

const retryableInWords = (retryable: boolean | 'if_idempotent'): string =>
  retryable === 'if_idempotent' ? 'if idempotent' : retryable ? 'yes' : 'no';

/** Every refusal: the one table of them. */
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
    description: 'The envelope of every failure, those of the gateway included.',
    required: ['status', 'status_code', 'error'],
    properties: {
      status: { type: 'string', const: 'error' },
      status_code: {
        type: 'integer',
        enum: statuses,
        description: 'The HTTP status of the reply.',
      },
      error: {
        type: 'object',
        required: ['code', 'message', 'retryable', 'request_id', 'details'],
        properties: {
          code: {
            type: 'string',
            enum: codes,
            description:
              'Why the request is refused; decide on this. A later version may have others.',
          },
          message: { type: 'string', description: 'For people. Its words may change.' },
          retryable: {
            type: 'boolean',
            description: 'Whether the same request can succeed later.',
          },
          request_id: { type: 'string', description: 'Quote it to report a failure.' },
          details: {
            type: 'array',
            maxItems: maximumProblems,
            description:
              'Everything that is wrong with the request, not only what was found first; at most ' +
              `${maximumProblems} problems. Empty where the request as a whole is refused.`,
            items: refTo('Problem'),
          },
        },
      },
    },
  },
  Problem: {
    type: 'object',
    description: `One thing that is wrong with a request.\n\n${problemTable}`,
    required: ['code', 'pointer', 'message'],
    properties: {
      code: {
        type: 'string',
        enum: Object.keys(problems),
        description: 'The rule that is broken. A later version may have others.',
      },
      pointer: {
        type: 'string',
        description:
          'JSON Pointer (RFC 6901) to the part that breaks the rule, such as /entries/1/account. ' +
          'Empty for the whole body. A query parameter or header is a slash and its name.',
      },
      message: { type: 'string', description: 'For people. Its words may change.' },
      params: {
        type: 'object',
        description: 'What a program may want to show or decide on; it depends on the code.',
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

/** What became of a request that failed so is not known; one that is idempotent can be repeated. */
const exampleOf = (code: ApiErrorCode, details: Problem[] = []) => ({
  summary:
    apiErrors[code].retryable === 'if_idempotent' ? `${code}, of an idempotent request` : code,
  value: errorEnvelope({ code, requestId: exampleRequestId, details, isIdempotent: true }),
});

/** What is answered to methods that a path does not have is part of no operation. */
export const isOfNoOperation = (code: string): boolean => code === 'method_not_allowed';

/** One example for each code that is the same at every endpoint. */
export const failureExamples = Object.fromEntries(
  codes
    .filter((code) => code !== 'validation_failed' && !isOfNoOperation(code))
    .map((code) => [code, exampleOf(code, exampleDetails[code])]),
);

export const failureHeaders = {
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again.',
    schema: { type: 'integer', minimum: 0 },
  },
};

/** Throttling and contention always say how long to wait; a platform's failure may. */
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
