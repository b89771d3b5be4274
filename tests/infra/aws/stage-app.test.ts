// The stored resources of a stage, its options, and the findings of cdk-nag.

import { CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, test } from 'vitest';
import { contentLengthTooLarge } from '#infra/aws/constructs/firewall.ts';
import { mostResources, type StageApp } from '#infra/aws/stage-app.ts';
import { secretNames } from '#infra/manifest/function-row.ts';
import { deployedStages } from '#infra/manifest/stages.ts';
import { tableShape, timeToLiveAttribute } from '#infra/manifest/table.ts';
import { maximumBodyBytes } from '#shared/endpoint/json-body.ts';
import { errorEnvelope } from '#shared/errors.ts';
import {
  findingsIn,
  fullStage,
  stageNamed,
  synthesize,
  withStageApp,
} from '../../support/harnesses/stage-app.ts';

const { data: production, alarms } = synthesize(stageNamed('production'));
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

/** The topics of versions before 1.3.0 have the stage's key until the alarms stack deploys. */
test.each([
  ['the stage', production],
  ['its alarms, which must arrive if that of the stage is disabled', alarms],
])('the key of %s rotates, and CloudWatch may use it, only for this account', (_, stack) => {
  const { EnableKeyRotation, KeyPolicy } = stack.one('AWS::KMS::Key');
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
  const names = production.properties('AWS::SecretsManager::Secret').map(({ Name }) => Name);
  expect(names.toSorted()).toEqual(
    secretNames.map((name) => `ledger/production/${name}`).toSorted(),
  );
  expect(production.properties('AWS::SecretsManager::Secret')).toMatchObject(
    names.map((Name) => ({
      Name,
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
])('the stored data in the stack of %s %s', (_stage, _title, stack, policy) => {
  for (const type of ['DynamoDB::Table', 'KMS::Key', 'SecretsManager::Secret', 'SQS::Queue']) {
    const policies = stack.all(`AWS::${type}`).map(({ DeletionPolicy }) => DeletionPolicy);
    expect(new Set(policies), type).toEqual(new Set([policy]));
  }
  const { DeletionProtectionEnabled } = stack.one('AWS::DynamoDB::Table');
  expect(DeletionProtectionEnabled).toBe(stack === production);
});

const { service } = synthesize(fullStage());
const { service: plain } = synthesize(stageNamed('development'));

describe('a custom domain', () => {
  test('has its certificate and its record, and leads to the API', () => {
    expect(service.one('AWS::CertificateManager::Certificate')).toMatchObject({
      DomainName: 'api.ledger.example',
      ValidationMethod: 'DNS',
      DomainValidationOptions: [
        { DomainName: 'api.ledger.example', HostedZoneId: 'Z0123456789ABCDEFGHIJ' },
      ],
    });
    expect(service.one('AWS::ApiGateway::DomainName')).toMatchObject({
      DomainName: 'api.ledger.example',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: 'customdomaincertificate',
    });
    const ofDefaultHost = service.one('AWS::ApiGateway::RestApi');
    expect(service.one('AWS::ApiGateway::DomainName')).toMatchObject({
      SecurityPolicy: ofDefaultHost.SecurityPolicy,
      EndpointAccessMode: ofDefaultHost.EndpointAccessMode,
    });
    expect(service.one('AWS::ApiGateway::BasePathMapping')).toMatchObject({
      RestApiId: 'apigateway',
      Stage: expect.stringContaining('full'),
    });
    expect(service.one('AWS::Route53::RecordSet')).toMatchObject({
      Name: 'api.ledger.example.',
      Type: 'A',
      HostedZoneId: 'Z0123456789ABCDEFGHIJ',
    });
    expect(service.outputs.BaseUrl).toBe('https://api.ledger.example');
    // It is the only way in.
    expect(service.one('AWS::ApiGateway::RestApi').DisableExecuteApiEndpoint).toBe(true);
  });

  test('does not exist if the stage names none', () => {
    expect(plain.all('AWS::ApiGateway::DomainName')).toEqual([]);
    expect(plain.outputs.BaseUrl).toBe(
      'https://apigateway.execute-api.AWS::Region.AWS::URLSuffix/development',
    );
  });
});

describe('the firewall', () => {
  const acl = service.one('AWS::WAFv2::WebACL');

  test('stands before the stage of the API', () => {
    expect(acl).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
    expect(service.one('AWS::WAFv2::WebACLAssociation')).toMatchObject({
      WebACLArn: 'firewallacl.Arn',
      ResourceArn: expect.stringContaining('/restapis/apigateway/stages/'),
    });
  });

  test('has the rules for addresses, bodies and common attacks, in this order', () => {
    type Rule = { Name: string; Priority: number; Statement: object };
    const rules = (acl.Rules as Rule[]).sort((one, other) => one.Priority - other.Priority);
    expect(rules.map(({ Name }) => Name)).toEqual([
      'requests-per-address',
      'body-size',
      'common-attacks',
    ]);
    expect(rules.map(({ Statement }) => Statement)).toMatchObject([
      { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 40_000 } },
      { RegexMatchStatement: { FieldToMatch: { SingleHeader: { Name: 'content-length' } } } },
      {
        ManagedRuleGroupStatement: {
          VendorName: 'AWS',
          Name: 'AWSManagedRulesCommonRuleSet',
          RuleActionOverrides: expect.arrayContaining([
            { Name: 'SizeRestrictions_BODY', ActionToUse: { Count: {} } },
          ]),
        },
      },
    ]);
  });

  test.each([
    ['requests-per-address', 'too_many_requests', 429, { 'Retry-After': '60' }],
    ['body-size', 'body_too_large', 413, {}],
  ] as const)('answers for %s in our envelope', (name, code, status, headers) => {
    const rule = acl.Rules.find(({ Name }: { Name: string }) => Name === name);
    const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } =
      rule.Action.Block.CustomResponse;
    expect(ResponseCode).toBe(status);
    const sent = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers };
    expect(ResponseHeaders).toEqual(Object.entries(sent).map(([Name, Value]) => ({ Name, Value })));
    const { ContentType, Content } = acl.CustomResponseBodies[CustomResponseBodyKey];
    expect(ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(Content)).toEqual(errorEnvelope({ code, requestId: 'none' }));
  });

  test('takes a Content-Length of more than 256 KB for too large', () => {
    const small = ['', '0', '9', '262143', String(maximumBodyBytes), '000262144'];
    const large = [
      ...[String(maximumBodyBytes + 1), '262149', '262150', '262199', '262200', '262999'],
      ...['263000', '269999', '270000', '299999', '300000', '999999', '1000000', '10485760'],
      '000262145',
    ];
    const tooLarge = new RegExp(contentLengthTooLarge);
    expect([...small, ...large].filter((length) => tooLarge.test(length))).toEqual(large);
  });

  test('logs blocked requests without key and query', () => {
    expect(service.one('AWS::WAFv2::LoggingConfiguration')).toMatchObject({
      LogDestinationConfigs: [expect.stringMatching(/:log-group:aws-waf-logs-ledger-full$/)],
      RedactedFields: [{ SingleHeader: { Name: 'x-api-key' } }, { QueryString: {} }],
      LoggingFilter: { DefaultBehavior: 'DROP' },
    });
    expect(service.properties('AWS::Logs::LogGroup')).toContainEqual(
      expect.objectContaining({
        LogGroupName: 'aws-waf-logs-ledger-full',
        RetentionInDays: 90,
      }),
    );
  });

  test('does not exist if the stage names none', () => {
    expect(plain.all('AWS::WAFv2::WebACL')).toEqual([]);
  });
});

const stages = [...deployedStages, fullStage()].map((stage) => [stage.name, stage] as const);

/** The acknowledgements, as `rule path` with the reason. */
const acknowledgementsIn = ({ app }: StageApp): [string, string][] =>
  app.node
    .findAll()
    .flatMap((construct) =>
      construct.node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) =>
          Object.entries<string>(data).map(([rule, reason]): [string, string] => [
            `${rule.replace(/^annotation::/i, '')} ${construct.node.path}`,
            reason,
          ]),
        ),
    );

