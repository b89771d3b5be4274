// The `invocation` trigger: other functions of the stage invoke it asynchronously.

import { Duration } from 'aws-cdk-lib';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { Trigger } from '../../manifest/triggers.ts';
import type { LedgerFunction } from './ledger-function.ts';
import type { StageData } from './stage-data.ts';

/** @param invokers the functions that the trigger names */
export const addInvocation = (
  invoked: LedgerFunction,
  { maximumRetries, maximumAgeSeconds }: Extract<Trigger, { kind: 'invocation' }>,
  { invokers, failureQueue }: { invokers: LedgerFunction[] } & Pick<StageData, 'failureQueue'>,
): void => {
  for (const invoker of invokers) {
    invoker.allow({
      actions: ['lambda:InvokeFunction'],
      resources: [invoked.live.functionArn],
    });
  }
  invoked.live.configureAsyncInvoke({
    retryAttempts: maximumRetries,
    maxEventAge: Duration.seconds(maximumAgeSeconds),
    onFailure: new SqsDestination(failureQueue),
  });
};
