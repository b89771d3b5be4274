// Every way to refuse a request: its code, its HTTP status and its sentence.

import { type ProblemCode, problems } from './problem-codes.ts';

/**
 * One refusal a whole request can meet. `status` is the HTTP status of the reply. `retryable` says
 * whether the same request may be sent again and succeed; where it is `if_idempotent`, what became
 * of the request is not known, and only one that cannot be carried out twice may be.
 */
type ApiErrorRule = { status: number; retryable: boolean | 'if_idempotent'; message: string };

/**
 * The refusals, by code. A code without a status does not compile, and the OpenAPI document lists
 * what stands here.
 */
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
    message: 'This API key may only read. Send the request with one that may change things.',
  },
  request_blocked: {
    status: 403,
    retryable: false,
    message: 'The request was blocked before it reached the service.',
  },
  route_not_found: {
    status: 404,
    retryable: false,
    message: 'There is no such route. Check the path.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    message: 'This route does not take this method. Allow says which it takes.',
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
    message: 'This user has no connection that this code confirms. Start the authorization again.',
  },
  platform_not_connectable: {
    status: 404,
    retryable: false,
    message: 'This platform has no authorization flow here.',
  },
  entry_is_a_reversal: {
    status: 409,
    retryable: false,
    message: 'The entry is a reversal itself, which is not reversed. Post a new entry.',
  },
  entry_not_posted: {
    status: 409,
    retryable: false,
    message: 'The entry is not posted, so there is nothing to reverse.',
  },
  entry_not_scheduled: {
    status: 409,
    retryable: false,
    message: 'The entry is not scheduled, so it cannot be cancelled. Reverse it if it is posted.',
  },
  scheduled_entries_due: {
    status: 409,
    retryable: false,
    message: 'Scheduled entries fall due by this date and are not posted yet.',
  },
  company_connected_meanwhile: {
    status: 409,
    retryable: false,
    message: 'The company was connected after this consent. Start the authorization again.',
  },
  body_too_large: {
    status: 413,
    retryable: false,
    message: 'The body is larger than the service accepts.',
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
    message: 'This Idempotency-Key was used for a request with other content.',
  },
  company_connected_by_another_user: {
    status: 422,
    retryable: false,
    message:
      'Another user of the application has connected this company. Link the user to its tenant.',
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
    message: 'The reply would be larger than the service can send. Ask for less of it.',
  },
  too_many_requests: {
    status: 429,
    retryable: true,
    message: 'Too many requests. Wait for as long as Retry-After says.',
  },
  cost_budget_exhausted: {
    status: 429,
    retryable: true,
    message:
      'The application has used its read or write units faster than its budget allows. Wait as ' +
      'long as Retry-After says.',
  },
  internal_error: {
    status: 500,
    retryable: 'if_idempotent',
    message: 'Something went wrong on our side. Quote the request_id to report it.',
  },
  platform_failed: {
    status: 502,
    retryable: true,
    message: 'The accounting platform answered with a failure.',
  },
  contention: {
    status: 503,
    retryable: true,
    message: 'Too many writes met in one place. Nothing was written; send the request again.',
  },
  temporarily_unavailable: {
    status: 503,
    retryable: 'if_idempotent',
    message: 'The service cannot answer just now. Send the request again.',
  },
  platform_timed_out: {
    status: 504,
    retryable: true,
    message: 'The accounting platform took too long to answer.',
  },
  request_timed_out: {
    status: 504,
    retryable: 'if_idempotent',
    message: 'The request took too long. Send it again.',
  },
} as const satisfies Record<string, ApiErrorRule>;

export type ApiErrorCode = keyof typeof apiErrors;

/** One thing that is wrong with a request. `pointer` is an RFC 6901 pointer into the request. */
export type Problem = {
  code: ProblemCode;
  pointer: string;
  message: string;
  params?: Record<string, string | number | string[]>;
};

/** States a problem at `pointer`; `params` are for the calling program. */
export const problem = (
  code: ProblemCode,
  pointer: string,
  params?: Record<string, string | number | string[]>,
): Problem => ({ code, pointer, message: problems[code], ...(params && { params }) });

/** The application has no tenant with the `domain_url` of the request. */
export const tenantNotFound = problem('tenant_not_found', '/domain_url');

/** A reply lists at most this many problems. */
export const maximumProblems = 100;

/** Quotes one key of a JSON Pointer (RFC 6901 section 3). */
export const pointerTo = (...path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * The one error that becomes a reply to the caller. Everything else that is thrown becomes
 * `internal_error`. `cause` is for the log and never shown.
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

/** Refuses the request when there are problems; does nothing when there are none. */
export const throwIfProblems = (found: Problem[]): void => {
  if (found.length > 0) throw new ApiError('validation_failed', { details: found });
};

/**
 * The failure envelope, the same for every error of the service and of its gateway.
 *
 * @param options.isIdempotent whether the request can be carried out twice without harm
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
