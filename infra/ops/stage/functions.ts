// Invokes functions of a deployed stage outside their schedule.

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import type { FunctionName } from '../../manifest/manifest.ts';
import { functionNameOf, liveAlias } from '../../manifest/names.ts';
import { CommandFailure } from '../errors.ts';

/** Lambda's reply when a function throws (AWS Lambda Developer Guide, "Errors"). */
const FunctionFailure = z.object({ errorMessage: z.string() });

export type StageFunctions = ReturnType<typeof openFunctions>;

export const openFunctions = (client: LambdaClient, stage: string) => ({
  /**
   * Invokes a function with a scheduled event and returns its reply.
   * @throws CommandFailure with the function's error message
   */
  runNow: async (name: FunctionName, moment: Date): Promise<unknown> => {
    const { Payload, FunctionError } = await client.send(
      new InvokeCommand({
        FunctionName: `${functionNameOf(stage, name)}:${liveAlias}`,
        // The only field of a scheduled event that handlers read.
        Payload: JSON.stringify({ time: moment.toISOString() }),
      }),
    );
    const reply: unknown = JSON.parse(new TextDecoder().decode(Payload) || 'null');
    if (FunctionError === undefined) return reply;
    const reason = FunctionFailure.safeParse(reply).data?.errorMessage ?? FunctionError;
    throw new CommandFailure(`${name} failed: ${reason}`);
  },
});
