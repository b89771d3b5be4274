import { afterAll, describe, expect, test } from 'vitest';
import { listen } from '#infra/http-server.ts';
import { createGateway } from '#infra/local/stand-ins/gateway.ts';
import { FunctionTimedOut, InvocationRefused } from '#infra/local/stand-ins/lambda.ts';
import {
  type GatewayError,
  gatewayResponses,
  requestIdVariable,
} from '#infra/manifest/gateway-responses.ts';
import { functionsOfKind } from '#infra/manifest/manifest.ts';
import type { Throttle } from '#infra/manifest/stages.ts';
import { type PolicyRefusal, policyRefusals } from '#shared/endpoint/authorizer.ts';
import { apiErrors, errorEnvelope } from '#shared/errors.ts';
import { stageNamed, synthesize } from '../../../support/harnesses/stage-app.ts';

const stage = stageNamed('production');
const { service } = synthesize(stage);

describe('the routes', () => {
  /** The path of each resource, by its logical id. */
  const pathOf = (id: string): string => {
    const found = service.byId(id);
    if (found?.Type !== 'AWS::ApiGateway::Resource') return '';
    return `${pathOf(found.Properties.ParentId)}/${found.Properties.PathPart}`;
  };

  const methods = service.properties('AWS::ApiGateway::Method');

  test("are the manifest's, without a last slash, and lead to their functions", () => {
    const routes = methods.map(({ HttpMethod, ResourceId, Integration }) => [
      `${HttpMethod} ${pathOf(ResourceId)}`,
      Integration.Type,
      /functions\/(\w+)\/invocations$/.exec(Integration.Uri ?? '')?.[1],
    ]);
    expect(routes.sort()).toEqual(
      functionsOfKind('api')
        .map(({ name, trigger: { method, path } }) => [
          `${method} ${path}`,
          'AWS_PROXY',
          `${name.replaceAll('-', '')}live`,
        ])
        .sort(),
    );
  });

  test('call their functions with a role that may call these alone', () => {
    const role = service.byId('apirole')?.Properties;
    expect(role?.AssumeRolePolicyDocument.Statement).toMatchObject([
      { Principal: { Service: 'apigateway.amazonaws.com' } },
    ]);
    expect(role?.Policies[0].PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'lambda:InvokeFunction',
        Resource: expect.toSatisfy((found: string[]) => {
          const own = functionsOfKind('api').map(({ name }) => `${name.replaceAll('-', '')}live`);
          return found.toSorted().join() === own.sort().join();
        }),
      },
    ]);
    for (const { Integration } of methods) {
      expect(Integration).toMatchObject({
        IntegrationHttpMethod: 'POST',
        Credentials: 'apirole.Arn',
        Uri: expect.stringMatching(
          /^arn:AWS::Partition:apigateway:AWS::Region:lambda:path\/2015-03-31\/functions\//,
        ),
      });
    }
  });

  test('all ask the authorizer by X-API-Key, for 60 seconds, and need the key it names', () => {
    for (const method of methods) {
      expect(method).toMatchObject({
        AuthorizationType: 'CUSTOM',
        AuthorizerId: 'authorizerfunctionauthorizer',
        ApiKeyRequired: true,
      });
    }
    expect(service.one('AWS::ApiGateway::RestApi').ApiKeySourceType).toBe('AUTHORIZER');
    expect(service.one('AWS::ApiGateway::Authorizer')).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.X-API-Key',
      AuthorizerResultTtlInSeconds: 60,
      AuthorizerUri: expect.stringMatching(/functions\/authorizerlive\/invocations$/),
    });
  });
});

