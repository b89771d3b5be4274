// What a stage's things are called on AWS, for the deployment and for the operator's tool.

/** The namespace of the metrics that functions emit and alarms watch. */
export const metricsNamespace = 'Ledger';

export const functionNameOf = (stage: string, name: string): string => `ledger-${stage}-${name}`;

export const stackNameOf = (stage: string, stack: 'data' | 'service'): string =>
  `ledger-${stage}-${stack}`;

/** The queue of the stream records that a function could not process. */
export const failureQueueNameOf = (stage: string): string => `ledger-${stage}-failed-records`;

/** The plan by which the gateway throttles each application. */
export const usagePlanNameOf = (stage: string): string => `ledger-${stage}`;