describe('the size of the stacks', () => {
  const resourcesIn = (stack: Stack): string[] =>
    stack.node.findAll().flatMap((it) => (CfnResource.isCfnResource(it) ? it.node.path : []));

  /** An endpoint with a path of its own, below one that other endpoints share. */
  const isOfEndpoint = (path: string): boolean =>
    /\/(create-account|accounts\/create)(-\w+)*\//.test(path);

  // The functions of a new noun go into a stack of their own, like those of events. Then an
  // endpoint has two resources here.
  test('leaves room for one more endpoint, of eight resources', () => {
    const { ofService, ofAlarms } = withStageApp(fullStage(), ({ service: stack, alarms }) => ({
      ofService: resourcesIn(stack),
      ofAlarms: resourcesIn(alarms),
    }));
    const [each, alarmsEach] = [ofService, ofAlarms].map((it) => it.filter(isOfEndpoint).length);
    expect(each).toBeGreaterThanOrEqual(7);
    expect(each).toBeLessThanOrEqual(8);
    expect(alarmsEach).toBeLessThanOrEqual(1);
    expect(ofService.length + 8).toBeLessThanOrEqual(mostResources);
    expect(ofAlarms.length + 10).toBeLessThanOrEqual(mostResources);
  });
});

test('a stack that comes near what CloudFormation takes is refused', () => {
  withStageApp(stageNamed('production'), ({ app, service: stack }) => {
    const { length } = stack.node.findAll().filter(CfnResource.isCfnResource);
    for (let place = length; place <= mostResources; place += 1) {
      new CfnResource(stack, `more-${place}`, { type: 'AWS::CloudFormation::WaitConditionHandle' });
    }
    expect(mostResources).toBeLessThan(500);
    expect(() => app.synth()).toThrow('is greater than allowed maximum of 450');
  });
});

describe('cdk-nag', () => {
  test.each(stages)('finds nothing in %s', (_, stage) => {
    expect(withStageApp(stage, findingsIn)).toEqual([]);
  });

  test('finds what nobody acknowledged', () => {
    const findings = withStageApp(stageNamed('development'), (made) => {
      new Bucket(made.data, 'careless');
      return findingsIn(made);
    });
    expect(findings).toContain('AwsSolutions-S1 ledger-development-data/careless/Resource');
  });

  test.each(stages)(
    'would find everything that is acknowledged, with a reason, in %s',
    (_, stage) => {
      const { needed, acknowledged } = withStageApp(stage, (made) => {
        const given = acknowledgementsIn(made);
        // Nothing can be taken back through CDK itself.
        for (const { node } of made.app.node.findAll()) Object.assign(node, { _metadata: [] });
        return { acknowledged: given, needed: findingsIn(made) };
      });
      expect(acknowledged.length).toBeGreaterThan(0);
      for (const [, reason] of acknowledged) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
      const idle = acknowledged.filter(([entry]) => {
        const [rule, path] = entry.split(/ (?=[^ ]+$)/);
        return !needed.some((it) => it.startsWith(`${rule} ${path}`));
      });
      expect(idle).toEqual([]);
    },
  );
});
