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

describe('the key', () => {
  test('rotates', () => {
    expect(production.one('AWS::KMS::Key').EnableKeyRotation).toBe(true);
  });

  test('may be used by CloudWatch, and only for alarms of this account', () => {
    const { Statement } = production.one('AWS::KMS::Key').KeyPolicy;
    const services = Statement.filter(
      ({ Principal }: { Principal: object }) => 'Service' in Principal,
    );
    expect(services).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: '*',
        Condition: { StringEquals: { 'aws:SourceAccount': 'AWS::AccountId' } },
      },
    ]);
  });
});

describe('the secrets', () => {
  test('are three, encrypted with our key, and have no value yet that a function takes', () => {
    const secrets = production.properties('AWS::SecretsManager::Secret');
    expect(
      secrets.map(({ Name, KmsKeyId, SecretString }) => [Name, KmsKeyId, SecretString]),
    ).toEqual([
      ['ledger/production/api-key-pepper', 'key.Arn', '{}'],
      ['ledger/production/token-sealing-keys', 'key.Arn', '{}'],
      ['ledger/production/platform-clients', 'key.Arn', '{}'],
    ]);
  });
});

describe('the failure queue', () => {
  test('is encrypted and keeps records for 14 days', () => {
    expect(production.one('AWS::SQS::Queue')).toMatchObject({
      QueueName: 'ledger-production-failed-records',
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 24 * 60 * 60,
    });
  });

  test('refuses whatever does not come over TLS', () => {
    const { Statement } = production.one('AWS::SQS::QueuePolicy').PolicyDocument;
    expect(Statement).toMatchObject([
      {
        Effect: 'Deny',
        Action: 'sqs:*',
        Principal: { AWS: '*' },
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ]);
  });
});

describe('what is stored', () => {
  const kept = [
    'AWS::DynamoDB::Table',
    'AWS::KMS::Key',
    'AWS::SecretsManager::Secret',
    'AWS::SQS::Queue',
  ];

  test.each(kept)('outlives the stack in production: %s', (type) => {
    const policies = production.all(type).map(({ DeletionPolicy }) => DeletionPolicy);
    expect(new Set(policies)).toEqual(new Set(['RetainExceptOnCreate']));
  });

  test.each(kept)('goes with the stack in development: %s', (type) => {
    const policies = development.all(type).map(({ DeletionPolicy }) => DeletionPolicy);
    expect(new Set(policies)).toEqual(new Set(['Delete']));
  });

  test('can be deleted in development', () => {
    expect(development.one('AWS::DynamoDB::Table').DeletionProtectionEnabled).toBe(false);
  });
});
