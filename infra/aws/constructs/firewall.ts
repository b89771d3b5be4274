// The web application firewall: a rate limit per address, a size limit of bodies, and AWS's rules
// against common attacks.

import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import * as waf from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { securityHeaders } from '#shared/endpoint/api-event.ts';
import { type ApiErrorCode, apiErrors, errorEnvelope } from '#shared/errors.ts';
import type { Deployment } from '../../manifest/stages.ts';

/**
 * Matches a Content-Length of more than 256 KB (262,144). The firewall sees only the first 16 KB of
 * a body, so it checks the header. The function measures bodies without the header.
 */
export const contentLengthTooLarge =
  '^0*(26214[5-9]|2621[5-9][0-9]|262[2-9][0-9]{2}|26[3-9][0-9]{3}|2[7-9][0-9]{4}' +
  '|[3-9][0-9]{5}|[1-9][0-9]{6,})$';

/**
 * Rules of AWS that valid requests would break. Entries can be large, programs can lack a
 * User-Agent, and a memo can contain any text, because it is never a page or a file name. A
 * redirect_url can be long or contain a local address, which the function validates.
 */
const excludedManagedRules = [
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'EC2MetaDataSSRF_QUERYARGUMENTS',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'GenericRFI_QUERYARGUMENTS',
  'NoUserAgent_HEADER',
  'SizeRestrictions_BODY',
  'SizeRestrictions_QUERYSTRING',
];

/** The replies of the firewall, in addition to the gateway's `WAF_FILTERED`. */
const replies = ['body_too_large', 'too_many_requests'] as const satisfies ApiErrorCode[];

/** The firewall replies before the gateway assigns a request id. */
const bodyOf = (code: ApiErrorCode): string =>
  JSON.stringify(errorEnvelope({ code, requestId: 'none' }));

const blockAs = (
  code: (typeof replies)[number],
  headers: Record<string, string> = {},
): waf.CfnWebACL.RuleActionProperty => ({
  block: {
    customResponse: {
      responseCode: apiErrors[code].status,
      customResponseBodyKey: code,
      responseHeaders: Object.entries({ ...securityHeaders, ...headers }).map(([name, value]) => ({
        name,
        value,
      })),
    },
  },
});

const visibilityOf = (metricName: string): waf.CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

type Settings = NonNullable<Deployment['webApplicationFirewall']>;

const rulesOf = ({ requestsPerFiveMinutesPerAddress }: Settings): waf.CfnWebACL.RuleProperty[] => [
  {
    name: 'requests-per-address',
    priority: 0,
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'IP',
        evaluationWindowSec: 300,
        limit: requestsPerFiveMinutesPerAddress,
      },
    },
    action: blockAs('too_many_requests', { 'Retry-After': '60' }),
    visibilityConfig: visibilityOf('requests-per-address'),
  },
  {
    name: 'body-size',
    priority: 1,
    statement: {
      regexMatchStatement: {
        fieldToMatch: { singleHeader: { Name: 'content-length' } },
        regexString: contentLengthTooLarge,
        textTransformations: [{ priority: 0, type: 'NONE' }],
      },
    },
    action: blockAs('body_too_large'),
    visibilityConfig: visibilityOf('body-size'),
  },
  {
    name: 'common-attacks',
    priority: 2,
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: 'AWSManagedRulesCommonRuleSet',
        ruleActionOverrides: excludedManagedRules.map((name) => ({
          name,
          actionToUse: { count: {} },
        })),
      },
    },
    overrideAction: { none: {} },
    visibilityConfig: visibilityOf('common-attacks'),
  },
];

export class Firewall extends Construct {
  constructor(
    scope: Construct,
    id: string,
    options: {
      stage: { name: string; deployment: Pick<Deployment, 'logRetentionDays'> };
      settings: Settings;
      restApi: RestApi;
    },
  ) {
    super(scope, id);
    const { stage, settings, restApi } = options;
    const acl = new waf.CfnWebACL(this, 'acl', {
      name: `ledger-${stage.name}`,
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      rules: rulesOf(settings),
      customResponseBodies: Object.fromEntries(
        replies.map((code) => [code, { contentType: 'APPLICATION_JSON', content: bodyOf(code) }]),
      ),
      visibilityConfig: visibilityOf(`ledger-${stage.name}`),
    });
    new waf.CfnWebACLAssociation(this, 'association', {
      resourceArn: restApi.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
    this.addLog(acl, stage);
  }

  /** The log of blocked requests, without the API key and the query. */
  private addLog(
    acl: waf.CfnWebACL,
    { name, deployment }: { name: string; deployment: Pick<Deployment, 'logRetentionDays'> },
  ): void {
    // AWS WAF requires this prefix.
    const logGroupName = `aws-waf-logs-ledger-${name}`;
    const logGroup = new LogGroup(this, 'log', {
      logGroupName,
      retention: deployment.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const logging = new waf.CfnLoggingConfiguration(this, 'logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [
        Stack.of(this).formatArn({
          service: 'logs',
          resource: `log-group:${logGroupName}`,
        }),
      ],
      redactedFields: [{ singleHeader: { Name: 'x-api-key' } }, { queryString: {} }],
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
          },
        ],
      },
    });
    logging.node.addDependency(logGroup);
  }
}
