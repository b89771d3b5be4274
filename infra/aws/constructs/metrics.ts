// The metrics that alarms watch and the dashboard shows: the functions' own and AWS's.

import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '#shared/metrics.ts';
import type { FunctionName } from '../../manifest/manifest.ts';
import { metricsNamespaceOf } from '../../manifest/names.ts';
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

/** The sum of counts, by ids of letters, digits and _, where one that is missing counts as none. */
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

/** A function in the ids of its metrics: those of a sum or of a graph must differ. */
const idOf = ({ name }: LedgerFunction): string => name.replaceAll('-', '_');

/**
 * What went wrong in a function: failures that it answered, and those that Lambda saw. Lambda also
 * counts every key that the authorizer refuses, so for that one its own count stands alone; should
 * it crash, the gateway answers 500 and its alarm tells.
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

/** How many of the functions broke a rule, which each has as a condition on metrics of its own. */
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

/** A function with the seconds in which it is to answer 99 of a hundred calls. */
export type Objective = { watched: LedgerFunction; seconds: number };

/** How many of the functions had a slowest hundredth that took longer than their objective. */
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
 * The percentage of failed requests to an endpoint in an hour that raises an alarm. The objective
 * is 0.1 over 30 days. At 14.4 times that, 2% of the failures that the month allows happen within
 * the hour (Google, "The Site Reliability Workbook", chapter 5, "Alerting on SLOs").
 */
const alarmingFailurePercent = 1.44;

/**
 * How many of the functions failed, for a reason of ours, in a larger part of their requests than
 * the objective lets pass. Fewer than five failures are left to the alarm on each of them: of a few
 * requests in the night one would be a large part.
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
