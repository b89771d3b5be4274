// The `authorizer` trigger: the gateway calls the function and caches its policy by API key.

import { Duration } from 'aws-cdk-lib';
import { IdentitySource, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { Trigger } from '../../manifest/triggers.ts';
import type { LedgerFunction } from './ledger-function.ts';

/**
 * The gateway calls the alias, so a new version of the function needs no deployment of the gateway.
 * Cached policies outlive the old version by up to `cacheSeconds` (API Gateway Developer Guide,
 * "Configure a Lambda authorizer").
 */
export const createAuthorizer = (
  { live, lambda }: LedgerFunction,
  { cacheSeconds }: Extract<Trigger, { kind: 'authorizer' }>,
): RequestAuthorizer =>
  new RequestAuthorizer(lambda, 'authorizer', {
    handler: live,
    // Without this header, the gateway replies UNAUTHORIZED and does not call the function.
    identitySources: [IdentitySource.header('X-API-Key')],
    resultsCacheTtl: Duration.seconds(cacheSeconds),
  });
