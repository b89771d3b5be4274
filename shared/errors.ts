// The errors of whole requests: code, HTTP status and message.

import { type ProblemCode, problems } from './problem-codes.ts';

/**
 * An error of a whole request. `retryable` says whether the same request can succeed later. After
 * an `if_idempotent` error the outcome is unknown, so only an idempotent request can be retried.
 */
type ApiErrorRule = { status: number; retryable: boolean | 'if_idempotent'; message: string };

/** The errors by code. The OpenAPI document lists them. */
export const apiErrors = {
  malformed_json: { status: 400, retryable: false, message: 'The body is not valid JSON.' },
  api_key_not_accepted: {
    status: 401,
    retryable: false,
    message: 'The X-API-Key header is missing, or its key is unknown, expired or revoked.',
  },
  application_suspended: {
    status: 403,
    retryable: false,
    message: 'The application of this API key is suspended.',
  },
  api_key_read_only: {
    status: 403,
    retryable: false,
    message: 'This API key is read-only. Use an API key with full access.',
  },
  request_blocked: {
    status: 403,
    retryable: false,
    message: 'The API gateway blocked the request.',
  },
  route_not_found: {
    status: 404,
    retryable: false,
    message: 'No such route. Check the path.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    message: 'This route does not support this method. The Allow header lists its methods.',
  },
  user_not_found: {
    status: 404,
    retryable: false,
    message: 'The calling application has no such user.',
  },
  tenant_not_found: {
    status: 404,
    retryable: false,
    message: 'The calling application has no such tenant.',
  },
  journal_entry_not_found: {
    status: 404,
    retryable: false,
    message: 'The tenant has no such journal entry.',
  },
  confirmation_not_found: {
    status: 404,
    retryable: false,
    message: 'This user has no connection with this code. Start the authorization again.',
  },
  platform_not_connectable: {
    status: 404,
    retryable: false,
    message: 'This platform has no authorization flow.',
  },
  entry_is_a_reversal: {
    status: 409,
    retryable: false,
    message: 'A reversal cannot be reversed. Post a new entry.',
  },
  entry_not_posted: {
    status: 409,
    retryable: false,
    message: 'Only a posted entry can be reversed.',
  },
  entry_not_scheduled: {
    status: 409,
    retryable: false,
    message: 'Only a scheduled entry can be cancelled. Reverse a posted entry.',
  },
  scheduled_entries_due: {
    status: 409,
    retryable: false,
    message: 'Scheduled entries are due by this date but not yet posted.',
  },
  company_connected_meanwhile: {
    status: 409,
    retryable: false,
    message: 'The company was connected after this consent. Start the authorization again.',
  },
  body_too_large: {
    status: 413,
    retryable: false,
    message: 'The body is too large.',
  },
  content_type_not_supported: {
    status: 415,
    retryable: false,
    message: 'Send the body as Content-Type: application/json.',
  },
  validation_failed: {
    status: 422,
    retryable: false,
    message: 'The request breaks the rules listed in details.',
  },
  idempotency_key_reused: {
    status: 422,
    retryable: false,
    message: 'This Idempotency-Key belongs to a request with different content.',
  },
  company_connected_by_another_user: {
    status: 422,
    retryable: false,
    message: 'Another user of the application connected this company. Link the user to its tenant.',
  },
  tenant_not_connected: {
    status: 422,
    retryable: false,
    message: 'The tenant is not connected to an accounting platform. Connect its company first.',
  },
  platform_refused_credentials: {
    status: 422,
    retryable: false,
    message: 'The accounting platform did not accept the credentials.',
  },
  reply_too_large: {
    status: 422,
    retryable: false,
    message: 'The reply is too large. Request less data.',
  },
  too_many_requests: {
    status: 429,
    retryable: true,
    message: 'Too many requests. Retry after the seconds in Retry-After.',
  },
  cost_budget_exhausted: {
    status: 429,
    retryable: true,
    message:
      'The application has used its budget of read or write units. Retry after the seconds in ' +
      'Retry-After.',
  },
  internal_error: {
    status: 500,
    retryable: 'if_idempotent',
    message: 'An internal error occurred. Include the request_id in your report.',
  },
  platform_failed: {
    status: 502,
    retryable: true,
    message: 'The accounting platform returned an error.',
  },
  contention: {
    status: 503,
    retryable: true,
    message: 'Too many concurrent writes; nothing was written. Send the request again.',
  },
  temporarily_unavailable: {
    status: 503,
    retryable: 'if_idempotent',
    message: 'The service is temporarily unavailable. Send the request again.',
  },
  platform_timed_out: {
    status: 504,
    retryable: true,
    message: 'The accounting platform did not respond in time.',
  },
  request_timed_out: {
    status: 504,
    retryable: 'if_idempotent',
    message: 'The request took too long. Send it again.',
  },
} as const satisfies Record<string, ApiErrorRule>;

export type ApiErrorCode = keyof typeof apiErrors;

/** A problem with a part of a request. `pointer` is a JSON Pointer (RFC 6901). */
export type Problem = {
  code: ProblemCode;
  pointer: string;
  message: string;
  params?: Record<string, string | number | string[]>;
};

/** @param params machine-readable details for the calling program */
export const problem = (
  code: ProblemCode,
  pointer: string,
  params?: Record<string, string | number | string[]>,
): Problem => ({ code, pointer, message: problems[code], ...(params && { params }) });

/** The application has no tenant with the `domain_url` of the request. */
export const tenantNotFound = problem('tenant_not_found', '/domain_url');

/** The maximum number of problems in one reply. */
export const maximumProblems = 100;

/** The JSON Pointer of a path, with escaped keys (RFC 6901 section 3). */
export const pointerTo = (...path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * An error for the caller. Any other thrown error becomes `internal_error`. `cause` goes to the
 * log, never into a reply.
 */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly details: Problem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ApiErrorCode,
    options: { details?: Problem[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(apiErrors[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return apiErrors[this.code].status;
  }
}

export const throwIfProblems = (details: Problem[]): void => {
  if (details.length > 0) throw new ApiError('validation_failed', { details });
};

/**
 * The body of every error reply, including those of the API gateway.
 * @param options.isIdempotent whether the request is safe to repeat
 */
export const errorEnvelope = (options: {
  code: ApiErrorCode;
  requestId: string;
  details?: Problem[];
  isIdempotent?: boolean;
}) => {
  const { code, requestId, details = [], isIdempotent = false } = options;
  const { status, message, retryable } = apiErrors[code];
  return {
    status: 'error',
    status_code: status,
    error: {
      code,
      message,
      retryable: retryable === 'if_idempotent' ? isIdempotent : retryable,
      request_id: requestId,
      details: details.slice(0, maximumProblems),
    },
  };
};
