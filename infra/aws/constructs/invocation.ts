// The `invocation` trigger: one other function of the stage invokes it asynchronously.

import { Duration } from 'aws-cdk-lib';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { Trigger } from '../../manifest/triggers.ts';
import type { LedgerFunction } from './ledger-function.ts';
import type { StageData } from './stage-data.ts';

/** @param invoker the function that the trigger names */
export const addInvocation = (
  invoked: LedgerFunction,
  { maximumRetries, maximumAgeSeconds }: Extract<Trigger, { kind: 'invocation' }>,
  { invoker, failureQueue }: { invoker: LedgerFunction } & Pick<StageData, 'failureQueue'>,
): void => {
  invoker.allow({
    actions: ['lambda:InvokeFunction'],
    resources: [invoked.live.functionArn],
  });
  invoked.live.configureAsyncInvoke({
    retryAttempts: maximumRetries,
    maxEventAge: Duration.seconds(maximumAgeSeconds),
    onFailure: new SqsDestination(failureQueue),
  });
};
