// Whether the account can set aside the executions that a stage wants, asked before a deployment:
// CloudFormation would find out in the middle of it.

import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { functionNameOf } from '../../names.ts';
import { reservedExecutions, reservedInAll } from '../../sharing.ts';
import type { DeployedStage } from '../../stages.ts';
import { keptUnreserved } from '../../traffic-limits.ts';

export type Account = {
  /** What all its functions in the region may run at once, and what of it is not reserved. */
  concurrency: number;
  unreserved: number;
  /** What the stage's own functions have reserved already. */
  reservedByStage: number;
};

/** Why an account cannot set aside what a stage wants; `undefined` where it can. */
export const concurrencyProblem = (
  { name, settings: { reservedConcurrency } }: Pick<DeployedStage, 'name' | 'settings'>,
  { concurrency, unreserved, reservedByStage }: Account,
): string | undefined => {
  const wanted = reservedInAll(reservedConcurrency);
  const available = unreserved + reservedByStage - keptUnreserved;
  if (wanted === 0 || wanted <= available) return undefined;
  const byOthers = concurrency - unreserved - reservedByStage;
  return (
    `The stage ${name} reserves ${wanted} executions for its functions. The account has ` +
    `${concurrency} in this region, of which others have reserved ${byOthers} and AWS keeps ` +
    `${keptUnreserved} unreserved, so that it can reserve ${Math.max(0, available)}. Ask Service ` +
    'Quotas for more "Concurrent executions", or lower reservedConcurrency in infra/stages.ts.'
  );
};

const reservedBy = async (client: LambdaClient, functionName: string): Promise<number> => {
  try {
    const command = new GetFunctionConcurrencyCommand({ FunctionName: functionName });
    return (await client.send(command)).ReservedConcurrentExecutions ?? 0;
  } catch (error) {
    // Before the first deployment there is no such function.
    if (error instanceof ResourceNotFoundException) return 0;
    throw error;
  }
};

/**
 * Asks AWS, which takes `lambda:GetAccountSettings` and `lambda:GetFunctionConcurrency`.
 * @returns the problem in a sentence for the operator, `undefined` where there is none
 */
export const findConcurrencyProblem = async (
  stage: Pick<DeployedStage, 'name' | 'settings'>,
  client = new LambdaClient({}),
): Promise<string | undefined> => {
  const names = Object.keys(reservedExecutions(stage.settings.reservedConcurrency));
  if (names.length === 0) return undefined;
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  const reserved = await Promise.all(
    names.map((name) => reservedBy(client, functionNameOf(stage.name, name))),
  );
  return concurrencyProblem(stage, {
    concurrency: AccountLimit?.ConcurrentExecutions ?? 0,
    unreserved: AccountLimit?.UnreservedConcurrentExecutions ?? 0,
    reservedByStage: reserved.reduce((sum, it) => sum + it, 0),
  });
};
