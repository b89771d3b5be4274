// The functions of a deployed stage, for what an operator lets them do out of turn.

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import type { FunctionName } from '../manifest.ts';
import { functionNameOf, liveAlias } from '../names.ts';
import { CommandFailure } from './errors.ts';

/** What Lambda says of a function that failed (AWS Lambda Developer Guide, "Errors"). */
const Failed = z.object({ errorMessage: z.string() });

export type StageFunctions = ReturnType<typeof openFunctions>;

export const openFunctions = (client: LambdaClient, stage: string) => ({
  /**
   * Lets a function run as its schedule does, and waits for what it reports.
   * @throws CommandFailure with what the function failed of
   */
  runNow: async (name: FunctionName, moment: Date): Promise<unknown> => {
    const { Payload, FunctionError } = await client.send(
      new InvokeCommand({
        FunctionName: `${functionNameOf(stage, name)}:${liveAlias}`,
        // The handler reads nothing else of a scheduled event.
        Payload: JSON.stringify({ time: moment.toISOString() }),
      }),
    );
    const answer: unknown = JSON.parse(new TextDecoder().decode(Payload) || 'null');
    if (FunctionError === undefined) return answer;
    const reason = Failed.safeParse(answer).data?.errorMessage ?? FunctionError;
    throw new CommandFailure(`${name} failed: ${reason}`);
  },
});
