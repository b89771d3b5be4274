// The metrics of alarms and of the dashboard. They name resources of the other stacks. A reference
// would be an export, which CloudFormation cannot remove while an alarm uses it: then no function
// could be removed or replaced.

import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '#shared/telemetry.ts';
import { judgedMinutes, takenBackAt } from '../../manifest/canary.ts';
import type { FunctionRow } from '../../manifest/function-row.ts';
import { type FunctionName, functions } from '../../manifest/manifest.ts';
import {
  apiNameOf,
  failureQueueNameOf,
  functionNameOf,
  liveAlias,
  metricsNamespaceOf,
} from '../../manifest/names.ts';
import { type DeployedStage, servingTableOf } from '../../manifest/stages.ts';
import type { LedgerFunction } from './ledger-function.ts';

export const period = Duration.minutes(5);

const metricOf = (
  metricName: string,
  {
    statistic = 'Sum',
    ...props
  }: Pick<cloudwatch.MetricProps, 'namespace' | 'dimensionsMap' | 'label' | 'statistic'>,
): cloudwatch.Metric => new cloudwatch.Metric({ metricName, statistic, period, ...props });

type OfFunction<Metric> = { name: FunctionName; metric: Metric; statistic?: string };

export const functionMetric = (
  stage: string,
  { name, metric, ...statistic }: OfFunction<MetricName>,
): cloudwatch.Metric =>
  metricOf(metric, {
    namespace: metricsNamespaceOf(stage),
    dimensionsMap: { service: name },
    label: `${name} ${metric}`,
    ...statistic,
  });

/** A metric that functions count without dimensions. */
export const stageMetric = (stage: string, metric: MetricName): cloudwatch.Metric =>
  metricOf(metric, { namespace: metricsNamespaceOf(stage), label: metric });

/** AWS's metric of a function, for all its versions. */
export const lambdaMetric = (
  stage: string,
  { name, metric, ...statistic }: OfFunction<string>,
): cloudwatch.Metric =>
  metricOf(metric, {
    namespace: 'AWS/Lambda',
    dimensionsMap: { FunctionName: functionNameOf(stage, name) },
    label: `${name} ${metric}`,
    ...statistic,
  });

/** AWS's metric of the table that the functions use. */
export const tableMetric = (stage: DeployedStage, metric: string): cloudwatch.Metric =>
  metricOf(metric, {
    namespace: 'AWS/DynamoDB',
    dimensionsMap: { TableName: servingTableOf(stage) },
    label: metric,
  });

/** The number of messages in the failure queue. */
export const failedRecords = (stage: string): cloudwatch.Metric =>
  metricOf('ApproximateNumberOfMessagesVisible', {
    namespace: 'AWS/SQS',
    dimensionsMap: { QueueName: failureQueueNameOf(stage) },
    statistic: 'Maximum',
    label: 'messages in the failure queue',
  });

/** A metric of the gateway, for all methods of the stage. */
export const gatewayMetric = (
  stage: string,
  { metric, statistic = 'Sum' }: { metric: string; statistic?: string },
): cloudwatch.Metric =>
  metricOf(metric, {
    namespace: 'AWS/ApiGateway',
    dimensionsMap: { ApiName: apiNameOf(stage), Stage: stage },
    statistic,
    label: `${metric}${statistic === 'Sum' ? '' : ` ${statistic}`}`,
  });

/** The sum of counts by id (letters, digits and _). Missing data count as zero. */
export const sumOf = (
  label: string,
  counts: Record<string, cloudwatch.IMetric>,
): cloudwatch.MathExpression =>
  new cloudwatch.MathExpression({
    label,
    period,
    usingMetrics: counts,
    expression: Object.keys(counts)
      .map((id) => `FILL(${id}, 0)`)
      .join(' + '),
  });

/** A function's part of metric ids, which must differ within a sum or graph. */
const idOf = (name: FunctionName): string => name.replaceAll('-', '_');

/**
 * The failures of a function: its own count, plus Lambda's count of errors. For the authorizer,
 * only its own count, because Lambda counts each refused key as an error. If the authorizer
 * crashes, the gateway's alarm starts.
 */
export const failuresOf = (stage: string, name: FunctionName) => {
  const { trigger }: FunctionRow = functions[name];
  const answered = functionMetric(stage, { name, metric: 'ServerErrors' });
  const id = idOf(name);
  return sumOf(`${name} failures`, {
    [`answered_${id}`]: answered,
    ...(trigger.kind !== 'authorizer' && {
      [`crashed_${id}`]: lambdaMetric(stage, { name, metric: 'Errors' }),
    }),
  });
};

