// The alarms of a stage. Each says what it means to people, and where to read what to do.

import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { FunctionName } from '../../manifest.ts';
import type { DeployedStage } from '../../stages.ts';
import { acknowledge } from './acknowledge.ts';
import type { LedgerFunction } from './ledger-function.ts';
import { failuresOf, functionMetric, period, sumOf } from './metrics.ts';
import type { StageData } from './stage-data.ts';

export type MonitoredResources = {
  stage: DeployedStage;
  data: StageData;
  functions: Record<FunctionName, LedgerFunction>;
  restApi: RestApi;
};

type AlarmProps = {
  metric: cloudwatch.IMetric;
  /** The alarm goes off at this value and above it, or below it. */
  threshold: { atLeast: number } | { atMost: number };
  impact: string;
  /** The article of the runbook. */
  article: string;
  whenMissing?: cloudwatch.TreatMissingData;
};

export class Alarms extends Construct {
  readonly all: cloudwatch.Alarm[] = [];
  private readonly stage: DeployedStage;
  private readonly action: SnsAction;

  constructor(scope: Construct, id: string, watched: MonitoredResources) {
    super(scope, id);
    this.stage = watched.stage;
    this.action = new SnsAction(this.addTopic(watched));
    for (const watchedFunction of Object.values(watched.functions)) {
      this.watchFunction(watchedFunction);
    }
    this.watchImports(watched);
    this.watchRates(watched);
    this.watchRefusedRates(watched);
    this.watchDueEntries(watched);
    this.watchGateway(watched);
    this.watchTable(watched);
  }

