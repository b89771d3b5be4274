// The `url` trigger: an address of the function's own, which browsers are sent to.

import { Fn } from 'aws-cdk-lib';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import type { LedgerFunction } from './ledger-function.ts';

/**
 * The URL is the alias's own, whatever version that leads to, and "never changes" while it is there
 * (AWS Lambda Developer Guide, "Lambda function URLs").
 * @returns the address without its last slash, a token until it is deployed
 */
export const addUrl = ({ live }: LedgerFunction): string => {
  // A browser that a platform sends back has nothing to sign with. What protects the function is
  // the single-use state in the query.
  const { url } = live.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
  // `https://<host>/`: an operator puts paths behind it, and platforms compare them to the letter.
  return `https://${Fn.select(2, Fn.split('/', url))}`;
};