/** The number of functions that meet a condition on their metrics. */
const countOf = (
  label: string,
  parts: readonly { condition: string; metrics: Record<string, cloudwatch.IMetric> }[],
  lasting: Duration,
): cloudwatch.MathExpression =>
  new cloudwatch.MathExpression({
    label,
    period: lasting,
    usingMetrics: Object.assign({}, ...parts.map(({ metrics }) => metrics)),
    expression: parts.map(({ condition }) => `IF(${condition}, 1, 0)`).join(' + '),
  });

/**
 * The number of these functions whose new version fails too often. Lambda counts the calls of each
 * version behind an alias by `Resource` and `ExecutedVersion` (AWS Lambda Developer Guide, "Using
 * CloudWatch metrics with Lambda").
 */
export const failingNewVersions = (
  stage: string,
  group: readonly LedgerFunction[],
): cloudwatch.MathExpression => {
  const judged = { period: Duration.minutes(judgedMinutes), statistic: 'Sum' };
  const { failures, percent } = takenBackAt;
  return countOf(
    'new versions that fail',
    group.map(({ name, row, lambda }) => {
      const { version } = lambda.currentVersion;
      const id = idOf(name);
      const ofLambda = (metricName: string) =>
        new cloudwatch.Metric({
          namespace: 'AWS/Lambda',
          metricName,
          dimensionsMap: {
            FunctionName: functionNameOf(stage, name),
            Resource: `${functionNameOf(stage, name)}:${liveAlias}`,
            ExecutedVersion: version,
          },
          ...judged,
        });
      const answered = functionMetric(stage, { name, metric: 'ServerErrors' }).with({
        dimensionsMap: { service: name, version },
        ...judged,
      });
      // Lambda counts each refused key as an error of the authorizer.
      const countsCrashes = row.trigger.kind !== 'authorizer';
      const failed = countsCrashes
        ? `(FILL(answered_${id}, 0) + FILL(crashed_${id}, 0))`
        : `FILL(answered_${id}, 0)`;
      return {
        condition:
          `(${failed} >= ${failures}) AND ` +
          `(100 * ${failed} >= ${percent} * FILL(calls_${id}, 0))`,
        metrics: {
          [`answered_${id}`]: answered,
          ...(countsCrashes && { [`crashed_${id}`]: ofLambda('Errors') }),
          [`calls_${id}`]: ofLambda('Invocations'),
        },
      };
    }),
    judged.period,
  );
};

/** A function with the seconds for 99 of 100 calls. */
export type Objective = { name: FunctionName; seconds: number };

/** The number of functions whose 99th percentile exceeds their objective. */
export const slowFunctions = (
  stage: string,
  objectives: readonly Objective[],
): cloudwatch.MathExpression =>
  countOf(
    'endpoints that are too slow',
    objectives.map(({ name, seconds }) => ({
      condition: `FILL(${idOf(name)}, 0) >= ${seconds * 1_000}`,
      metrics: {
        [idOf(name)]: lambdaMetric(stage, { name, metric: 'Duration', statistic: 'p99' }),
      },
    })),
    period,
  );

/**
 * The percentage of failed requests in an hour that raises an alarm. The objective is 0.1 over 30
 * days. At 14.4 times this rate, an hour uses 2% of the monthly error budget (Google, "The Site
 * Reliability Workbook", chapter 5, "Alerting on SLOs").
 */
const alarmingFailurePercent = 1.44;

/**
 * The number of functions with a higher percentage of internal failures. Fewer than five failures
 * do not count, because they can be a large share of few requests. The failure alarms cover them.
 */
export const failingFunctions = (
  stage: string,
  objectives: readonly Objective[],
): cloudwatch.MathExpression => {
  const hourly = { period: Duration.hours(1) };
  return countOf(
    'endpoints that failed too often',
    objectives.map(({ name }) => {
      const [failed, requests] = [`failed_${idOf(name)}`, `requests_${idOf(name)}`];
      return {
        condition:
          `(FILL(${failed}, 0) >= 5) AND ` +
          `(100 * FILL(${failed}, 0) >= ${alarmingFailurePercent} * FILL(${requests}, 0))`,
        metrics: {
          [failed]: functionMetric(stage, { name, metric: 'ServerErrors' }).with(hourly),
          [requests]: functionMetric(stage, { name, metric: 'Requests' }).with(hourly),
        },
      };
    }),
    hourly.period,
  );
};
