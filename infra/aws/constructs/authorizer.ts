// The `authorizer` trigger: the gateway asks the function about a key, and remembers its answer.

import { Duration } from 'aws-cdk-lib';
import { IdentitySource, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { Trigger } from '../../manifest/triggers.ts';
import type { LedgerFunction } from './ledger-function.ts';

/**
 * It calls the alias, whose name stays while its version changes, so that the gateway needs no
 * deployment of its own. What it remembers is the gateway's and outlives a change of version: a new
 * one decides about a key once `cacheSeconds` are over (API Gateway Developer Guide, "Configure a
 * Lambda authorizer", on its cache).
 */
export const createAuthorizer = (
  { live, lambda }: LedgerFunction,
  { cacheSeconds }: Extract<Trigger, { kind: 'authorizer' }>,
): RequestAuthorizer =>
  new RequestAuthorizer(lambda, 'authorizer', {
    handler: live,
    // A request without the header is refused as UNAUTHORIZED, and nobody is asked.
    identitySources: [IdentitySource.header('X-API-Key')],
    resultsCacheTtl: Duration.seconds(cacheSeconds),
  });
