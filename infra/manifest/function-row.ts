// The type of a row of the manifest.

import type { PartitionKind } from '#shared/table/partitions.ts';
import type { MetricName } from '#shared/telemetry.ts';
import type { Trigger } from './triggers.ts';

/**
 * The IAM actions on the table. There is no action for transactions: IAM authorizes each part of a
 * transaction as a single write (DynamoDB Developer Guide, "IAM for transactions").
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
 * `platform-clients` has one row per platform slot; the other secrets hold keys by version.
 * `oauth-state-keys` is separate from `token-sealing-keys` because the function that starts an
 * authorization must not be able to open tokens.
 */
export const versionedSecrets = [
  'api-key-pepper',
  'token-sealing-keys',
  'oauth-state-keys',
  'webhook-sealing-keys',
  'authenticator-keys',
] as const;
/** All secrets of a stage. */
export const secretNames = [...versionedSecrets, 'platform-clients'] as const;
export type SecretName = (typeof secretNames)[number];

/** The permission of every endpoint in addition to its row: to charge the calling application. */
export const charging = { table: ['UpdateItem'], writes: ['budgets'] } as const satisfies {
  table: readonly TableAction[];
  writes: readonly PartitionKind[];
};

export type WatchedMetric = Extract<MetricName, 'BackgroundWorkStuck' | 'LargeSheets'>;

export type FunctionRow = {
  purpose: string;
  trigger: Trigger;
  /** The actions on the table that the function may use. */
  table: readonly TableAction[];
  /**
   * The kinds of partitions that it may read and write. IAM enforces them by
   * `dynamodb:LeadingKeys`. No function writes the operator's items.
   */
  reads: readonly PartitionKind[];
  writes: readonly PartitionKind[];
  /** The partitions of the due index that it may query. */
  queriesDue?: readonly Extract<PartitionKind, `due${string}` | `earlierDue${string}`>[];
  secrets: readonly SecretName[];
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** 99 of 100 calls finish within this time, not counting waits for a platform. */
  latencyObjectiveSeconds?: number;
  /** Each application's throttle for this route: see `Throttling` in stages.ts. */
  throttle?: 'batch' | 'longRead' | 'reversal' | 'webhookTest';
  /**
   * The maximum number of sequential calls to a platform while a caller waits, if the platform
   * rejects none. A token refresh after a rejection is limited by the function's deadline only.
   */
  platformCallsInSequence?: number;
  /** The metrics of this function that alarms sum over all functions. */
  watchedMetrics?: readonly WatchedMetric[];
  /** Its bundle may exceed the usual size because it contains all adapters. */
  hasAllAdapters?: true;
  /** The effect on people if this function fails. Its alarms repeat this text. */
  errorImpact: string;
};

/** The limits of an endpoint with a few calls to the table. */
export const short = {
  secrets: [],
  timeoutSeconds: 15,
  memoryMegabytes: 512,
  latencyObjectiveSeconds: 2,
} as const satisfies Partial<FunctionRow>;

/** The limits of an endpoint that reads or writes items of tenants, which have authenticators. */
export const shortOfTenant = { ...short, secrets: ['authenticator-keys'] } as const;

/** Whether a function charges the caller for its reads and writes of the table. */
export const isCharged = ({ trigger }: Pick<FunctionRow, 'trigger'>): boolean =>
  trigger.kind === 'api';
