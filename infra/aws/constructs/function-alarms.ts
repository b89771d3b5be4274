// The alarms of the functions: one on every failure of each, and on how fast and how reliable the
// endpoints are.

import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionName } from '../../manifest.ts';
import { alarmingFailurePercent, slowestSeconds } from '../../objectives.ts';
import { type Alarms, type MonitoredResources, once, oneOfThree, threeOfThree } from './alarms.ts';
import type { LedgerFunction } from './ledger-function.ts';
import { failuresOf, period, shareOfFailures } from './metrics.ts';

/** The alarm on a function's failures, after which a new version of it is taken back. */
export type FailureAlarms = Record<FunctionName, cloudwatch.Alarm>;

export const addFailureAlarms = (
  alarms: Alarms,
  { stage, functions }: MonitoredResources,
): FailureAlarms => {
  const all = Object.values(functions).map((watched): [FunctionName, cloudwatch.Alarm] => [
    watched.name,
    alarms.add(`${watched.name}-errors`, {
      metric: failuresOf(stage.name, watched),
      threshold: { atLeast: 1 },
      periods: oneOfThree,
      impact: watched.row.errorImpact,
      article: watched.name,
    }),
  ]);
  return Object.fromEntries(all) as FailureAlarms;
};

const addSlowness = (alarms: Alarms, { name, lambda }: LedgerFunction, seconds: number): void => {
  alarms.add(`${name}-slow`, {
    metric: lambda.metricDuration({ period, statistic: 'p99' }),
    threshold: { atLeast: seconds * 1_000 },
    periods: threeOfThree,
    impact: `For 15 minutes the slowest hundredth of the calls of ${name} took too long.`,
    article: 'slow-endpoints',
  });
};

export const addObjectiveAlarms = (
  alarms: Alarms,
  { stage, functions }: MonitoredResources,
): void => {
  for (const [name, seconds] of Object.entries(slowestSeconds) as [FunctionName, number][]) {
    const watched = functions[name];
    addSlowness(alarms, watched, seconds);
    // A failure of the authorizer is one of every endpoint, and has its alarms.
    if (watched.row.trigger.kind === 'authorizer') continue;
    alarms.add(`${name}-budget`, {
      metric: shareOfFailures(stage.name, watched),
      threshold: { atLeast: alarmingFailurePercent },
      periods: once,
      impact: `So many calls of ${name} failed within an hour that callers notice.`,
      article: 'error-budgets',
    });
  }
};
