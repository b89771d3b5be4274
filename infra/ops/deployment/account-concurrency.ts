// Checks before a deployment that the account can reserve the concurrency that the stage needs.
// CloudFormation would only fail halfway.

import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { keptUnreserved, reservedInAll } from '../../manifest/limits.ts';
import type { FunctionName } from '../../manifest/manifest.ts';
import { functionNameOf } from '../../manifest/names.ts';
import type { DeployedStage, ReservedConcurrency } from '../../manifest/stages.ts';

export type Account = {
  /** Concurrent executions of all functions in the region, and the part that is unreserved. */
  concurrency: number;
  unreserved: number;
  /** The current reservations of the stage's functions. */
  reserved: ReservedConcurrency;
};

/** The sum of the increases. Decreases do not count. */
const raisedBy = (wanted: ReservedConcurrency, reserved: ReservedConcurrency): number =>
  (Object.entries(wanted) as [FunctionName, number][]).reduce(
    (sum, [name, executions]) => sum + Math.max(0, executions - (reserved[name] ?? 0)),
    0,
  );

/**
 * CloudFormation updates functions in any order, so an increase can come before a decrease.
 * @returns a sentence for the operator, or `undefined` if the account has enough
 */
export const concurrencyProblem = (
  { name, settings: { reservedConcurrency }, deployment: { accountConcurrency } }: DeployedStage,
  { concurrency, unreserved, reserved }: Account,
): string | undefined => {
  const wanted = reservedConcurrency ?? {};
  const [wantedInAll, reservedByStage] = [reservedInAll(wanted), reservedInAll(reserved)];
  const free = unreserved - keptUnreserved;
  const available = free + reservedByStage;
  const byOthers = concurrency - unreserved - reservedByStage;
  if (wantedInAll > 0 && wantedInAll > available) {
    return (
      `The stage ${name} reserves ${wantedInAll} executions for its functions. The account has ` +
      `${concurrency} in this region. Other functions have reserved ${byOthers} and AWS keeps ` +
      `${keptUnreserved} unreserved, so ${Math.max(0, available)} are available. Request more ` +
      '"Concurrent executions" from Service Quotas, or lower reservedConcurrency in ' +
      'infra/manifest/stages.ts.'
    );
  }
  if (wantedInAll > 0 && accountConcurrency > concurrency) {
    return (
      `The limits of ${name} are for an account with ${accountConcurrency} executions, and this ` +
      `account has ${concurrency} in this region. Request more "Concurrent executions" from ` +
      'Service Quotas, or use the figures of infra/manifest/small-account.ts.'
    );
  }
  const raised = raisedBy(wanted, reserved);
  if (raised === 0 || raised <= free) return undefined;
  return (
    `The stage ${name} raises the reservations of some functions by ${raised} executions. The ` +
    `account has ${free} left until other reservations are lowered, and CloudFormation could ` +
    'raise before it lowers and fail. Deploy twice: first only with the lower figures in ' +
    'reservedConcurrency of infra/manifest/stages.ts, then with all.'
  );
};

const reservedBy = async (client: LambdaClient, functionName: string): Promise<number> => {
  try {
    const command = new GetFunctionConcurrencyCommand({ FunctionName: functionName });
    return (await client.send(command)).ReservedConcurrentExecutions ?? 0;
  } catch (error) {
    // The function does not exist before the first deployment.
    if (error instanceof ResourceNotFoundException) return 0;
    throw error;
  }
};

/**
 * Needs the permissions `lambda:GetAccountSettings` and `lambda:GetFunctionConcurrency`.
 * @returns a sentence for the operator, or `undefined` if the account has enough
 */
export const findConcurrencyProblem = async (
  stage: DeployedStage,
  client = new LambdaClient({}),
): Promise<string | undefined> => {
  const { reservedConcurrency } = stage.settings;
  const names = Object.keys(reservedConcurrency ?? {}) as FunctionName[];
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
