// The gateway's own error replies, in the service's envelope. The deployment declares them as
// gateway responses; the local gateway renders them.

import { securityHeaders } from '#shared/endpoint/api-event.ts';
import type { PolicyRefusal, PolicyRefusalContext } from '#shared/endpoint/authorizer.ts';
import { type ApiErrorCode, apiErrors, errorEnvelope } from '#shared/errors.ts';

/**
 * The error code of each gateway response type that this API can raise (API Gateway Developer
 * Guide, "Gateway response types"). Not listed:
 *
 *   API_CONFIGURATION_ERROR             DEFAULT_5XX covers it
 *   EXPIRED_TOKEN, INVALID_SIGNATURE    about AWS signatures, which no method uses; DEFAULT_4XX
 *                                       covers them
 *   BAD_REQUEST_BODY, _PARAMETERS       from the gateway's validators: the functions validate
 *   QUOTA_EXCEEDED                      from quotas: our usage plans have throttles only
 *   UNSUPPORTED_MEDIA_TYPE              from templates: the functions read the content type
 */
const codes = {
  AUTHORIZER_CONFIGURATION_ERROR: 'temporarily_unavailable',
  AUTHORIZER_FAILURE: 'temporarily_unavailable',
  DEFAULT_4XX: 'request_blocked',
  DEFAULT_5XX: 'internal_error',
  // Mostly a lack of concurrency, which is a 500 by default (AWS Lambda Developer Guide, "Handling
  // Lambda errors with an API Gateway API"). An interrupted call has this type too, so the reply
  // does not say that a retry is safe.
  INTEGRATION_FAILURE: 'temporarily_unavailable',
  INTEGRATION_TIMEOUT: 'request_timed_out',
  INVALID_API_KEY: 'api_key_not_accepted',
  // The gateway raises it for an unknown path, and for a method that a path does not have.
  MISSING_AUTHENTICATION_TOKEN: 'route_not_found',
  REQUEST_TOO_LARGE: 'body_too_large',
  RESOURCE_NOT_FOUND: 'route_not_found',
  THROTTLED: 'too_many_requests',
  UNAUTHORIZED: 'api_key_not_accepted',
  WAF_FILTERED: 'request_blocked',
} as const satisfies Record<string, ApiErrorCode>;

export type GatewayError = keyof typeof codes | 'ACCESS_DENIED';

/** The gateway replaces this text with the request id, without quoting. */
export const requestIdVariable = '$context.requestId';

/** Variables that the authorizer sets if its policy denies a request. */
const refusalVariables = {
  refusalCode: '$context.authorizer.refusalCode',
  refusalMessage: '$context.authorizer.refusalMessage',
} satisfies Record<keyof PolicyRefusalContext, string>;

/** The seconds for `Retry-After`, by error code. */
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
  { isIdempotent }: { isIdempotent: boolean },
): GatewayResponse => ({
  statusCode: apiErrors[code].status,
  headers: {
    'Content-Type': 'application/json',
    ...securityHeaders,
    ...(code in waitSeconds && { 'Retry-After': String(waitSeconds[code]) }),
  },
  template: JSON.stringify(errorEnvelope({ code, requestId: requestIdVariable, isIdempotent })),
});

/**
 * The authorizer names the reason of a refusal in its context, and the gateway inserts it. The
 * policy of a read-only key denies a route by not allowing it. AWS does not document that the
 * context is available then: check it on the first deployed stage.
 */
const accessDenied = (): GatewayResponse => {
  // All policy refusals have the same status, and a retry helps with none of them.
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
      // No function ran if the authorizer failed, so a retry is safe.
      responseOf(code, { isIdempotent: error.startsWith('AUTHORIZER_') }),
    ]),
  ),
} as Record<GatewayError, GatewayResponse>;
