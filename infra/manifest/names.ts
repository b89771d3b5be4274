// What a stage's things are called, for whoever makes, finds or watches them.

import type { SecretName } from './function-row.ts';

/** Where functions emit metrics and alarms watch them. Stages may share an account. */
export const metricsNamespaceOf = (stage: string): string => `Ledger/${stage}`;

export const functionNameOf = (stage: string, name: string): string => `ledger-${stage}-${name}`;

/** The alias of each deployed function: what calls it calls the version that this leads to. */
export const liveAlias = 'live';

export const stackNameOf = (stage: string, stack: 'data' | 'service'): string =>
  `ledger-${stage}-${stack}`;

/** The queue of the stream records and invocations that a function could not process. */
export const failureQueueNameOf = (stage: string): string => `ledger-${stage}-failed-records`;

/** The plan by which the gateway throttles each application. */
export const usagePlanNameOf = (stage: string): string => `ledger-${stage}`;

export const tableNameOf = (stage: string): string => `ledger-${stage}`;

/** Where the table's daily copies are kept. */
export const backupVaultNameOf = (stage: string): string => `ledger-${stage}`;

/** What a secret is called in Secrets Manager. */
export const secretIdOf = (stage: string, name: SecretName): string => `ledger/${stage}/${name}`;
