// One function of the manifest on AWS: its code, its log, its environment, and a role of its own
// that may do what its row says.

import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { dueIndex } from '#shared/table/due-keys.ts';
import { type PartitionKind, partitionPatterns } from '#shared/table/partitions.ts';
import { environmentOf } from '../../manifest/environment.ts';
import {
  charging,
  type FunctionRow,
  isCharged,
  type TableAction,
  writingActions,
} from '../../manifest/function-row.ts';
import { type FunctionName, functions, functionsInvokedBy } from '../../manifest/manifest.ts';
import { functionNameOf, liveAlias } from '../../manifest/names.ts';
import { reservedExecutions } from '../../manifest/reserved-executions.ts';
import { type DeployedStage, servingTableOf } from '../../manifest/stages.ts';
import { acknowledge } from './acknowledge.ts';
import type { StageData } from './stage-data.ts';

export type FunctionProps = {
  stage: DeployedStage;
  data: StageData;
  /** The folder of its bundle. */
  code: string;
  /** Where browsers come back; the function that they come back to does not need it. */
  callbackBaseUrl?: string;
};

/**
 * What DynamoDB does with the table's key in the name of its caller, when it reads and when it
 * writes (DynamoDB Developer Guide, "Encryption at rest: how it works").
 */
const keyActionsToRead = ['kms:Decrypt', 'kms:DescribeKey'];
const keyActionsToWrite = [
  ...keyActionsToRead,
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/**
 * Why nothing is traced. What Lambda traces by itself ends at the function ("Visualize Lambda
 * function invocations using AWS X-Ray"). To see the calls to the table in it, every bundle would
 * have Powertools Tracer with the X-Ray SDK (measured: 127 kB, and 85 ms of loading), which gets
 * nothing but security fixes since February 2026 ("X-Ray SDK and Daemon Support timeline"), or the
 * layer of OpenTelemetry, which doubles a cold start (github.com/aws-observability/aws-otel-lambda,
 * issue 228). Our own log line shows those calls (`instrumentation.ts`). Revisit when a request
 * passes through more than one function of ours, or when the SDK itself can export spans.
 */
export const noTracing =
  "Its log line shows the calls to the table, which Lambda's and the gateway's own traces do not.";

/**
 * A role with its policy inside, where CDK would make the policy a resource of its own beside it: a
 * stack has room for 500 resources, and one for each function is too many.
 */
class FunctionRole extends iam.Role {
  private readonly policy: iam.PolicyDocument;

  constructor(scope: Construct, id: string) {
    const policy = new iam.PolicyDocument();
    super(scope, id, {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { grants: policy },
    });
    this.policy = policy;
  }

  /** What every grant of CDK comes to. The document is written when the stack is synthesized. */
  override addToPrincipalPolicy(statement: iam.PolicyStatement): iam.AddToPrincipalPolicyResult {
    this.policy.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

export class LedgerFunction extends Construct {
  readonly name: FunctionName;
  readonly row: FunctionRow;
  readonly role: iam.Role;
  readonly lambda: lambda.Function;
  readonly alias: lambda.Alias;
  /**
   * What triggers call, which is the alias: it leads to the version that has been let in, and for a
   * part of the calls to the one that is being let in. Permissions, retries and the URL are the
   * alias's own; reserved executions and metrics by the function's name count all its versions.
   */
  readonly live: lambda.IFunction;

  constructor(scope: Construct, name: FunctionName, props: FunctionProps) {
    super(scope, name);
    this.name = name;
    this.row = functions[name];
    this.role = new FunctionRole(this, 'role');
    this.lambda = this.addLambda(props);
    // CDK's own classes do not say of their roles what its interfaces do.
    this.alias = new lambda.Alias(this, liveAlias, {
      aliasName: liveAlias,
      version: this.lambda.currentVersion as lambda.IVersion,
    });
    this.live = this.alias as lambda.IFunction;
    this.grant(props.data);
    this.acknowledgeFindings();
  }

  private addLambda({ stage, code, callbackBaseUrl }: FunctionProps): lambda.Function {
    const { deployment, settings } = stage;
    const functionName = functionNameOf(stage.name, this.name);
    const reserved = reservedExecutions(settings.reservedConcurrency)[this.name];
    const logGroup = new LogGroup(this, 'log', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: deployment.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(this.role);
    return new lambda.Function(this, 'function', {
      functionName,
      description: this.row.purpose,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      handler: 'index.handler',
      code: lambda.Code.fromAsset(code),
      role: this.role,
      logGroup,
      memorySize: this.row.memoryMegabytes,
      timeout: Duration.seconds(this.row.timeoutSeconds),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      environment: environmentOf(stage.name, {
        settings,
        tableName: servingTableOf(stage),
        secrets: this.row.secrets,
        invokes: functionsInvokedBy(this.name),
        alias: liveAlias,
        ...(callbackBaseUrl !== undefined && { callbackBaseUrl }),
      }),
    });
  }

  /** Lets the function do this, in addition to what it may do already. */
  allow(statement: iam.PolicyStatementProps): void {
    this.lambda.addToRolePolicy(new iam.PolicyStatement(statement));
  }

  /** Lets the function use the stage's key, but only through a service. */
  private allowKey(data: StageData, use: { service: string; actions: string[] }): void {
    const viaService = `${use.service}.${Stack.of(this).region}.amazonaws.com`;
    this.allow({
      actions: use.actions,
      resources: [data.key.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': viaService } },
    });
  }

  /**
   * Lets the function do this in these partitions only: the condition must hold for every partition
   * that a call names, in a batch too; for a query of the index that is the index's own. It holds
   * where there is none, but a call without one, a scan, is granted nowhere (DynamoDB Developer
   * Guide, "Using IAM policy conditions for fine-grained access control").
   */
  private allowPartitions(
    kinds: readonly PartitionKind[],
    { actions, resource }: { actions: readonly TableAction[]; resource: string },
  ): void {
    if (actions.length === 0) return;
    this.allow({
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [resource],
      conditions: {
        'ForAllValues:StringLike': {
          'dynamodb:LeadingKeys': kinds.map((kind) => partitionPatterns[kind]),
        },
      },
    });
  }

  private grant(data: StageData): void {
    const { table, reads, writes, queriesDue, secrets } = this.row;
    const { tableArn } = data.table;
    const isWriting = (action: TableAction): boolean => writingActions.includes(action);
    const writing = table.filter(isWriting);
    const reading = table.filter((action) => !isWriting(action));
    this.allowPartitions(reads, { actions: reading, resource: tableArn });
    this.allowPartitions(writes, { actions: writing, resource: tableArn });
    if (isCharged(this.row)) {
      this.allowPartitions(charging.writes, { actions: charging.table, resource: tableArn });
    }
    if (queriesDue) {
      const resource = `${tableArn}/index/${dueIndex}`;
      this.allowPartitions(queriesDue, { actions: ['Query'], resource });
    }
    const isWriter = writing.length > 0 || isCharged(this.row);
    const actions = isWriter ? keyActionsToWrite : keyActionsToRead;
    this.allowKey(data, { service: 'dynamodb', actions });
    if (secrets.length > 0) {
      this.allow({
        actions: ['secretsmanager:GetSecretValue'],
        resources: secrets.map((name) => data.secrets[name].secretArn),
      });
      this.allowKey(data, { service: 'secretsmanager', actions: ['kms:Decrypt'] });
    }
  }

  private acknowledgeFindings(): void {
    acknowledge(this, 'Serverless-LambdaTracing', noTracing);
    const synchronous = 'It is invoked synchronously only: its caller is told of a failure.';
    const reasons = {
      api: synchronous,
      authorizer: synchronous,
      url: synchronous,
      schedule: 'A run that was lost is made up for by the next one, and an alarm tells of it.',
      stream: 'Nothing but the stream invokes it, whose mapping has a queue for what fails.',
      invocation: 'What fails goes to the failure queue, as the destination of its invocations.',
    };
    acknowledge(this, 'Serverless-LambdaDLQ', reasons[this.row.trigger.kind]);
  }
}
