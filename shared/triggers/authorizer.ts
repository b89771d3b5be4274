// How API Gateway asks whether a request may pass: REQUEST authorizer events in, a policy out.

import type {
  APIGatewayAuthorizerResult,
  APIGatewayRequestAuthorizerEvent,
  Context,
} from 'aws-lambda';
import { usageKeyOf } from '../domain/api-keys.ts';
import { type ApiErrorCode, apiErrors } from '../errors.ts';
import type { Caller } from './api-event.ts';
import { instrument, type Telemetry } from './instrumentation.ts';

/** What an authorizer decides. Anything but `allow` and `suspended` is a key not accepted. */
export type Decision =
  | { outcome: 'allow'; caller: Caller }
  | { outcome: 'suspended'; caller: Caller }
  | { outcome: 'not_accepted'; reason: string };

/**
 * The policy covers the whole stage, not the one method asked for, because the gateway caches it
 * for the key (API Gateway Developer Guide, "Use API Gateway Lambda authorizers").
 */
const policyFor = (
  event: APIGatewayRequestAuthorizerEvent,
  { outcome, caller }: Exclude<Decision, { outcome: 'not_accepted' }>,
): APIGatewayAuthorizerResult => ({
  principalId: caller.applicationId,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [
      {
        Action: 'execute-api:Invoke',
        Effect: outcome === 'allow' ? 'Allow' : 'Deny',
        Resource: `${event.methodArn.split('/').slice(0, 2).join('/')}/*`,
      },
    ],
  },
  context: { ...caller },
  usageIdentifierKey: usageKeyOf(caller.applicationId),
});

/** What the gateway answers a request that may not pass. */
const errorBy: Record<Exclude<Decision['outcome'], 'allow'>, ApiErrorCode> = {
  not_accepted: 'api_key_not_accepted',
  suspended: 'application_suspended',
};

export const createAuthorizerHandler = (
  decide: (apiKey: string) => Promise<Decision>,
  telemetry: Telemetry,
) => {
  return async (
    event: APIGatewayRequestAuthorizerEvent,
    _context: Context,
  ): Promise<APIGatewayAuthorizerResult> => {
    const given = Object.entries(event.headers ?? {});
    const [, apiKey = ''] = given.find(([name]) => name.toLowerCase() === 'x-api-key') ?? [];
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
    // This very word makes the gateway answer 401; any other error would be its 500.
    if (decision.outcome === 'not_accepted') throw new Error('Unauthorized');
    return policyFor(event, decision);
  };
};
