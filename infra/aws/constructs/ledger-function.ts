// One function of the manifest on AWS: its code, log, environment, and a role with the permissions
// of its row.

import { type CfnElement, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
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
import { functionLogNameOf, functionNameOf, liveAlias } from '../../manifest/names.ts';
import { type DeployedStage, servingTableOf } from '../../manifest/stages.ts';
import type { DeployedService } from '../deployed-service.ts';
import { FunctionRole } from '../function-role.ts';
import { acknowledge } from './acknowledge.ts';
import type { StageData } from './stage-data.ts';

export type FunctionProps = {
  stage: DeployedStage;
  data: StageData;
  code: string;
  deployed: DeployedService | undefined;
  /** The address of the callback. The callback itself does not need it. */
  callbackBaseUrl?: string;
};

/**
 * DynamoDB uses the table's encryption key with the permissions of the caller (DynamoDB Developer
 * Guide, "Encryption at rest: how it works").
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
 * Why there is no tracing. Lambda's traces end at the function ("Visualize Lambda function
 * invocations using AWS X-Ray"). Traces of calls to the table would need one of two additions. The
 * X-Ray SDK adds 127 kB and 85 ms to every bundle and gets only security fixes since February 2026
 * ("X-Ray SDK and Daemon Support timeline"). The OpenTelemetry layer doubles a cold start
 * (github.com/aws-observability/aws-otel-lambda, issue 228). Our log line shows these calls
 * (`instrumentation.ts`). Revisit when a request uses more than one of our functions, or when the
 * SDK itself can export spans.
 */
export const noTracing =
  "The function's log line shows the calls to the table. Traces of Lambda and the gateway do not.";

export class LedgerFunction extends Construct {
  readonly name: FunctionName;
  readonly row: FunctionRow;
  readonly role: FunctionRole;
  readonly lambda: lambda.Function;
  readonly alias: lambda.Alias;
  /**
   * The alias, which triggers call. During a roll-out it also sends a part of the calls to the new
   * version. Permissions, retries and the URL belong to the alias. Reserved executions and metrics
   * by function name include all versions.
   */
  readonly live: lambda.IFunction;

  constructor(scope: Construct, name: FunctionName, props: FunctionProps) {
    super(scope, name);
    this.name = name;
    this.row = functions[name];
    this.role = new FunctionRole(this, 'role', props.deployed);
    this.lambda = this.addLambda(props);
    this.role.version = this.lambda.currentVersion.node.defaultChild as CfnElement;
    // The casts bridge differences between CDK's classes and its interfaces.
    this.alias = new lambda.Alias(this, liveAlias, {
      aliasName: liveAlias,
      version: this.lambda.currentVersion as lambda.IVersion,
    });
    this.live = this.alias as lambda.IFunction;
    this.addPermissions(props.data);
    this.acknowledgeFindings();
  }

  private addLambda({ stage, code, callbackBaseUrl }: FunctionProps): lambda.Function {
    const { deployment, settings } = stage;
    const functionName = functionNameOf(stage.name, this.name);
    const reserved = settings.reservedConcurrency?.[this.name];
    const logGroup = new LogGroup(this, 'log', {
      logGroupName: functionLogNameOf(stage.name, this.name),
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
      // Lambda's own lines only for failed calls: otherwise START, END and REPORT are a third of
      // the log (AWS Lambda Developer Guide, "Log-level filtering").
      loggingFormat: lambda.LoggingFormat.JSON,
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      memorySize: this.row.memoryMegabytes,
      timeout: Duration.seconds(this.row.timeoutSeconds),
      // A roll-back needs earlier versions. The deployment deletes the oldest ones. A failed
      // deployment deletes its own: Lambda publishes no second version of the same code, so with it
      // the same deployment would fail again ("A version for this Lambda function exists").
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
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
   * Allows actions in these partitions only. The condition applies to every partition key of a
   * call, or of the index for a query of the index. It also holds for calls without a partition
   * key, but no function may scan (DynamoDB Developer Guide, "Using IAM policy conditions for
   * fine-grained access control").
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

  private addPermissions(data: StageData): void {
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
    const synchronous = 'All invocations are synchronous: the caller gets the failure.';
    const reasons = {
      api: synchronous,
      authorizer: synchronous,
      url: synchronous,
      schedule: 'The next run also does the work of a lost run, and an alarm reports it.',
      stream: 'Only the stream invokes it, and the mapping has a dead-letter queue.',
      invocation: 'Failed invocations go to the failure queue, their destination.',
    };
    acknowledge(this, 'Serverless-LambdaDLQ', reasons[this.row.trigger.kind]);
  }
}
