// The metrics of alarms and of the dashboard.

import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '#shared/telemetry.ts';
import { judgedMinutes, takenBackAt } from '../../manifest/canary.ts';
import type { FunctionName } from '../../manifest/manifest.ts';
import { functionNameOf, liveAlias, metricsNamespaceOf } from '../../manifest/names.ts';
import type { LedgerFunction } from './ledger-function.ts';

export const period = Duration.minutes(5);

export const functionMetric = (
  stage: string,
  {
    name,
    metric,
    statistic = 'Sum',
  }: { name: FunctionName; metric: MetricName; statistic?: string },
): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace: metricsNamespaceOf(stage),
    metricName: metric,
    dimensionsMap: { service: name },
    statistic,
    period,
    label: `${name} ${metric}`,
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
const idOf = ({ name }: LedgerFunction): string => name.replaceAll('-', '_');

/**
 * The failures of a function: its own count, plus Lambda's count of errors. For the authorizer,
 * only its own count, because Lambda counts each refused key as an error. If the authorizer
 * crashes, the gateway's alarm starts.
 */
export const failuresOf = (stage: string, watched: LedgerFunction) => {
  const { name, row, lambda } = watched;
  const answered = functionMetric(stage, { name, metric: 'ServerErrors' });
  const id = idOf(watched);
  return sumOf(`${name} failures`, {
    [`answered_${id}`]: answered,
    ...(row.trigger.kind !== 'authorizer' && {
      [`crashed_${id}`]: lambda.metricErrors({ period }),
    }),
  });
};

/**
 * 1 if the new version of a function fails too often. Lambda counts the calls of each version
 * behind an alias by `Resource` and `ExecutedVersion` (AWS Lambda Developer Guide, "Using
 * CloudWatch metrics with Lambda").
 */
export const newVersionFails = (
  stage: string,
  { name, row, lambda }: LedgerFunction,
): cloudwatch.MathExpression => {
  const { version } = lambda.currentVersion;
  const judged = { period: Duration.minutes(judgedMinutes), statistic: 'Sum' };
  const ofLambda = (metricName: string) =>
    new cloudwatch.Metric({
      namespace: 'AWS/Lambda',
      metricName,
      dimensionsMap: {
        FunctionName: lambda.functionName,
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
  const failed = countsCrashes ? '(FILL(answered, 0) + FILL(crashed, 0))' : 'FILL(answered, 0)';
  const { failures, percent } = takenBackAt;
  return new cloudwatch.MathExpression({
    label: `${name} new version fails`,
    period: judged.period,
    usingMetrics: {
      answered,
      ...(countsCrashes && { crashed: ofLambda('Errors') }),
      calls: ofLambda('Invocations'),
    },
    expression:
      `IF((${failed} >= ${failures}) AND ` +
      `(100 * ${failed} >= ${percent} * FILL(calls, 0)), 1, 0)`,
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

/** A function with the seconds for 99 of 100 calls. */
export type Objective = { watched: LedgerFunction; seconds: number };

/** The number of functions whose 99th percentile exceeds their objective. */
export const slowFunctions = (objectives: readonly Objective[]): cloudwatch.MathExpression =>
  countOf(
    'endpoints that are too slow',
    objectives.map(({ watched, seconds }) => ({
      condition: `FILL(${idOf(watched)}, 0) >= ${seconds * 1_000}`,
      metrics: { [idOf(watched)]: watched.lambda.metricDuration({ period, statistic: 'p99' }) },
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
    objectives.map(({ watched }) => {
      const [failed, requests] = [`failed_${idOf(watched)}`, `requests_${idOf(watched)}`];
      const { name } = watched;
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
