// The `url` trigger: a Lambda URL for browsers.

import { Fn } from 'aws-cdk-lib';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import type { LedgerFunction } from './ledger-function.ts';

/**
 * The URL belongs to the alias, so it is the same for all versions and "never changes" (AWS Lambda
 * Developer Guide, "Lambda function URLs").
 * @returns the address without a trailing slash; a token until the deployment
 */
export const addUrl = ({ live }: LedgerFunction): string => {
  // Browsers cannot sign requests. The single-use state in the query protects the function.
  const { url } = live.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
  // Removes the trailing slash of `https://<host>/`: platforms compare callback URLs exactly.
  return `https://${Fn.select(2, Fn.split('/', url))}`;
};
