// The errors of requests: codes, HTTP statuses and messages. Also the problems of single fields.

/**
 * An error of a whole request. `retryable` says whether the same request can succeed later. After
 * an `if_idempotent` error the outcome is unknown, so only an idempotent request can be retried.
 */
type ApiErrorRule = { status: number; retryable: boolean | 'if_idempotent'; message: string };

const errorRule =
  (retryable: ApiErrorRule['retryable']) =>
  (status: number, message: string): ApiErrorRule => ({ status, retryable, message });
const refusal = errorRule(false);
const temporary = errorRule(true);
const unknownOutcome = errorRule('if_idempotent');

/** The errors by code. The OpenAPI document lists them. */
export const apiErrors = {
  malformed_json: refusal(400, 'The body is not valid JSON.'),
  api_key_not_accepted: refusal(
    401,
    'The X-API-Key header is missing, or its key is unknown, expired or revoked.',
  ),
  application_suspended: refusal(403, 'The application of this API key is suspended.'),
  api_key_read_only: refusal(403, 'This API key is read-only. Use an API key with full access.'),
  webhooks_forbidden: refusal(403, 'The operator has forbidden webhooks of this application.'),
  request_blocked: refusal(403, 'The API gateway blocked the request.'),
  route_not_found: refusal(404, 'No such route. Check the method and the path.'),
  user_not_found: refusal(404, 'The calling application has no such user.'),
  tenant_not_found: refusal(404, 'The calling application has no such tenant.'),
  webhook_not_found: refusal(404, 'The calling application has no such webhook.'),
  journal_entry_not_found: refusal(404, 'The tenant has no such journal entry.'),
  confirmation_not_found: refusal(
    404,
    'This user has no connection with this code. Start the authorization again.',
  ),
  platform_not_connectable: refusal(404, 'This platform has no authorization flow.'),
  entry_is_a_reversal: refusal(409, 'A reversal cannot be reversed. Post a new entry.'),
  entry_not_posted: refusal(409, 'Only a posted entry can be reversed.'),
  entry_not_scheduled: refusal(
    409,
    'Only a scheduled entry can be cancelled. Reverse a posted entry.',
  ),
  scheduled_entries_due: refusal(409, 'Scheduled entries are due by this date but not yet posted.'),
  exchange_account_missing: refusal(
    409,
    'The chart has no active account for exchange differences.',
  ),
  book_amounts_unknown: refusal(
    409,
    'An earlier version posted entries in other currencies. The operator must complete the books.',
  ),
  company_connected_meanwhile: refusal(
    409,
    'The company was connected after this consent. Start the authorization again.',
  ),
  events_expired: refusal(410, 'These events are older than 90 days. Start at first_sequence.'),
  body_too_large: refusal(413, 'The body is too large.'),
  content_type_not_supported: refusal(415, 'Send the body as Content-Type: application/json.'),
  validation_failed: refusal(422, 'The request breaks the rules listed in details.'),
  idempotency_key_reused: refusal(
    422,
    'This Idempotency-Key belongs to a request with different content.',
  ),
  company_connected_by_another_user: refusal(
    422,
    'Another user of the application connected this company. Link the user to its tenant.',
  ),
  tenant_not_connected: refusal(
    422,
    'The tenant is not connected to an accounting platform. Connect its company first.',
  ),
  platform_refused_credentials: refusal(
    422,
    'The accounting platform did not accept the credentials.',
  ),
  reply_too_large: refusal(422, 'The reply is too large. Request less data.'),
  too_many_requests: temporary(429, 'Too many requests. Retry after the seconds in Retry-After.'),
  cost_budget_exhausted: temporary(
    429,
    'The application has used its budget of read or write units. Retry after the seconds in ' +
      'Retry-After.',
  ),
  internal_error: unknownOutcome(
    500,
    'An internal error occurred. Include the request_id in your report.',
  ),
  platform_failed: temporary(502, 'The accounting platform returned an error.'),
  contention: temporary(
    503,
    'Too many concurrent writes; nothing was written. Send the request again.',
  ),
  temporarily_unavailable: unknownOutcome(
    503,
    'The service is temporarily unavailable. Send the request again.',
  ),
  platform_timed_out: temporary(
    504,
    'The accounting platform did not respond in time. Send the request again later.',
  ),
  request_timed_out: unknownOutcome(504, 'The request took too long. Send it again.'),
} as const satisfies Record<string, ApiErrorRule>;

export type ApiErrorCode = keyof typeof apiErrors;

