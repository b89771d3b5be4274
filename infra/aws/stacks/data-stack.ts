// What a stage must not lose: the table, the secrets, and the key that both are encrypted with.

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
  'api-key-pepper': 'The pepper that API keys are hashed with, by version',
  'token-sealing-keys': "The keys that platforms' tokens are sealed with, by version",
  'oauth-state-keys': 'The keys that states of authorizations are made with, by version',
  'platform-clients': 'What the accounting platforms know this service by',
};

/** The keys of the table or of an index, as CDK takes them. */
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
      ? // What a failed first deployment has made goes with it, or the next one would meet it.
        RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
      : RemovalPolicy.DESTROY;
    this.key = this.addKey(stage, removalPolicy);
    const own = this.addTable(stage, { removalPolicy, tableThroughput });
    this.table = restoredTable ? this.importTable(restoredTable) : own;
    this.secrets = {
      'api-key-pepper': this.addSecret(stage, 'api-key-pepper', removalPolicy),
      'token-sealing-keys': this.addSecret(stage, 'token-sealing-keys', removalPolicy),
      'oauth-state-keys': this.addSecret(stage, 'oauth-state-keys', removalPolicy),
      'platform-clients': this.addSecret(stage, 'platform-clients', removalPolicy),
    };
    this.failureQueue = this.addFailureQueue(stage, removalPolicy);
    if (backups) addBackups(this, { stage, table: this.table, backups });
  }

  private addKey(stage: string, removalPolicy: RemovalPolicy): kms.Key {
    const key = new kms.Key(this, 'key', {
      alias: `ledger-${stage}`,
      description: `Encrypts the table, the secrets and the alarms of ledger-${stage}`,
      enableKeyRotation: true,
      removalPolicy,
    });
    // CloudWatch publishes alarms to a topic that is encrypted with this key.
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
        // An index that gives less than its table holds up the table's writes.
        ...throughput,
      });
    }
    // What the service takes of it is put out even while a restored table serves: CloudFormation
    // takes away no export that is in use, and this stack is deployed before the service lets go.
    this.exportValue(table.tableName);
    this.exportValue(table.tableArn);
    this.exportValue(table.tableStreamArn);
    return table;
  }

  /**
   * Here are only its names: CloudFormation did not make it, so that nothing here changes it, and
   * the stage can be bound to it, and back to its own table, by a deployment of the functions.
   */
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
      // Secrets Manager takes no secret without a value. The functions refuse this one as not of
      // the expected form, until the operator's tool sets the first real value. Changing it here
      // would overwrite what was set.
      secretStringValue: SecretValue.unsafePlainText('{}'),
      removalPolicy,
    });
    acknowledge(
      secret,
      'AwsSolutions-SMG4',
      "The operator's tool rotates it, by adding a version beside the ones in use. A schedule " +
        'could not do so: stored hashes and sealed tokens go on needing the old versions.',
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
    const reason =
      'It is itself where failures end; people take messages out of it, watched by an alarm.';
    acknowledge(queue, 'AwsSolutions-SQS3', reason);
    acknowledge(queue, 'Serverless-SQSRedrivePolicy', reason);
    return queue;
  }
}
