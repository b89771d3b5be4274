// The parts of a stage's data that functions, triggers and alarms are given.

import type { ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { SecretName } from '../../manifest/function-row.ts';

export type StageData = {
  /** Encrypts the table, the secrets and the alarms. */
  key: Key;
  /** The stack's own, or a restored one in its place. */
  table: Table | ITable;
  secrets: Record<SecretName, Secret>;
  /** Where stream records and invocations go that their function gave up on. */
  failureQueue: Queue;
};
