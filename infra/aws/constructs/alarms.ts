// The alarms of a stage. Each description has the effect on people and a link to the runbook.

import { Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { FunctionName } from '../../manifest/manifest.ts';
import type { DeployedStage } from '../../manifest/stages.ts';
import { acknowledge } from './acknowledge.ts';
import type { Api } from './api.ts';
import type { LedgerFunction } from './ledger-function.ts';
import type { StageData } from './stage-data.ts';

export type MonitoredResources = {
  stage: DeployedStage;
  data: StageData;
  functions: Record<FunctionName, LedgerFunction>;
  api: Api;
};

export type AlarmProps = {
  metric: cloudwatch.IMetric;
  /** The alarm goes off at this value or beyond it. Defaults to at least one. */
  threshold?: { atLeast: number } | { atMost: number };
  /** The number of breaching periods, of the latest `of` periods. Defaults to `oneOfThree`. */
  periods?: { breaching: number; of: number };
  impact: string;
  /** The article of the runbook. Defaults to the alarm's id. */
  article?: string;
  whenMissing?: cloudwatch.TreatMissingData;
};

/**
 * One breaching period of the last three. CloudWatch evaluates an alarm with the data available at
 * that time, and data can arrive later; AWS advises "M out of N"
 * (aws.amazon.com/premiumsupport/knowledge-center/cloudwatch-trigger-metric). Lambda's metrics have
 * the start time of a call (docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics.html). The
 * latest period alone would miss a failed run of five minutes.
 */
const oneOfThree = { breaching: 1, of: 3 };

/** For lasting conditions: a peak of five minutes raises no alarm. */
export const threeOfThree = { breaching: 3, of: 3 };

/** For long periods, and for conditions that last until someone ends them. */
export const once = { breaching: 1, of: 1 };

export class Alarms extends Construct {
  readonly all: cloudwatch.Alarm[] = [];
  private readonly stage: DeployedStage;
  private readonly action: SnsAction;

  constructor(
    scope: Construct,
    id: string,
    { stage, data }: Pick<MonitoredResources, 'stage' | 'data'>,
  ) {
    super(scope, id);
    this.stage = stage;
    this.action = new SnsAction(this.addTopic(stage, data));
  }

  private addTopic(stage: DeployedStage, data: StageData): Topic {
    const topic = new Topic(this, 'topic', {
      displayName: `Alarms of ledger-${stage.name}`,
      masterKey: data.key,
      enforceSSL: true,
    });
    // The policy that enforces TLS replaces the default policy, which lets the account publish.
    topic.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    const { alarmEmail } = stage.deployment;
    if (alarmEmail !== undefined) {
      topic.addSubscription(new EmailSubscription(alarmEmail));
      acknowledge(
        topic,
        'Serverless-SNSRedrivePolicy',
        'If an email is lost, CloudWatch still shows the alarm until its cause ends.',
      );
    }
    return topic;
  }

  add(
    id: string,
    {
      metric,
      impact,
      threshold = { atLeast: 1 },
      periods = oneOfThree,
      article = id,
      whenMissing = cloudwatch.TreatMissingData.NOT_BREACHING,
    }: AlarmProps,
  ) {
    const isMinimum = 'atLeast' in threshold;
    const alarm = new cloudwatch.Alarm(this, id, {
      alarmName: `ledger-${this.stage.name}-${id}`,
      alarmDescription: `${impact} Runbook: ${this.stage.deployment.runbookUrl}#${article}`,
      metric,
      threshold: isMinimum ? threshold.atLeast : threshold.atMost,
      comparisonOperator: isMinimum
        ? cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
        : cloudwatch.ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods.of,
      datapointsToAlarm: periods.breaching,
      treatMissingData: whenMissing,
    });
    alarm.addAlarmAction(this.action);
    alarm.addOkAction(this.action);
    this.all.push(alarm);
    return alarm;
  }
}