describe('the gateway', () => {
  test('is regional, and speaks TLS 1.2 with forward secrecy or newer', () => {
    expect(service.one('AWS::ApiGateway::RestApi')).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      DisableExecuteApiEndpoint: false,
    });
  });

  test('throttles each method of the stage, and each application by its usage plan', () => {
    const { throttling } = stage.settings;
    const limitsOf = ({ ratePerSecond, burst }: Throttle) => ({
      RateLimit: ratePerSecond,
      BurstLimit: burst,
    });
    const longRead = limitsOf(throttling.longRead);
    expect(service.one('AWS::ApiGateway::Stage').MethodSettings).toMatchObject([
      {
        ResourcePath: '/*',
        HttpMethod: '*',
        ThrottlingRateLimit: throttling.method.ratePerSecond,
        ThrottlingBurstLimit: throttling.method.burst,
      },
    ]);
    const { small, medium } = throttling.smallerPlans;
    const plans = service.properties('AWS::ApiGateway::UsagePlan');
    expect(plans.map((it) => [it.UsagePlanName, it.Throttle.RateLimit])).toEqual([
      ['ledger-production-small', small.ratePerSecond],
      ['ledger-production-medium', medium.ratePerSecond],
      ['ledger-production', throttling.application.ratePerSecond],
    ]);
    expect(plans[2]).toMatchObject({
      UsagePlanName: 'ledger-production',
      Throttle: {
        RateLimit: throttling.application.ratePerSecond,
        BurstLimit: throttling.application.burst,
      },
      ApiStages: [
        {
          ApiId: 'apigateway',
          Stage: expect.stringContaining('production'),
          Throttle: {
            '/external/v1/journal_entries/create_many/POST': limitsOf(throttling.batch),
            '/external/v1/journal_entries/reverse/POST': limitsOf(throttling.reversal),
            '/external/v1/journal_entries/list/GET': longRead,
            '/external/v1/reports/trial_balance/GET': longRead,
            '/external/v1/reports/account_ledger/GET': longRead,
            '/external/v1/reports/balance_sheet/GET': longRead,
            '/external/v1/reports/profit_and_loss/GET': longRead,
            '/external/v1/reports/cash_flow/GET': longRead,
            '/external/v1/reports/changes_in_equity/GET': longRead,
            '/external/v1/webhooks/test/POST': limitsOf(throttling.webhookTest),
          },
        },
      ],
    });
  });

  test('logs each access as JSON, without headers and query', () => {
    const { AccessLogSetting } = service.one('AWS::ApiGateway::Stage');
    const variables = Object.values<string>(JSON.parse(AccessLogSetting.Format));
    expect(variables).toContain('$context.requestId');
    expect(variables).toContain('$context.extendedRequestId');
    expect(variables).toContain('$context.authorizer.applicationId');
    const secretive = /header|query|apiKey|requestOverride|\$context\.path\b/i;
    expect(variables.filter((it) => secretive.test(it))).toEqual([]);
  });
});

