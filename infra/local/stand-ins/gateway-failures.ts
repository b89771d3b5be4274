// The failures of the gateway on this machine, and their replies.

import type { APIGatewayAuthorizerResult, APIGatewayProxyResult } from 'aws-lambda';
import {
  type GatewayError,
  gatewayResponses,
  requestIdVariable,
} from '../../manifest/gateway-responses.ts';
import { FunctionTimedOut, InvocationRefused } from './lambda.ts';

/** The authorizer's variables for functions and gateway responses. */
type AuthorizerContext = NonNullable<APIGatewayAuthorizerResult['context']>;

export class GatewayFailure extends Error {
  readonly kind: GatewayError;
  readonly authorizer: AuthorizerContext;
  constructor(
    kind: GatewayError,
    { authorizer = {}, ...options }: ErrorOptions & { authorizer?: AuthorizerContext } = {},
  ) {
    super(kind, options);
    this.kind = kind;
    this.authorizer = authorizer;
  }
}

/** The gateway error of a failed call. DEFAULT_5XX is for functions that crashed. */
const gatewayErrorOf = (error: unknown): GatewayError => {
  if (error instanceof FunctionTimedOut) return 'INTEGRATION_TIMEOUT';
  return error instanceof InvocationRefused ? 'INTEGRATION_FAILURE' : 'DEFAULT_5XX';
};

export const gatewayFailureOf = (error: unknown): GatewayFailure =>
  error instanceof GatewayFailure
    ? error
    : new GatewayFailure(gatewayErrorOf(error), { cause: error });

/** The reply to a failed request, rendered by plain substitution, like the gateway's. */
export const failureReply = (
  { kind, authorizer }: GatewayFailure,
  requestId: string,
): APIGatewayProxyResult => {
  const { statusCode, headers, template } = gatewayResponses[kind];
  const ofAuthorizer = Object.entries(authorizer).map(([name, value]) => [
    `$context.authorizer.${name}`,
    String(value),
  ]);
  const variables = { ...Object.fromEntries(ofAuthorizer), [requestIdVariable]: requestId };
  const body = template.replace(/\$context[.\w]+/g, (variable) => variables[variable] ?? '');
  return { statusCode, headers, body };
};
