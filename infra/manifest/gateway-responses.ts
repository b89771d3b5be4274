// What the gateway itself answers, in the service's own envelope: one definition, which the
// deployment declares as gateway responses and the local server renders.

import type { PolicyRefusal, PolicyRefusalContext } from '#shared/endpoint/authorizer.ts';
import { securityHeaders } from '#shared/endpoint/security-headers.ts';
import { type ApiErrorCode, apiErrors, errorEnvelope } from '#shared/errors.ts';

/**
 * What the gateway itself answers, for every kind of error that this API can raise and that the
 * defaults would word wrongly (API Gateway Developer Guide, "Gateway response types"). Left out:
 *
 *   API_CONFIGURATION_ERROR             as DEFAULT_5XX
 *   EXPIRED_TOKEN, INVALID_SIGNATURE    of AWS's own signatures, which no method takes; where a
 *                                       caller sends one all the same, as DEFAULT_4XX
 *   BAD_REQUEST_BODY, _PARAMETERS       of the gateway's validators: the functions validate
 *   QUOTA_EXCEEDED                      of quotas: usage plans have throttles only
 */
const codes = {
  AUTHORIZER_CONFIGURATION_ERROR: 'temporarily_unavailable',
  AUTHORIZER_FAILURE: 'temporarily_unavailable',
  DEFAULT_4XX: 'request_blocked',
  DEFAULT_5XX: 'internal_error',
  // Lambda did not take the call, for want of concurrency mostly, which would be a 500 (AWS Lambda
  // Developer Guide, "Handling Lambda errors with an API Gateway API"). A call that broke off is
  // answered like that too, so nobody is told that it may be repeated whatever it was.
  INTEGRATION_FAILURE: 'temporarily_unavailable',
  INTEGRATION_TIMEOUT: 'request_timed_out',
  INVALID_API_KEY: 'api_key_not_accepted',
  MISSING_AUTHENTICATION_TOKEN: 'route_not_found',
  REQUEST_TOO_LARGE: 'body_too_large',
  RESOURCE_NOT_FOUND: 'route_not_found',
  THROTTLED: 'too_many_requests',
  UNAUTHORIZED: 'api_key_not_accepted',
  // The refusal of other methods is made from a template for JSON, the only type that it takes.
  UNSUPPORTED_MEDIA_TYPE: 'content_type_not_supported',
  WAF_FILTERED: 'request_blocked',
} as const satisfies Record<string, ApiErrorCode>;

export type GatewayError = keyof typeof codes | 'ACCESS_DENIED';

/** The gateway replaces this text by the id of the request, as it stands, without quoting. */
export const requestIdVariable = '$context.requestId';

/** What the authorizer says of a request that its policy denies. */
const refusalVariables = {
  refusalCode: '$context.authorizer.refusalCode',
  refusalMessage: '$context.authorizer.refusalMessage',
} satisfies Record<keyof PolicyRefusalContext, string>;

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

/**
 * A policy denies for one of several reasons, which the authorizer names in its context, and the
 * gateway fills in as it stands. That it does so too where a policy denies by not allowing, as that
 * of a read-only key does, is not documented: look at it on the first deployed stage.
 */
const accessDenied = (): GatewayResponse => {
  // All of them have one status, and none is worth a repeat.
  const shape: PolicyRefusal = 'application_suspended';
  const response = responseOf(shape, { isIdempotent: false });
  const envelope = JSON.parse(response.template);
  const { refusalCode: code, refusalMessage: message } = refusalVariables;
  const error = { ...envelope.error, code, message };
  return { ...response, template: JSON.stringify({ ...envelope, error }) };
};

/** Every gateway error with its response. */
export const gatewayResponses = {
  ACCESS_DENIED: accessDenied(),
  ...Object.fromEntries(
    Object.entries(codes).map(([error, code]) => [
      error,
      // Where the authorizer failed, no function was called: the request can be sent again.
      responseOf(code, { isIdempotent: error.startsWith('AUTHORIZER_') }),
    ]),
  ),
} as Record<GatewayError, GatewayResponse>;

/** What a route answers to every method but its own (RFC 9110 section 15.5.6). */
export const methodNotAllowed = (allowed: readonly string[]): GatewayResponse =>
  responseOf('method_not_allowed', {
    isIdempotent: true,
    headers: { Allow: allowed.join(', ') },
  });
