// The names of a stage's resources.

import type { Plan } from '#shared/applications/api-keys.ts';
import type { SecretName } from './function-row.ts';

/** The metrics namespace has the stage's name because stages can share an account. */
export const metricsNamespaceOf = (stage: string): string => `Ledger/${stage}`;

export const functionNameOf = (stage: string, name: string): string => `ledger-${stage}-${name}`;

/** The alias of each deployed function. Callers invoke the version that it points to. */
export const liveAlias = 'live';

/** The stacks of a stage, in the order of their deployment. `copies` is in another region. */
export const stackNames = ['data', 'events', 'service', 'alarms'] as const;
export type StackName = (typeof stackNames)[number] | 'copies';

export const stackNameOf = (stage: string, stack: StackName): string => `ledger-${stage}-${stack}`;

/** The dead-letter queue: stream records and invocations that a function could not process. */
export const failureQueueNameOf = (stage: string): string => `ledger-${stage}-failed-records`;

/** The name of the API and of its dashboard. */
export const apiNameOf = (stage: string): string => `ledger-${stage}`;

export const functionLogNameOf = (stage: string, name: string): string =>
  `/aws/lambda/${functionNameOf(stage, name)}`;

/** The log of the gateway, with a line for each request. */
export const accessLogNameOf = (stage: string): string => `/aws/apigateway/ledger-${stage}`;

export const alarmNameOf = (stage: string, alarm: string): string => `ledger-${stage}-${alarm}`;

/** The topic of alarms of one severity. */
export const topicNameOf = (stage: string, severity: 'page' | 'ticket'): string =>
  `ledger-${stage}-${severity}`;

/** The gateway's usage plan of an application's plan. It throttles each application. */
export const usagePlanNameOf = (stage: string, plan: Plan = 'large'): string =>
  plan === 'large' ? `ledger-${stage}` : `ledger-${stage}-${plan}`;

export const tableNameOf = (stage: string): string => `ledger-${stage}`;

/** The vault of the table's backups. */
export const backupVaultNameOf = (stage: string): string => `ledger-${stage}`;

/** The vault of their copies, in another region. */
export const copyVaultNameOf = (stage: string): string => `copy-ledger-${stage}`;

/** The role with which AWS Backup restores a table. */
export const restoreRoleNameOf = (stage: string): string => `ledger-${stage}-restore`;

/** The name of a secret in Secrets Manager. */
export const secretIdOf = (stage: string, name: SecretName): string => `ledger/${stage}/${name}`;
