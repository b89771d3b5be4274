// The `api` trigger: a Regional REST API with a route per function and our own error replies.

import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type Plan, plans } from '#shared/applications/api-keys.ts';
import { gatewayResponses } from '../../manifest/gateway-responses.ts';
import { functionsOfKind, throttledEndpoints } from '../../manifest/manifest.ts';
import { accessLogNameOf, apiNameOf, usagePlanNameOf } from '../../manifest/names.ts';
import type { DeployedStage, Deployment } from '../../manifest/stages.ts';
import type { Trigger } from '../../manifest/triggers.ts';
import { acknowledge } from './acknowledge.ts';
import { type LedgerFunction, noTracing } from './ledger-function.ts';

/**
 * The fields of the access log. It has no headers and no query, because they contain API keys and
 * addresses of applications.
 */
const accessLogFields = {
  request_id: '$context.requestId',
  extended_request_id: '$context.extendedRequestId',
  route: '$context.httpMethod $context.resourcePath',
  status: '$context.status',
  application_id: '$context.authorizer.applicationId',
  key_id: '$context.authorizer.keyId',
  source_ip: '$context.identity.sourceIp',
  user_agent: '$context.identity.userAgent',
  tls_version: '$context.tlsVersion',
  response_bytes: '$context.responseLength',
  duration_ms: '$context.responseLatency',
  function_ms: '$context.integrationLatency',
  authorizer_ms: '$context.authorizer.latency',
  gateway_error: '$context.error.responseType',
  firewall_status: '$context.waf.status',
};

/**
 * TLS 1.2 with forward secrecy, or newer, for the default host and a custom domain (API Gateway
 * Developer Guide, "Security policies for REST APIs" and "Choose a security policy for your custom
 * domain"). The stricter access mode also refuses calls whose TLS name differs from their host.
 * Revisit it when a deployed stage shows no such calls.
 */
export const transportSecurity = {
  securityPolicy: apigateway.SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: apigateway.EndpointAccessMode.BASIC,
};

const callbackMethods = ['GET', 'POST'] as const;

/** A browser comes here once for each connection. */
const callbackThrottles = (): Record<string, apigateway.MethodDeploymentOptions> =>
  Object.fromEntries(
    functionsOfKind('url').flatMap(({ trigger: { path } }) =>
      callbackMethods.map((method) => [
        `${path}/${method}`,
        { throttlingRateLimit: 20, throttlingBurstLimit: 40 },
      ]),
    ),
  );

/** The managed policy of the gateway's role, in cdk-nag's notation. */
const loggingPolicy =
  'arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs';

export class Api extends Construct {
  readonly restApi: apigateway.RestApi;
  /** One line per request. Metric filters count some of them for alarms. */
  private readonly accessLog: LogGroup;

  /** The functions that the gateway may call. */
  private readonly invocations = new iam.PolicyStatement({ actions: ['lambda:InvokeFunction'] });
  private readonly role: iam.Role;

