// The alarms of a stage, with a topic for each severity. Each description has the effect on people
// and a link to the runbook.

import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { alarmNameOf, topicNameOf } from '../../manifest/names.ts';
import type { DeployedStage } from '../../manifest/stages.ts';
import { acknowledge } from './acknowledge.ts';

/**
 * A page is for now, at night too: callers cannot work, or each minute makes it worse. A ticket is
 * for the next working hours.
 */
export const severities = ['page', 'ticket'] as const;
export type Severity = (typeof severities)[number];

export type AlarmProps = {
  severity: Severity;
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
  readonly topics: Record<Severity, Topic>;

  constructor(scope: Construct, id: string, stage: DeployedStage) {
    super(scope, id);
    this.stage = stage;
    const key = this.addKey();
    this.topics = { page: this.addTopic('page', key), ticket: this.addTopic('ticket', key) };
  }

  /** The key of the topics. Alarms must also arrive if the stage's key is disabled. */
  private addKey(): Key {
    const { name } = this.stage;
    const key = new Key(this, 'key', {
      alias: `ledger-${name}-alarms`,
      description: `Encrypts the alarms of ledger-${name}`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    return key;
  }

  private addTopic(severity: Severity, key: Key): Topic {
    const { name, deployment } = this.stage;
    const topic = new Topic(this, severity, {
      topicName: topicNameOf(name, severity),
      displayName: `${severity} of ledger-${name}`,
      masterKey: key,
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
    const { alarmEmail, pagerUrl } = deployment;
    if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
    const isPaged = severity === 'page' && pagerUrl !== undefined;
    if (isPaged) topic.addSubscription(new UrlSubscription(pagerUrl));
    if (isPaged || alarmEmail !== undefined) {
      acknowledge(
        topic,
        'Serverless-SNSRedrivePolicy',
        'If a message is lost, CloudWatch still shows the alarm until its cause ends.',
      );
    }
    return topic;
  }

  add(
    id: string,
    {
      severity,
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
      alarmName: alarmNameOf(this.stage.name, id),
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
    const action = new SnsAction(this.topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    this.all.push(alarm);
    return alarm;
  }
}
