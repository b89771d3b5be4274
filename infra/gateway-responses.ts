// What the gateway itself answers, in the service's own envelope: one definition, which the
// deployment declares as gateway responses and the local server renders.

import { type ApiErrorCode, apiErrors, errorEnvelope } from '#shared/errors.ts';
import { securityHeaders } from '#shared/triggers/security-headers.ts';

/** The gateway's own error kinds (API Gateway Developer Guide, "Gateway response types"). */
export type GatewayError =
  | 'ACCESS_DENIED'
  | 'API_CONFIGURATION_ERROR'
  | 'AUTHORIZER_CONFIGURATION_ERROR'
  | 'AUTHORIZER_FAILURE'
  | 'BAD_REQUEST_BODY'
  | 'BAD_REQUEST_PARAMETERS'
  | 'DEFAULT_4XX'
  | 'DEFAULT_5XX'
  | 'EXPIRED_TOKEN'
  | 'INTEGRATION_FAILURE'
  | 'INTEGRATION_TIMEOUT'
  | 'INVALID_API_KEY'
  | 'INVALID_SIGNATURE'
  | 'MISSING_AUTHENTICATION_TOKEN'
  | 'QUOTA_EXCEEDED'
  | 'REQUEST_TOO_LARGE'
  | 'RESOURCE_NOT_FOUND'
  | 'THROTTLED'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'WAF_FILTERED';

const codes: Record<GatewayError, ApiErrorCode> = {
  ACCESS_DENIED: 'application_suspended',
  API_CONFIGURATION_ERROR: 'internal_error',
  AUTHORIZER_CONFIGURATION_ERROR: 'temporarily_unavailable',
  AUTHORIZER_FAILURE: 'temporarily_unavailable',
  BAD_REQUEST_BODY: 'malformed_json',
  BAD_REQUEST_PARAMETERS: 'validation_failed',
  DEFAULT_4XX: 'request_blocked',
  DEFAULT_5XX: 'internal_error',
  EXPIRED_TOKEN: 'request_blocked',
  // Lambda did not take the call, for want of concurrency mostly, which would be a 500 (AWS Lambda
  // Developer Guide, "Handling Lambda errors with an API Gateway API"). A call that broke off is
  // answered like that too, so nobody is told that it may be repeated whatever it was.
  INTEGRATION_FAILURE: 'temporarily_unavailable',
  INTEGRATION_TIMEOUT: 'request_timed_out',
  INVALID_API_KEY: 'api_key_not_accepted',
  INVALID_SIGNATURE: 'request_blocked',
  MISSING_AUTHENTICATION_TOKEN: 'route_not_found',
  QUOTA_EXCEEDED: 'too_many_requests',
  REQUEST_TOO_LARGE: 'body_too_large',
  RESOURCE_NOT_FOUND: 'route_not_found',
  THROTTLED: 'too_many_requests',
  UNAUTHORIZED: 'api_key_not_accepted',
  UNSUPPORTED_MEDIA_TYPE: 'content_type_not_supported',
  WAF_FILTERED: 'request_blocked',
};

/** The gateway replaces this text by the id of the request, as it stands, without quoting. */
export const requestIdVariable = '$context.requestId';

/** The refusals after which a caller waits, and for how many seconds. */
const waitSeconds: Partial<Record<ApiErrorCode, number>> = {
  too_many_requests: 1,
  temporarily_unavailable: 1,
};

export type GatewayResponse = {
  statusCode: number;
  headers: Record<string, string>;
  template: string;
};

const responseOf = (
  code: ApiErrorCode,
  { isIdempotent, headers }: { isIdempotent: boolean; headers?: Record<string, string> },
): GatewayResponse => ({
  statusCode: apiErrors[code].status,
  headers: {
    'Content-Type': 'application/json',
    ...securityHeaders,
    ...(code in waitSeconds && { 'Retry-After': String(waitSeconds[code]) }),
    ...headers,
  },
  template: JSON.stringify(errorEnvelope({ code, requestId: requestIdVariable, isIdempotent })),
});

/** Every gateway error with its response. */
export const gatewayResponses = Object.fromEntries(
  Object.entries(codes).map(([error, code]) => [
    error,
    // Where the authorizer failed, no function was called: the request can be sent again.
    responseOf(code, { isIdempotent: error.startsWith('AUTHORIZER_') }),
  ]),
) as Record<GatewayError, GatewayResponse>;

/** What a route answers to every method but its own (RFC 9110 section 15.5.6). */
export const methodNotAllowed = (allowed: readonly string[]): GatewayResponse =>
  responseOf('method_not_allowed', {
    isIdempotent: true,
    headers: { Allow: allowed.join(', ') },
  });
