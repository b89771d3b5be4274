// The metrics that alarms watch and the dashboard shows: the functions' own and AWS's.

import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '#shared/metrics.ts';
import type { FunctionName } from '../../manifest.ts';
import { metricsNamespaceOf } from '../../names.ts';
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

/**
 * What went wrong in a function: failures that it answered, and those that Lambda saw. Lambda also
 * counts every key that the authorizer refuses, so for that one its own count stands alone; should
 * it crash, the gateway answers 500 and its alarm tells.
 */
export const failuresOf = (stage: string, { name, row, lambda }: LedgerFunction) => {
  const answered = functionMetric(stage, { name, metric: 'ServerErrors' });
  // One graph shows all functions, and the ids in a graph must differ.
  const id = name.replaceAll('-', '_');
  return sumOf(`${name} failures`, {
    [`answered_${id}`]: answered,
    ...(row.trigger.kind !== 'authorizer' && {
      [`crashed_${id}`]: lambda.metricErrors({ period }),
    }),
  });
};

/**
 * The percent of a function's requests that failed for a reason of ours. Fewer than five are left
 * to the alarm on each failure: of a few requests in the night one would be a large part.
 */
export const shareOfFailures = (
  stage: string,
  { name }: LedgerFunction,
): cloudwatch.MathExpression => {
  const hourly = { period: Duration.hours(1) };
  return new cloudwatch.MathExpression({
    label: `percent of ${name} that failed`,
    ...hourly,
    usingMetrics: {
      failed: functionMetric(stage, { name, metric: 'ServerErrors' }).with(hourly),
      requests: functionMetric(stage, { name, metric: 'Requests' }).with(hourly),
    },
    expression: 'IF(failed >= 5, 100 * failed / requests, 0)',
  });
};
