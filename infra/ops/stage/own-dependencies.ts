// What the local service and a deployed stage open differently.

import type { StageSettings } from '../../manifest/stages.ts';
import type { DeployedStacks } from './deployed-stacks.ts';
import type { FailureQueue } from './failures.ts';
import type { FunctionVersions } from './function-versions.ts';
import type { StageFunctions } from './functions.ts';
import type { Restoration } from './restoration.ts';
import type { UsagePlan } from './usage-plan.ts';

export type OwnDependencies = {
  /** The base URL of the API. */
  baseUrl: () => Promise<string>;
  /** The stacks with the functions. Undefined for the local service. */
  deployedStacks: DeployedStacks | undefined;
  failures: FailureQueue;
  /** Invokes functions outside their schedule. Undefined for the local service. */
  functions: StageFunctions | undefined;
  /** The versions of the functions. Undefined for the local service. */
  functionVersions: FunctionVersions | undefined;
  /** The name of the operator: an AWS ARN, or the local user. */
  operator: () => Promise<string>;
  /** Settings from the stage's row in infra/manifest/stages.ts. */
  rules: Pick<
    StageSettings,
    'apiKeyLifetimeDays' | 'costBudget' | 'rateMaximumAgeDays' | 'redirectRegistration'
  >;
  /** Restores of the table. Undefined for the local service. */
  restoration: Restoration | undefined;
  /** The gateway's usage plan. The local service has none. */
  usagePlan: UsagePlan | undefined;
};

/** Destroys a client when the stage is closed. */
export type Use = <Client extends Destroyable>(client: Client) => Client;
export type OwnOpeners = (use: Use) => {
  [Name in keyof OwnDependencies]: () => OwnDependencies[Name] | Promise<OwnDependencies[Name]>;
};
type Destroyable = { destroy: () => void };
