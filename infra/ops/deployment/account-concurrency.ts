// Whether the account can set aside the executions that a stage wants, asked before a deployment:
// CloudFormation would find out in the middle of it.

import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import type { FunctionName } from '../../manifest.ts';
import { functionNameOf } from '../../names.ts';
import { type ReservedExecutions, reservedExecutions, reservedInAll } from '../../sharing.ts';
import type { DeployedStage } from '../../stages.ts';
import { keptUnreserved } from '../../traffic-limits.ts';

export type Account = {
  /** What all its functions in the region may run at once, and what of it is not reserved. */
  concurrency: number;
  unreserved: number;
  /** What the stage's own functions have reserved already. */
  reserved: ReservedExecutions;
};

/** By how much functions get more than they have. */
const raisedBy = (wanted: ReservedExecutions, reserved: ReservedExecutions): number =>
  (Object.entries(wanted) as [FunctionName, number][]).reduce(
    (sum, [name, executions]) => sum + Math.max(0, executions - (reserved[name] ?? 0)),
    0,
  );

/**
 * Why an account cannot set aside what a stage wants; `undefined` where it can. CloudFormation
 * changes functions in no order of ours, so that one may get more before another gets less.
 */
export const concurrencyProblem = (
  { name, settings: { reservedConcurrency } }: Pick<DeployedStage, 'name' | 'settings'>,
  { concurrency, unreserved, reserved }: Account,
): string | undefined => {
  const wanted = reservedExecutions(reservedConcurrency);
  const [wantedInAll, reservedByStage] = [reservedInAll(wanted), reservedInAll(reserved)];
  const free = unreserved - keptUnreserved;
  const available = free + reservedByStage;
  const byOthers = concurrency - unreserved - reservedByStage;
  if (wantedInAll > 0 && wantedInAll > available) {
    return (
      `The stage ${name} reserves ${wantedInAll} executions for its functions. The account has ` +
      `${concurrency} in this region, of which others have reserved ${byOthers} and AWS keeps ` +
      `${keptUnreserved} unreserved, so that it can reserve ${Math.max(0, available)}. Ask ` +
      'Service Quotas for more "Concurrent executions", or lower reservedConcurrency in ' +
      'infra/stages.ts.'
    );
  }
  const raised = raisedBy(wanted, reserved);
  if (raised === 0 || raised <= free) return undefined;
  return (
    `The stage ${name} reserves ${raised} executions more for some of its functions, and the ` +
    `account has ${free} to reserve until others of them get fewer. CloudFormation may come to ` +
    'these later, and would fail. Deploy reservedConcurrency of infra/stages.ts with the lower ' +
    'figures first and without the higher ones, and then with both.'
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
  const { reservedConcurrency } = stage.settings;
  const names = Object.keys(reservedExecutions(reservedConcurrency)) as FunctionName[];
  if (names.length === 0) return undefined;
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  const reserved = await Promise.all(
    names.map(async (name) => [name, await reservedBy(client, functionNameOf(stage.name, name))]),
  );
  return concurrencyProblem(stage, {
    concurrency: AccountLimit?.ConcurrentExecutions ?? 0,
    unreserved: AccountLimit?.UnreservedConcurrentExecutions ?? 0,
    reserved: Object.fromEntries(reserved),
  });
};
