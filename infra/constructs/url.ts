// The `url` trigger: an address of the function's own, which browsers are sent to.

import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import type { LedgerFunction } from './ledger-function.ts';

/** @returns the address, a token until it is deployed */
export const addUrl = ({ lambda }: LedgerFunction): string =>
  // A browser that a platform sends back has nothing to sign with. What protects the function is
  // the single-use state in the query, and the concurrency that it cannot go beyond.
  lambda.addFunctionUrl({ authType: FunctionUrlAuthType.NONE }).url;