  private addTopic({ stage, data }: MonitoredResources): Topic {
    const topic = new Topic(this, 'topic', {
      displayName: `Alarms of ledger-${stage.name}`,
      masterKey: data.key,
      enforceSSL: true,
    });
    // The policy that enforces TLS takes the place of the one that let the account publish.
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
        'A lost mail is no loss: the alarm stays red in CloudWatch until its cause is gone.',
      );
    }
    return topic;
  }

  private add(id: string, { metric, threshold, impact, article, ...options }: AlarmProps): void {
    const { above, value } =
      'atLeast' in threshold
        ? { above: true, value: threshold.atLeast }
        : { above: false, value: threshold.atMost };
    const alarm = new cloudwatch.Alarm(this, id, {
      alarmName: `ledger-${this.stage.name}-${id}`,
      alarmDescription: `${impact} Runbook: ${this.stage.deployment.runbookUrl}#${article}`,
      metric,
      threshold: value,
      comparisonOperator: above
        ? cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
        : cloudwatch.ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: options.whenMissing ?? cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(this.action);
    alarm.addOkAction(this.action);
    this.all.push(alarm);
  }

  private watchFunction(watched: LedgerFunction): void {
    const { name, lambda, row } = watched;
    this.add(`${name}-errors`, {
      metric: failuresOf(this.stage.name, watched),
      threshold: { atLeast: 1 },
      impact: row.errorImpact,
      article: name,
    });
    // What another function asks for waits in Lambda's queue where no execution is left, as it is
    // meant to; an alarm of its own tells when that takes long.
    if (row.trigger.kind === 'invocation') return;
    this.add(`${name}-throttles`, {
      metric: lambda.metricThrottles({ period }),
      threshold: { atLeast: 1 },
      impact: `Calls of ${name} are turned away for want of concurrency. ${row.errorImpact}`,
      article: 'throttles',
    });
  }

  /** Goes off where a schedule has not called its function for an hour. */
  private addAbsence(id: string, { name, lambda, row }: LedgerFunction): void {
    this.add(id, {
      metric: lambda.metricInvocations({ period: Duration.hours(1) }),
      threshold: { atMost: 0 },
      impact: `The schedule has not run for an hour. ${row.errorImpact}`,
      article: name,
      // A function that is not called emits nothing.
      whenMissing: cloudwatch.TreatMissingData.BREACHING,
    });
  }

  private watchImports({ functions, data }: MonitoredResources): void {
    const { name: importer, lambda } = functions['import-tenant-data'];
    const { lambda: starter } = functions['start-imports'];
    this.add('imports-failed', {
      metric: functionMetric(this.stage.name, { name: importer, metric: 'ImportsFailed' }),
      threshold: { atLeast: 1 },
      impact: "A tenant lacks some or all of its platform's data until somebody looks at it.",
      article: importer,
    });
    this.add('stream-lag', {
      metric: starter.metric('IteratorAge', { statistic: 'Maximum', period }),
      threshold: { atLeast: Duration.minutes(15).toMilliseconds() },
      impact: 'Imports start late: new tenants wait for their accounts.',
      article: 'stream-lag',
    });
    // What Lambda drops goes to the failure queue, so that the count of it would tell nothing more.
    this.add('imports-waiting', {
      metric: lambda.metric('AsyncEventAge', { statistic: 'Maximum', period }),
      threshold: { atLeast: Duration.minutes(15).toMilliseconds() },
      impact: 'More imports run than the stage has executions for: new tenants wait their turn.',
      article: 'imports-waiting',
    });
    this.add('failure-queue', {
      metric: data.failureQueue.metricApproximateNumberOfMessagesVisible({ period }),
      threshold: { atLeast: 1 },
      impact: 'The start of an import was given up; the import is asked for again by itself.',
      article: 'failure-queue',
    });
    const name = 'resume-imports';
    this.add('imports-not-started', {
      // Longer than the ten minutes after which an import is found not started once more.
      metric: functionMetric(this.stage.name, { name, metric: 'ImportsNotStarted' }).with({
        period: Duration.minutes(15),
      }),
      threshold: { atLeast: 1 },
      impact: 'Imports that were asked for do not start: new tenants wait for their accounts.',
      article: 'imports-not-started',
    });
    this.addAbsence('imports-not-resumed', functions[name]);
  }

  /** Each run counts them again, so the alarm stays on until somebody has looked at them. */
  private watchRefusedRates({ stage, functions }: MonitoredResources): void {
    const { name } = functions['refresh-exchange-rates'];
    this.add('refused-rates', {
      metric: functionMetric(stage.name, { name, metric: 'RateDaysRefused' }).with({
        period: Duration.hours(6),
      }),
      threshold: { atLeast: 1 },
      impact: 'Entries of some days get an older rate: a day was refused, since a rate jumped.',
      article: 'refused-rates',
    });
  }

  /** A day before the stage's limit. The longest pause of the rates is five days, at Easter. */
  private watchRates({ stage, functions }: MonitoredResources): void {
    const { rateMaximumAgeDays } = stage.settings;
    if (rateMaximumAgeDays === 'any') return;
    const name = 'refresh-exchange-rates';
    this.add('stale-rates', {
      // The best of two runs, so that the alarm ends with the first run that finds new rates.
      metric: functionMetric(stage.name, {
        name,
        metric: 'RateAgeDays',
        statistic: 'Minimum',
      }).with({
        period: Duration.hours(6),
      }),
      threshold: { atLeast: rateMaximumAgeDays - 1 },
      impact: functions[name].row.errorImpact,
      article: 'stale-rates',
      // Without a run in six hours, nobody knows how old the rates are.
      whenMissing: cloudwatch.TreatMissingData.BREACHING,
    });
  }

  private watchDueEntries({ functions }: MonitoredResources): void {
    const name = 'post-scheduled-entries';
    this.addAbsence('due-entries-not-run', functions[name]);
    this.add('due-entries-failed', {
      metric: functionMetric(this.stage.name, { name, metric: 'DueEntriesFailed' }),
      threshold: { atLeast: 1 },
      impact: 'Some entries that are due could not be posted; each run tries them again.',
      article: name,
    });
  }

  private watchGateway({ restApi }: MonitoredResources): void {
    this.add('gateway-5xx', {
      metric: restApi.deploymentStage.metricServerError({ period, statistic: 'Sum' }),
      threshold: { atLeast: 5 },
      impact: 'Callers get 5xx replies; where no function has an alarm, the gateway makes them.',
      article: 'gateway-5xx',
    });
  }

  private watchTable({ data }: MonitoredResources): void {
    this.add('table-throttles', {
      metric: sumOf('table throttles', {
        reads: data.table.metric('ReadThrottleEvents', { statistic: 'Sum', period }),
        writes: data.table.metric('WriteThrottleEvents', { statistic: 'Sum', period }),
      }),
      threshold: { atLeast: 1 },
      impact: 'The table turns calls away; requests take longer, and some end in 503.',
      article: 'table-throttles',
    });
  }
}