  constructor(scope: Construct, id: string, stage: DeployedStage) {
    super(scope, id);
    this.role = new iam.Role(this, 'role', {
      assumedBy: new iam.ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { routes: new iam.PolicyDocument({ statements: [this.invocations] }) },
    });
    this.accessLog = new LogGroup(this, 'log', {
      logGroupName: accessLogNameOf(stage.name),
      retention: stage.deployment.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.restApi = this.addRestApi(stage);
    this.addGatewayResponses();
    for (const plan of plans) this.addUsagePlan(plan, stage);
  }

  /**
   * Calls a function with the gateway's role. A permission of each function would be a resource
   * more for each endpoint (API Gateway Developer Guide, "API Gateway permissions model for
   * invoking an API").
   */
  private integrationWith({ functionArn }: lambda.IFunction): apigateway.Integration {
    this.invocations.addResources(functionArn);
    return new apigateway.Integration({
      type: apigateway.IntegrationType.AWS_PROXY,
      integrationHttpMethod: 'POST',
      uri: Stack.of(this).formatArn({
        service: 'apigateway',
        account: 'lambda',
        resource: 'path',
        resourceName: `2015-03-31/functions/${functionArn}/invocations`,
      }),
      options: { credentialsRole: this.role },
    });
  }

  /** Adds a route. The gateway serves it with and without a trailing slash. */
  addRoute(
    { live }: LedgerFunction,
    { method, path }: Extract<Trigger, { kind: 'api' }>,
    authorizer: apigateway.IAuthorizer,
  ): void {
    this.restApi.root.resourceForPath(path).addMethod(method, this.integrationWith(live), {
      authorizationType: apigateway.AuthorizationType.CUSTOM,
      authorizer,
      // The authorizer returns the application's gateway key, which its usage plan throttles.
      apiKeyRequired: true,
    });
  }

  /**
   * Adds the path of the callback, for browsers without a key. The firewall stands before it.
   */
  addCallback({ live }: LedgerFunction, { path }: Extract<Trigger, { kind: 'url' }>): void {
    const resource = this.restApi.root.resourceForPath(path);
    const integration = this.integrationWith(live);
    for (const method of callbackMethods) {
      const open = resource.addMethod(method, integration, {
        authorizationType: apigateway.AuthorizationType.NONE,
      });
      acknowledge(
        open,
        'AwsSolutions-APIG4',
        'Browsers have no key. The single-use state in the query protects the function.',
      );
    }
  }

  private addRestApi({ name: stage, settings, deployment }: DeployedStage): apigateway.RestApi {
    const restApi = new apigateway.RestApi(this, 'gateway', {
      restApiName: apiNameOf(stage),
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      // With a custom domain, the default host would bypass it.
      disableExecuteApiEndpoint: deployment.customDomain !== undefined,
      apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: true,
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: settings.throttling.method.ratePerSecond,
        throttlingBurstLimit: settings.throttling.method.burst,
        ...(deployment.callbackBehindGateway && { methodOptions: callbackThrottles() }),
        accessLogDestination: new apigateway.LogGroupLogDestination(this.accessLog),
        accessLogFormat: apigateway.AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    const gateway = restApi.node.defaultChild as apigateway.CfnRestApi;
    gateway.securityPolicy = transportSecurity.securityPolicy;
    gateway.endpointAccessMode = transportSecurity.endpointAccessMode;
    this.acknowledgeFindings(restApi, deployment);
    return restApi;
  }

  /** The gateway's own errors, from the same definition as the local gateway's. */
  private addGatewayResponses(): void {
    for (const [type, { statusCode, headers, template }] of Object.entries(gatewayResponses)) {
      // The template sets the content type of the reply.
      const { 'Content-Type': contentType = 'application/json', ...others } = headers;
      this.restApi.addGatewayResponse(type, {
        type: apigateway.ResponseType.of(type),
        statusCode: String(statusCode),
        responseHeaders: Object.fromEntries(
          Object.entries(others).map(([name, value]) => [name, `'${value}'`]),
        ),
        templates: { [contentType]: template },
      });
    }
  }

  private addUsagePlan(name: Plan, { name: stage, settings }: DeployedStage): void {
    const { application, smallerPlans } = settings.throttling;
    const throttle = name === 'large' ? application : smallerPlans[name];
    const plan = this.restApi.addUsagePlan(name === 'large' ? 'applications' : name, {
      name: usagePlanNameOf(stage, name),
      description: `Throttles each application with the plan ${name} separately`,
      throttle: { rateLimit: throttle.ratePerSecond, burstLimit: throttle.burst },
      apiStages: [{ stage: this.restApi.deploymentStage }],
    });
    // CloudFormation takes paths (User Guide, "AWS::ApiGateway::UsagePlan ApiStage"), but CDK's
    // construct requires methods, which do not exist at this point.
    (plan.node.defaultChild as apigateway.CfnUsagePlan).addPropertyOverride(
      'ApiStages.0.Throttle',
      Object.fromEntries(
        throttledEndpoints.map(({ trigger: { path, method }, throttle: kind }) => {
          const { ratePerSecond, burst } = settings.throttling[kind];
          return [`${path}/${method}`, { RateLimit: ratePerSecond, BurstLimit: burst }];
        }),
      ),
    );
  }

  private acknowledgeFindings(
    restApi: apigateway.RestApi,
    { webApplicationFirewall }: Deployment,
  ): void {
    acknowledge(
      restApi,
      `AwsSolutions-IAM4[Policy::${loggingPolicy}]`,
      'The gateway writes access logs with one role per account. AWS maintains its policy.',
    );
    acknowledge(
      restApi,
      'AwsSolutions-APIG2',
      'Functions validate: a validator of the gateway reports only one problem at a time.',
    );
    acknowledge(
      restApi,
      'AwsSolutions-APIG6',
      'Execution logs contain headers and bodies. The access log has the errors of the gateway.',
    );
    acknowledge(restApi, 'Serverless-APIGWXrayEnabled', noTracing);
    acknowledge(
      restApi,
      'AwsSolutions-COG4',
      'Applications use API keys, which the authorizer checks.',
    );
    if (webApplicationFirewall === undefined) {
      acknowledge(
        restApi,
        'AwsSolutions-APIG3',
        'A firewall is optional, and this stage has none.',
      );
    }
  }
}
