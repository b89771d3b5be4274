// The stateful resources of a stage: the table, the secrets and their encryption key.

import { Duration, RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { SecretName } from '../../manifest/function-row.ts';
import { failureQueueNameOf, secretIdOf, tableNameOf } from '../../manifest/names.ts';
import type { DeployedStage, Deployment } from '../../manifest/stages.ts';
import { tableShape, timeToLiveAttribute } from '../../manifest/table.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { addBackups } from '../constructs/backups.ts';
import type { StageData } from '../constructs/stage-data.ts';

const secretPurposes: Record<SecretName, string> = {
  'authenticator-keys': 'The keys that authenticate items of the books, by version',
  'api-key-pepper': 'The peppers of API key hashes, by version',
  'token-sealing-keys': "The keys that seal the platforms' tokens, by version",
  'oauth-state-keys': 'The keys that create states of authorizations, by version',
  'webhook-sealing-keys': "The keys that seal the webhooks' secrets, by version",
  'platform-clients': 'The client ids and secrets at the accounting platforms',
};

const keysOf = ([partition, sort]: readonly [
  { AttributeName: string },
  { AttributeName: string },
]) => ({
  partitionKey: { name: partition.AttributeName, type: dynamodb.AttributeType.STRING },
  sortKey: { name: sort.AttributeName, type: dynamodb.AttributeType.STRING },
});

export class DataStack extends Stack implements StageData {
  readonly key: kms.Key;
  readonly table: StageData['table'];
  readonly secrets: Record<SecretName, Secret>;
  readonly failureQueue: sqs.Queue;

  constructor(scope: Construct, id: string, { name: stage, deployment }: DeployedStage) {
    const { removalProtection, restoredTable, backups, tableThroughput } = deployment;
    super(scope, id, { terminationProtection: removalProtection });
    const removalPolicy = removalProtection
      ? // A failed first deployment removes its resources. They would block the next deployment.
        RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
      : RemovalPolicy.DESTROY;
    this.key = this.addKey(stage, removalPolicy);
    const own = this.addTable(stage, { removalPolicy, tableThroughput });
    this.table = restoredTable ? this.importTable(restoredTable) : own;
    this.secrets = {
      'authenticator-keys': this.addSecret(stage, 'authenticator-keys', removalPolicy),
      'api-key-pepper': this.addSecret(stage, 'api-key-pepper', removalPolicy),
      'token-sealing-keys': this.addSecret(stage, 'token-sealing-keys', removalPolicy),
      'oauth-state-keys': this.addSecret(stage, 'oauth-state-keys', removalPolicy),
      'webhook-sealing-keys': this.addSecret(stage, 'webhook-sealing-keys', removalPolicy),
      'platform-clients': this.addSecret(stage, 'platform-clients', removalPolicy),
    };
    this.failureQueue = this.addFailureQueue(stage, removalPolicy);
    if (backups) addBackups(this, { stage, table: this.table, key: this.key, backups });
  }

  private addKey(stage: string, removalPolicy: RemovalPolicy): kms.Key {
    const key = new kms.Key(this, 'key', {
      alias: `ledger-${stage}`,
      description: `Encrypts the table and the secrets of ledger-${stage}`,
      enableKeyRotation: true,
      removalPolicy,
    });
    // The topics of versions before 1.3.0 have this key until their stack, the last one, deploys.
    key.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    return key;
  }

  private addTable(
    stage: string,
    {
      removalPolicy,
      tableThroughput: { readUnits, writeUnits },
    }: { removalPolicy: RemovalPolicy } & Pick<Deployment, 'tableThroughput'>,
  ): dynamodb.Table {
    const throughput = { maxReadRequestUnits: readUnits, maxWriteRequestUnits: writeUnits };
    const table = new dynamodb.Table(this, 'table', {
      tableName: tableNameOf(stage),
      ...keysOf(tableShape.KeySchema),
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      ...throughput,
      encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.key,
      stream: dynamodb.StreamViewType[tableShape.StreamSpecification.StreamViewType],
      timeToLiveAttribute,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: removalPolicy !== RemovalPolicy.DESTROY,
      removalPolicy,
    });
    for (const { IndexName, KeySchema } of tableShape.GlobalSecondaryIndexes) {
      table.addGlobalSecondaryIndex({
        indexName: IndexName,
        ...keysOf(KeySchema),
        projectionType: dynamodb.ProjectionType.KEYS_ONLY,
        // A lower throughput of the index would throttle writes to the table.
        ...throughput,
      });
    }
    // The exports stay even while a restored table is in use: CloudFormation cannot remove an
    // export that the service stack still imports, and this stack deploys first.
    this.exportValue(table.tableName);
    this.exportValue(table.tableArn);
    this.exportValue(table.tableStreamArn);
    return table;
  }

  /** References a table that CloudFormation did not create. This stack does not change it. */
  private importTable({
    name,
    streamLabel,
  }: NonNullable<Deployment['restoredTable']>): dynamodb.ITable {
    return dynamodb.Table.fromTableAttributes(this, 'restored-table', {
      tableName: name,
      tableStreamArn: this.formatArn({
        service: 'dynamodb',
        resource: 'table',
        resourceName: `${name}/stream/${streamLabel}`,
      }),
      encryptionKey: this.key,
    });
  }

  private addSecret(stage: string, name: SecretName, removalPolicy: RemovalPolicy): Secret {
    const secret = new Secret(this, name, {
      secretName: secretIdOf(stage, name),
      description: secretPurposes[name],
      encryptionKey: this.key,
      // Secrets Manager requires a value. The functions reject this one until the operator's tool
      // sets the first real value. A change here would overwrite the real value.
      secretStringValue: SecretValue.unsafePlainText('{}'),
      removalPolicy,
    });
    acknowledge(
      secret,
      'AwsSolutions-SMG4',
      "The operator's tool rotates it and keeps the old versions. A scheduled rotation cannot: " +
        'stored hashes and sealed tokens still need the old versions.',
    );
    return secret;
  }

  private addFailureQueue(stage: string, removalPolicy: RemovalPolicy): sqs.Queue {
    const queue = new sqs.Queue(this, 'failed-records', {
      queueName: failureQueueNameOf(stage),
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy,
    });
    // Service stacks of version 1.1.0 and earlier import it, and this stack deploys first.
    this.exportValue(queue.queueName);
    const reason =
      'It is the dead-letter queue. Operators process its messages, and an alarm watches it.';
    acknowledge(queue, 'AwsSolutions-SQS3', reason);
    acknowledge(queue, 'Serverless-SQSRedrivePolicy', reason);
    return queue;
  }
}
