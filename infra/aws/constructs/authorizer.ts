// The `authorizer` trigger: the gateway asks the function about a key, and remembers its answer.

import { Duration } from 'aws-cdk-lib';
import { IdentitySource, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { Trigger } from '../../triggers.ts';
import type { LedgerFunction } from './ledger-function.ts';

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
