// Invokes another of our functions asynchronously.

import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { clientSettings, invocationLimits } from '../aws-call-limits.ts';
import { noteInvocation } from '../table/metering.ts';

/**
 * Opens Lambda at the endpoint in the SDK's settings. Returns a function that queues an invocation
 * and does not wait for its result (AWS Lambda API Reference, "Invoke", type `Event`).
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
