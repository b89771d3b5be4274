// The `api` trigger: a Regional REST API with a route for each function, its errors worded by us.

import { RemovalPolicy } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { gatewayResponses, methodNotAllowed } from '../../manifest/gateway-responses.ts';
import { throttledEndpoints } from '../../manifest/manifest.ts';
import { usagePlanNameOf } from '../../manifest/names.ts';
import type { DeployedStage, Deployment } from '../../manifest/stages.ts';
import type { Trigger } from '../../manifest/triggers.ts';
import { acknowledge } from './acknowledge.ts';
import { type LedgerFunction, noTracing } from './ledger-function.ts';

/**
 * What the access log keeps of a request. Neither headers nor the query are in it: they hold keys,
 * and addresses that applications send their users to.
 */
const accessLogFields = {
  request_id: '$context.requestId',
  extended_request_id: '$context.extendedRequestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
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
 * TLS 1.2 with forward secrecy, or newer, of the default host and of a custom domain alike (API
 * Gateway Developer Guide, "Security policies for REST APIs" and "Choose a security policy for your
 * custom domain"). The stricter access mode also refuses calls whose TLS name is not their host.
 * Revisit it once a deployed stage has shown that no caller comes that way.
 */
export const transportSecurity = {
  securityPolicy: apigateway.SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: apigateway.EndpointAccessMode.BASIC,
};

/** What AWS lets the gateway's own role do, as cdk-nag writes it. */
const loggingPolicy =
  'arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs';

export class Api extends Construct {
  readonly restApi: apigateway.RestApi;
  /** A line for each request, of which some are counted for alarms. */
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, stage: DeployedStage) {
    super(scope, id);
    this.accessLog = new LogGroup(this, 'log', {
      logGroupName: `/aws/apigateway/ledger-${stage.name}`,
      retention: stage.deployment.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.restApi = this.addRestApi(stage);
    this.addGatewayResponses();
    this.addUsagePlan(stage);
  }

  /** Leads a route to its function. The gateway serves it with and without a last slash. */
  addRoute(
    { live }: LedgerFunction,
    { method, path }: Extract<Trigger, { kind: 'api' }>,
    authorizer: apigateway.IAuthorizer,
  ): void {
    this.restApi.root
      .resourceForPath(path)
      .addMethod(method, new apigateway.LambdaIntegration(live, { allowTestInvoke: false }), {
        authorizationType: apigateway.AuthorizationType.CUSTOM,
        authorizer,
        // The authorizer names the application's key, for the throttling of its usage plan.
        apiKeyRequired: true,
      });
  }

  /** Answers every method of a route but its own, to those who may call it. */
  refuseOtherMethods(
    path: string,
    { allowed, authorizer }: { allowed: readonly string[]; authorizer: apigateway.IAuthorizer },
  ): void {
    const { statusCode, headers, template } = methodNotAllowed(allowed);
    const status = String(statusCode);
    const parameters = Object.entries(headers)
      .filter(([name]) => name !== 'Content-Type')
      .map(([name, value]) => [`method.response.header.${name}`, value] as const);
    const integration = new apigateway.MockIntegration({
      passthroughBehavior: apigateway.PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': JSON.stringify({ statusCode }) },
      integrationResponses: [
        {
          statusCode: status,
          responseTemplates: { 'application/json': template },
          responseParameters: Object.fromEntries(
            parameters.map(([name, value]) => [name, `'${value}'`]),
          ),
        },
      ],
    });
    this.restApi.root.resourceForPath(path).addMethod('ANY', integration, {
      authorizationType: apigateway.AuthorizationType.CUSTOM,
      authorizer,
      apiKeyRequired: true,
      methodResponses: [
        {
          statusCode: status,
          responseParameters: Object.fromEntries(parameters.map(([name]) => [name, true])),
        },
      ],
    });
  }

  private addRestApi({ name: stage, settings, deployment }: DeployedStage): apigateway.RestApi {
    const restApi = new apigateway.RestApi(this, 'gateway', {
      restApiName: `ledger-${stage}`,
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      // Who knows the domain's name shall not get round it.
      disableExecuteApiEndpoint: deployment.customDomain !== undefined,
      apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: true,
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: settings.throttling.method.ratePerSecond,
        throttlingBurstLimit: settings.throttling.method.burst,
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

  /** Every error of the gateway itself, from the definition that the local server renders too. */
  private addGatewayResponses(): void {
    for (const [type, { statusCode, headers, template }] of Object.entries(gatewayResponses)) {
      // The gateway answers with the content type of the template that it uses.
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

  private addUsagePlan({ name: stage, settings }: DeployedStage): void {
    const { application } = settings.throttling;
    const plan = this.restApi.addUsagePlan('applications', {
      name: usagePlanNameOf(stage),
      description: 'Throttles each application by itself',
      throttle: { rateLimit: application.ratePerSecond, burstLimit: application.burst },
      apiStages: [{ stage: this.restApi.deploymentStage }],
    });
    // By their paths, as CloudFormation has them (User Guide, "AWS::ApiGateway::UsagePlan
    // ApiStage"): the construct wants methods, which there are none of yet.
    (plan.node.defaultChild as apigateway.CfnUsagePlan).addPropertyOverride(
      'ApiStages.0.Throttle',
      Object.fromEntries(
        throttledEndpoints.map(({ trigger: { path, method }, throttle }) => {
          const { ratePerSecond, burst } = settings.throttling[throttle];
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
      'The gateway writes access logs with one role an account, which AWS defines for that.',
    );
    acknowledge(
      restApi,
      'AwsSolutions-APIG2',
      'Functions validate: a validator of the gateway would tell a caller of one problem only.',
    );
    acknowledge(
      restApi,
      'AwsSolutions-APIG6',
      'Execution logs hold headers and bodies. The access log has what went wrong in the gateway.',
    );
    acknowledge(restApi, 'Serverless-APIGWXrayEnabled', noTracing);
    acknowledge(
      restApi,
      'AwsSolutions-COG4',
      'Applications call with API keys, as the contract says; the authorizer checks them.',
    );
    if (webApplicationFirewall === undefined) {
      acknowledge(
        restApi,
        'AwsSolutions-APIG3',
        'A firewall is a choice of the stage; this stage goes without.',
      );
    }
  }
}
