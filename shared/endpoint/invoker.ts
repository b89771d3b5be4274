// Asks Lambda to call another function of ours, in an execution of its own.

import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { clientSettings, invocationLimits } from '../aws-call-limits.ts';
import { noteInvocation } from '../table/metering.ts';

/**
 * Opens Lambda, where the SDK's own settings say it is. What is returned puts a call into the
 * function's queue, and waits for that only (AWS Lambda API Reference, "Invoke", type `Event`).
 */
export const openInvoker = (functionName: string, config: LambdaClientConfig = {}) => {
  const client = new LambdaClient({ ...clientSettings(invocationLimits), ...config });
  return async (payload: object): Promise<void> => {
    noteInvocation(functionName);
    await client.send(
      new InvokeCommand({
        FunctionName: functionName,
        InvocationType: 'Event',
        Payload: JSON.stringify(payload),
      }),
    );
  };
};
