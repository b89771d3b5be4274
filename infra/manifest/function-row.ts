// What a row of the manifest says of a function.

import type { MetricName } from '#shared/metrics.ts';
import type { PartitionKind } from '#shared/table/partitions.ts';
import type { Trigger } from './triggers.ts';

/**
 * The IAM actions on the table. A transaction has none of its own: each of its parts is authorized
 * like the same write by itself (DynamoDB Developer Guide, "IAM for transactions").
 */
export type TableAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

export const writingActions: readonly TableAction[] = ['DeleteItem', 'PutItem', 'UpdateItem'];

/**
 * All hold keys by version but `platform-clients`, which has a row a slot. The keys of OAuth states
 * are no part of `token-sealing-keys`: who starts an authorization must not be able to open tokens.
 */
export type SecretName =
  | 'api-key-pepper'
  | 'oauth-state-keys'
  | 'platform-clients'
  | 'token-sealing-keys';

/** What every endpoint may do beside its row: charge the application that calls it. */
export const charging = { table: ['UpdateItem'], writes: ['budgets'] } as const satisfies {
  table: readonly TableAction[];
  writes: readonly PartitionKind[];
};

export type WatchedMetric = Extract<
  MetricName,
  'BackgroundWorkStuck' | 'BooksDiffer' | 'LargeSheets'
>;

export type FunctionRow = {
  purpose: string;
  trigger: Trigger;
  /** What the function does to the table, and no more. */
  table: readonly TableAction[];
  /**
   * The partitions that it reads and writes; IAM holds it to them by `dynamodb:LeadingKeys`. None
   * writes what operators write.
   */
  reads: readonly PartitionKind[];
  writes: readonly PartitionKind[];
  /** What it queries the due index for. */
  queriesDue?: readonly Extract<PartitionKind, `due${string}` | `earlierDue${string}`>[];
  secrets: readonly SecretName[];
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** 99 of 100 calls are answered within this time, if no platform makes them wait. */
  latencyObjectiveSeconds?: number;
  /**
   * The further throttle that each application has for this route; see `Throttling` in stages.ts.
   */
  throttle?: 'batch' | 'longRead' | 'reversal';
  /**
   * The most calls to a platform that follow each other while a caller waits, if the platform
   * rejects none. A refresh after a rejection is left to the function's deadline.
   */
  platformCallsInSequence?: number;
  /** The metrics of this function that an alarm adds up over all functions. */
  watchedMetrics: readonly WatchedMetric[];
  /** Its bundle may be larger than others: it has all adapters, and loads one when it is needed. */
  hasAllAdapters?: true;
  /** What it means for people when this function fails; every alarm repeats it. */
  errorImpact: string;
};

/** Whether a function charges whoever calls it for what it uses of the table. */
export const isCharged = ({ trigger }: Pick<FunctionRow, 'trigger'>): boolean =>
  trigger.kind === 'api';
