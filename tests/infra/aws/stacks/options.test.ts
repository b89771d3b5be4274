import { describe, expect, test } from 'vitest';
import { contentLengthTooLarge } from '#infra/aws/constructs/firewall.ts';
import { errorEnvelope } from '#shared/errors.ts';
import { maximumBodyBytes } from '#shared/triggers/json-body.ts';
import { fullStage, stageNamed, synthesize } from '../../../support/harnesses/stage-app.ts';

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
      SecurityPolicy: 'TLS_1_2',
      RegionalCertificateArn: 'customdomaincertificate',
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
  });

  test('is the only way in', () => {
    expect(service.one('AWS::ApiGateway::RestApi').DisableExecuteApiEndpoint).toBe(true);
  });

  test('is left out where the stage names none', () => {
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
      { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 2_000 } },
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
    expect(
      Object.fromEntries(
        ResponseHeaders.map(({ Name, Value }: Record<string, string>) => [Name, Value]),
      ),
    ).toEqual({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers });
    const { ContentType, Content } = acl.CustomResponseBodies[CustomResponseBodyKey];
    expect(ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(Content)).toEqual(errorEnvelope({ code, requestId: 'none' }));
  });

  test.each([
    ['0', false],
    ['9', false],
    ['262143', false],
    [String(maximumBodyBytes), false],
    [String(maximumBodyBytes + 1), true],
    ['262149', true],
    ['262150', true],
    ['262199', true],
    ['262200', true],
    ['262999', true],
    ['263000', true],
    ['269999', true],
    ['270000', true],
    ['299999', true],
    ['300000', true],
    ['999999', true],
    ['1000000', true],
    ['10485760', true],
    ['000262144', false],
    ['000262145', true],
    ['', false],
  ])('takes a Content-Length of %s for too large: %s', (length, tooLarge) => {
    expect(new RegExp(contentLengthTooLarge).test(length)).toBe(tooLarge);
  });

  test('logs what it blocks, without the key and the query', () => {
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

  test('is left out where the stage names none', () => {
    expect(plain.all('AWS::WAFv2::WebACL')).toEqual([]);
  });
});
