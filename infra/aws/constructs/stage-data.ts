// The resources of the data stack that functions, triggers and alarms use.

import type { ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { SecretName } from '../../manifest/function-row.ts';

export type StageData = {
  /** Encrypts the table and the secrets. */
  key: Key;
  /** The stack's own table, or the restored table that replaces it. */
  table: Table | ITable;
  secrets: Record<SecretName, Secret>;
  /** The dead-letter queue of stream records and invocations. */
  failureQueue: Queue;
};