/** The problem codes: one for each rule about a part of a request, with the message in replies. */
export const problems = {
  required: 'This field is required.',
  json_syntax: 'The JSON has a syntax error at this line and column.',
  encoding_not_valid: 'The body must be valid UTF-8 and must not contain U+FFFD.',
  unknown_field: 'The request has no such field.',
  name_not_allowed: 'This name is reserved. Choose another name.',
  duplicate_name: 'This name equals another name after Unicode normalization.',
  wrong_type: 'This field has the wrong type.',
  not_an_allowed_value: 'This value is not allowed.',
  too_long: 'This text is too long.',
  too_short: 'This text is too short.',
  too_many_items: 'There are too many items.',
  too_few_items: 'There are too few items.',
  out_of_range: 'This number is out of range.',
  must_not_be_blank: 'This field must not be blank.',
  repeated_parameter: 'This parameter must appear only once.',
  control_characters_not_allowed: 'This text contains control characters or invalid Unicode.',
  invisible_characters_not_allowed:
    'This text contains invisible or direction-changing characters.',
  number_not_exact: 'This number cannot be represented exactly. Send it as a decimal string.',
  email_not_valid: 'Not a valid email address.',
  email_taken: 'Another user of the application has this email address.',
  too_many_links:
    'A user with so many tenants cannot get another address. Unlink some of them first.',
  user_id_not_valid: 'A user id is a positive integer, or its decimal digits as a string.',
  currency_unknown: 'Not an active ISO 4217 currency code.',
  currency_not_in_use: 'This currency was withdrawn before the entry date.',
  date_not_valid: 'Not a calendar date in the form YYYY-MM-DD.',
  time_not_valid: 'Not a time in UTC in the form YYYY-MM-DDThh:mm:ss.sssZ.',
  from_after_to: 'The first date is after the last date.',
  too_many_columns: 'The period has too many months for columns. Shorten it.',
  exactly_one_of: 'Send exactly one of the fields in params.',
  as_of_excludes_period: 'Send either as_of, or from and to.',
  balances_not_read: 'The balances of the platform were not read for this day.',
  cursor_not_valid: 'This cursor is not valid for this query. Start without a cursor.',
  webhook_url_not_allowed: 'A webhook must be https on port 443, at a public address.',
  webhook_quota_reached: 'The application has reached its maximum number of webhooks.',
  metadata_key_not_indexed:
    'The tenant has no index of this metadata key. See indexed_metadata of update-tenant.',
  metadata_not_indexed_then:
    'Entries recorded before indexed_from are not in the index. Set recorded_from to it or later.',
  event_type_unknown: 'The service has no such event type.',
  events_expired: 'The first event after this sequence is older than 90 days.',
  sequence_not_reached: 'The feed has not reached this sequence.',
  domain_not_valid: 'Not a domain prefix or full domain of a tenant.',
  redirect_url_not_valid: 'The service cannot redirect a browser to this URL.',
  redirect_url_not_registered: 'The application has not registered this redirect URL.',
  amount_not_valid: 'An amount has up to 15 digits and 3 decimals, and is not negative.',
  amount_too_precise: 'This amount has more decimals than its currency allows.',
  amount_too_large: 'The total of the entry has more than 15 digits before the decimal point.',
  line_must_have_one_side: 'A line must have exactly one positive amount: debit or credit.',
  period_locked: "This posting date is in the tenant's locked period.",
  lock_date_not_past: 'The lock date must be before today (UTC).',
  scheduled_entries_due: 'A scheduled entry is due by this date but not yet posted.',
  financial_year_end_not_valid: 'Not a calendar day in the form MM-DD.',
  reversal_before_entry: 'A reversal cannot have an earlier date than the entry that it reverses.',
  differs_from_original: 'This field differs from the entry that an earlier request recorded.',
  external_id_taken: 'Another entry has this external_id.',
  duplicate_external_id: 'An earlier entry of this request has the same external_id.',
  batch_too_large: 'These entries are too many for one request. Send fewer.',
  date_out_of_range: 'This date is too far from today.',
  no_rate_after_today:
    'There are no exchange rates after today. Send exchange_rate, or an accrual_date after today.',
  as_of_after_today: 'Closing rates after today are not known yet.',
  only_unrealised_can_be_reversed:
    'Realised differences must stay. To reverse the others, send differences: unrealised.',
  date_full: 'The entries on this date use too many accounts.',
  debits_must_equal_credits: 'Total debits must equal total credits.',
  memo_must_not_be_blank: 'The memo must not be blank.',
  account_not_found: 'The tenant has no such account.',
  account_code_not_valid: 'An account code cannot start or end with a blank, or start with ID-.',
  account_code_too_long: 'This code has too many bytes in UTF-8 for a new account.',
  account_quota_reached: 'The tenant has reached its maximum number of accounts.',
  tenant_quota_reached: 'The application has reached its maximum number of tenants.',
  account_code_taken: 'Another account has this code. It differs in the fields in params.',
  subtype_not_of_type: "The account's type does not have this subtype.",
  cash_flow_not_for_account: 'An account of this type and subtype cannot have this class.',
  cash_flow_is_fixed: 'An account with entries cannot change to or from cash.',
  account_not_at_rest:
    'Only an account without entries that was archived a minute ago can change to or from cash.',
  current_part_not_for_account: 'Nothing of an account of this subtype is due within a year.',
  effective_from_locked: "This date is in the tenant's locked period.",
  effective_from_after_today: 'A classification cannot begin after today (UTC).',
  effective_from_needs_classification:
    'Send effective_from with subtype, cash_flow or current_part.',
  too_many_classifications: 'This account has changed its classification too many times.',
  account_kept_by_platform: 'The accounting platform sets this field. Change it there.',
  nothing_to_change: 'The request does not change any field.',
  account_archived: 'This account is archived. Entries cannot use it.',
  tenant_not_found: 'The calling application has no such tenant.',
  user_not_found: 'The calling application has no such user.',
  exchange_rate_unavailable: 'There is no exchange rate for these currencies on this date.',
  exchange_rate_not_valid:
    'An exchange rate is a positive decimal with up to 12 digits and 11 decimals.',
  exchange_rate_not_one: 'Both currencies are the same, so the exchange rate is 1.',
  exchange_rate_differs:
    'This rate is more than twice the known rate, or less than half of it. Check it, or send ' +
    'accept_rate: true.',
  user_not_linked: 'The tenant is not linked to this user.',
  credentials_not_accepted: 'The platform did not accept these credentials.',
  company_not_found: 'These credentials do not give access to this company.',
  company_id_not_valid: 'Not a company id of this platform.',
  field_not_for_platform: 'This platform does not use this field.',
  budget_used_up: 'The application has used its available units.',
  idempotency_key_not_valid: 'An Idempotency-Key must have 1 to 255 visible ASCII characters.',
} as const satisfies Record<string, string>;

export type ProblemCode = keyof typeof problems;

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

export const apiErrorFrom = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('internal_error', { cause: error });

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
