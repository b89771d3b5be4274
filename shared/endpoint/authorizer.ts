// The authorizer trigger: API Gateway sends a request's headers and gets a policy.

import type {
  APIGatewayAuthorizerResult,
  APIGatewayRequestAuthorizerEvent,
  Context,
} from 'aws-lambda';
import { usageKeyOf } from '../applications/api-keys.ts';
import type { Caller } from '../applications/caller.ts';
import { type ApiErrorCode, apiErrors } from '../errors.ts';
import type { Telemetry } from '../telemetry.ts';
import { instrument } from './instrumentation.ts';

/** The authorizer's decision. With `allow`, the key's access limits the allowed routes. */
export type Decision =
  | { outcome: 'allow'; caller: Caller }
  | { outcome: 'suspended'; caller: Caller }
  | { outcome: 'not_accepted'; reason: string };

type Accepted = Exclude<Decision, { outcome: 'not_accepted' }>;

/** Reasons for which the policy refuses a request with an accepted key. */
export const policyRefusals = ['application_suspended', 'api_key_read_only'] as const;
export type PolicyRefusal = (typeof policyRefusals)[number];

const policyRefusalOf = ({ outcome, caller }: Accepted): PolicyRefusal | undefined => {
  if (outcome === 'suspended') return 'application_suspended';
  return caller.access === 'full' ? undefined : 'api_key_read_only';
};

/**
 * The refusal for the gateway's own response, which can show values of this context (API Gateway
 * Developer Guide, "Output from an API Gateway Lambda authorizer" and "Gateway responses for REST
 * APIs"; github.com/aws/aws-cdk issue 10624 shows it for ACCESS_DENIED).
 */
const contextOf = (code: PolicyRefusal) => ({
  refusalCode: code,
  refusalMessage: apiErrors[code].message,
});
export type PolicyRefusalContext = ReturnType<typeof contextOf>;

/**
 * The routes in the policy. A read-only key can only call the listed routes, so a path in an
 * unusual form is refused. The gateway serves a route with and without a trailing slash. AWS does
 * not document which of them is in the ARN, so the policy lists both.
 */
const resourcesOf = (
  { outcome, caller }: Accepted,
  { methodArn, readOnlyRoutes }: { methodArn: string; readOnlyRoutes: readonly string[] },
): string[] => {
  const stageArn = methodArn.split('/').slice(0, 2).join('/');
  const isLimited = outcome === 'allow' && caller.access !== 'full';
  const routes = isLimited ? readOnlyRoutes.flatMap((route) => [route, `${route}/`]) : ['*'];
  return routes.map((route) => `${stageArn}/${route}`);
};

/**
 * The policy covers the whole stage, not one method, because the gateway caches it for the key (API
 * Gateway Developer Guide, "Use API Gateway Lambda authorizers").
 */
const policyFor = (
  decision: Accepted,
  routes: { methodArn: string; readOnlyRoutes: readonly string[] },
): APIGatewayAuthorizerResult => {
  const { outcome, caller } = decision;
  const refusal = policyRefusalOf(decision);
  return {
    principalId: caller.applicationId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Effect: outcome === 'allow' ? 'Allow' : 'Deny',
          Resource: resourcesOf(decision, routes),
        },
      ],
    },
    context: { ...caller, ...(refusal && contextOf(refusal)) },
    usageIdentifierKey: usageKeyOf(caller.applicationId),
  };
};

/** The error code of each refusal. */
const errorBy: Record<Exclude<Decision['outcome'], 'allow'>, ApiErrorCode> = {
  not_accepted: 'api_key_not_accepted',
  suspended: 'application_suspended',
};

export const createAuthorizerHandler = (
  decide: (apiKey: string) => Promise<Decision>,
  { readOnlyRoutes, ...telemetry }: Telemetry & { readOnlyRoutes: readonly string[] },
) => {
  return async (
    event: APIGatewayRequestAuthorizerEvent,
    _context: Context,
  ): Promise<APIGatewayAuthorizerResult> => {
    const headers = Object.entries(event.headers ?? {});
    const [, apiKey = ''] = headers.find(([name]) => name.toLowerCase() === 'x-api-key') ?? [];
    const decision = await instrument(() => decide(apiKey), telemetry, {
      name: 'authorize',
      about: { request_id: event.requestContext.requestId },
      summarize: (decided) => {
        const code = decided.outcome === 'allow' ? undefined : errorBy[decided.outcome];
        return {
          outcome: code ?? 'success',
          status: code ? apiErrors[code].status : 200,
          fields:
            decided.outcome === 'not_accepted'
              ? { reason: decided.reason }
              : { application_id: decided.caller.applicationId, key_id: decided.caller.keyId },
        };
      },
    });
    // The gateway answers 401 to exactly this message and 500 to any other error.
    if (decision.outcome === 'not_accepted') throw new Error('Unauthorized');
    return policyFor(decision, { methodArn: event.methodArn, readOnlyRoutes });
  };
};