describe('an error of the gateway', () => {
  const declared = service.properties('AWS::ApiGateway::GatewayResponse');

  const lowerCased = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, it]) => [name.toLowerCase(), it]));

  /** The status, headers and body of a declared gateway response. */
  const render = (kind: string, requestId: string, said: object = {}) => {
    const found = declared.find(({ ResponseType }) => ResponseType === kind) ?? {};
    const [[contentType = '', template = ''] = []] = Object.entries<string>(
      found.ResponseTemplates,
    );
    const parameters = Object.entries<string>(found.ResponseParameters ?? {}).map(
      ([name, value]) => [
        name.replace('gatewayresponse.header.', ''),
        value.replace(/^'(.*)'$/, '$1'),
      ],
    );
    return {
      status: Number(found.StatusCode),
      headers: lowerCased({ 'content-type': contentType, ...Object.fromEntries(parameters) }),
      body: Object.entries(said).reduce(
        (body, [name, value]) => body.replaceAll(`$context.authorizer.${name}`, value),
        template.replaceAll(requestIdVariable, requestId),
      ),
    };
  };

  test('is declared for every kind that this API can raise', () => {
    expect(declared.map(({ ResponseType }) => ResponseType).sort()).toEqual(
      Object.keys(gatewayResponses).sort(),
    );
    // The omitted kinds need one of these resources.
    expect(service.all('AWS::ApiGateway::RequestValidator')).toEqual([]);
    const plans = service.properties('AWS::ApiGateway::UsagePlan');
    expect(plans.map(({ Quota }) => Quota)).toEqual([undefined, undefined, undefined]);
  });

  test.each(Object.entries(gatewayResponses))(
    '%s is declared as the one definition has it',
    (kind, { statusCode, headers, template }) => {
      expect(render(kind, requestIdVariable)).toEqual({
        status: statusCode,
        headers: lowerCased(headers),
        body: template,
      });
    },
  );

  test.each(policyRefusals)('that a policy makes, %s, reads like any other', (code) => {
    const { status, body } = render('ACCESS_DENIED', 'id', refusalOf(code));
    const expected = errorEnvelope({ code, requestId: 'id' });
    expect([status, JSON.parse(body)]).toEqual([expected.status_code, expected]);
  });

  /** The reply of the authorizer to a request that its policy denies. */
  const refusalOf = (code: PolicyRefusal) => ({
    refusalCode: code,
    refusalMessage: apiErrors[code].message,
  });

  describe('on this machine', async () => {
    const refusals: Record<string, object> = {
      suspended: refusalOf('application_suspended'),
      reader: refusalOf('api_key_read_only'),
    };
    const failures: Record<string, Error> = {
      slow: new FunctionTimedOut('too slow'),
      crowded: new InvocationRefused('no execution left'),
    };
    /** The gateway calls the authorizer first; each key makes something else go wrong. */
    const invoke = async (name: string, event: unknown): Promise<unknown> => {
      const { headers } = event as { headers: Record<string, string> };
      const key = headers['X-API-Key'] ?? headers['x-api-key'] ?? '';
      if (name !== 'authorizer') throw failures[key] ?? new Error('crashed');
      if (key === 'unknown') throw new Error('Unauthorized');
      if (key === 'broken') throw new Error('no table');
      const Effect = key === 'suspended' ? 'Deny' : 'Allow';
      const Resource = key === 'reader' ? 'arn:*/GET/*' : 'arn:*';
      const statement = { Action: 'execute-api:Invoke', Effect, Resource };
      const policyDocument = { Version: '2012-10-17', Statement: [statement] };
      return { principalId: 'app1', policyDocument, context: refusals[key] };
    };
    const gateway = createGateway(invoke, { ...stage.settings, report: () => {} });
    const server = await listen(gateway, { port: 0, purpose: 'gateway' });
    afterAll(server.stop);

    const tooLong = 'x'.repeat(10 * 1024 * 1024 + 1);

    test.each<[GatewayError, { key?: string; path?: string; body?: string }]>([
      ['MISSING_AUTHENTICATION_TOKEN', { path: 'nowhere' }],
      ['UNAUTHORIZED', {}],
      ['UNAUTHORIZED', { key: 'unknown' }],
      ['ACCESS_DENIED', { key: 'suspended' }],
      ['ACCESS_DENIED', { key: 'reader' }],
      ['AUTHORIZER_FAILURE', { key: 'broken' }],
      ['DEFAULT_5XX', { key: 'good' }],
      ['INTEGRATION_FAILURE', { key: 'crowded' }],
      ['INTEGRATION_TIMEOUT', { key: 'slow' }],
      ['REQUEST_TOO_LARGE', { key: 'good', body: tooLong }],
    ])('%s is the same, byte for byte: %#', async (kind, { key, path = 'users/ensure/', body }) => {
      const response = await fetch(`http://127.0.0.1:${server.port}/external/v1/${path}`, {
        method: 'POST',
        ...(key !== undefined && { headers: { 'X-API-Key': key } }),
        ...(body !== undefined && { body }),
      });
      const requestId = response.headers.get('x-amzn-requestid') ?? '';
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      const rendered = render(kind, requestId, refusals[key ?? '']);
      const names = Object.keys(rendered.headers);
      expect({
        status: response.status,
        headers: Object.fromEntries(names.map((name) => [name, response.headers.get(name)])),
        body: await response.text(),
      }).toEqual(rendered);
    });
  });
});
