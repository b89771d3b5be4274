import { describe, expect, test } from 'vitest';
import { tableShape, timeToLiveAttribute } from '#infra/table.ts';
import { stageNamed, synthesize } from '../../../support/harnesses/stage-app.ts';

const production = synthesize(stageNamed('production')).data;
const development = synthesize(stageNamed('development')).data;

describe('the table', () => {
  const table = production.one('AWS::DynamoDB::Table');

  test('has the shape of the local one', () => {
    // CloudFormation has no StreamEnabled: naming a view is enabling it.
    const { StreamSpecification, ...shape } = tableShape;
    const { StreamEnabled, ...stream } = StreamSpecification;
    expect(StreamEnabled).toBe(true);
    expect(table).toMatchObject({
      ...shape,
      StreamSpecification: stream,
      TimeToLiveSpecification: { AttributeName: timeToLiveAttribute, Enabled: true },
    });
    expect(table.AttributeDefinitions).toHaveLength(shape.AttributeDefinitions.length);
    expect(table.GlobalSecondaryIndexes).toHaveLength(shape.GlobalSecondaryIndexes.length);
  });

  test('is encrypted with our key, recoverable to any second, and protected', () => {
    expect(table).toMatchObject({
      TableName: 'ledger-production',
      SSESpecification: { KMSMasterKeyId: 'key.Arn', SSEEnabled: true, SSEType: 'KMS' },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
    });
  });
});

test('the key rotates, and CloudWatch may use it, only for alarms of this account', () => {
  const { EnableKeyRotation, KeyPolicy } = production.one('AWS::KMS::Key');
  expect(EnableKeyRotation).toBe(true);
  const ofServices = (KeyPolicy.Statement as { Principal: object }[]).filter(
    ({ Principal }) => 'Service' in Principal,
  );
  expect(ofServices).toEqual([
    {
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      Resource: '*',
      Condition: { StringEquals: { 'aws:SourceAccount': 'AWS::AccountId' } },
    },
  ]);
});

test('the secrets are encrypted with our key, and have no value yet that a function takes', () => {
  expect(production.properties('AWS::SecretsManager::Secret')).toMatchObject(
    ['api-key-pepper', 'token-sealing-keys', 'platform-clients'].map((name) => ({
      Name: `ledger/production/${name}`,
      KmsKeyId: 'key.Arn',
      SecretString: '{}',
    })),
  );
});

test('the failure queue is encrypted, keeps records for 14 days and speaks TLS only', () => {
  expect(production.one('AWS::SQS::Queue')).toMatchObject({
    QueueName: 'ledger-production-failed-records',
    SqsManagedSseEnabled: true,
    MessageRetentionPeriod: 14 * 24 * 60 * 60,
  });
  expect(production.one('AWS::SQS::QueuePolicy').PolicyDocument.Statement).toMatchObject([
    {
      Effect: 'Deny',
      Action: 'sqs:*',
      Principal: { AWS: '*' },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
  ]);
});

test.each([
  ['production', 'outlives it', production, 'RetainExceptOnCreate'],
  ['development', 'goes with it', development, 'Delete'],
])('what is stored in the stack of %s %s', (_stage, _title, stack, policy) => {
  for (const type of ['DynamoDB::Table', 'KMS::Key', 'SecretsManager::Secret', 'SQS::Queue']) {
    const policies = stack.all(`AWS::${type}`).map(({ DeletionPolicy }) => DeletionPolicy);
    expect(new Set(policies), type).toEqual(new Set([policy]));
  }
  const { DeletionProtectionEnabled } = stack.one('AWS::DynamoDB::Table');
  expect(DeletionProtectionEnabled).toBe(stack === production);
});
