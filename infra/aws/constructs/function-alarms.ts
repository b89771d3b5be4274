// The alarms of the functions: one on every failure of each, and for each area of the API one on
// how fast and one on how reliable its endpoints are.

import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionName } from '../../manifest/manifest.ts';
import { type Alarms, type MonitoredResources, once, oneOfThree, threeOfThree } from './alarms.ts';
import { failingFunctions, failuresOf, type Objective, slowFunctions } from './metrics.ts';

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

/** What one alarm may watch at most (CloudWatch User Guide, "CloudWatch service quotas"). */
const mostMetrics = 10;

/** The part of the API that a function serves: the first word of its path behind the version. */
const areaOf = ({ watched: { name, row } }: Objective): string => {
  const { trigger } = row;
  if (trigger.kind === 'url') return 'oauth';
  const [, , , noun = name] = trigger.kind === 'api' ? trigger.path.split('/') : [];
  return noun.replaceAll('_', '-');
};

type Group = { id: string; members: Objective[] };

/**
 * Functions by area, where no group has more metrics than an alarm may watch. Two alarms for each
 * endpoint would be two resources of a stack that has room for 500, and say no more than the
 * dashboard, which shows each function. A second one that breaks the same rule changes no alarm.
 */
const groupsOf = (objectives: readonly Objective[], metricsEach: number): Group[] => {
  const most = Math.floor(mostMetrics / metricsEach);
  return [...Map.groupBy(objectives, areaOf)].flatMap(([area, all]) =>
    Array.from({ length: Math.ceil(all.length / most) }, (_, place) => ({
      id: place === 0 ? area : `${area}-${place + 1}`,
      members: all.slice(place * most, (place + 1) * most),
    })),
  );
};

const namesOf = ({ members }: Group): string =>
  members.map(({ watched }) => watched.name).join(', ');

const addSlowness = (alarms: Alarms, group: Group): void => {
  alarms.add(`slow-${group.id}`, {
    metric: slowFunctions(group.members),
    threshold: { atLeast: 1 },
    periods: threeOfThree,
    impact:
      'For 15 minutes the slowest hundredth of the calls of one of these took too long: ' +
      `${namesOf(group)}.`,
    article: 'slow-endpoints',
  });
};

const addErrorBudget = (alarms: Alarms, stage: string, group: Group): void => {
  alarms.add(`budget-${group.id}`, {
    metric: failingFunctions(stage, group.members),
    threshold: { atLeast: 1 },
    periods: once,
    impact:
      'So many calls of one of these failed within an hour that callers notice: ' +
      `${namesOf(group)}.`,
    article: 'error-budgets',
  });
};

export const addObjectiveAlarms = (
  alarms: Alarms,
  { stage, functions }: MonitoredResources,
): void => {
  const all = Object.values(functions).flatMap((watched): Objective[] => {
    const { latencyObjectiveSeconds: seconds } = watched.row;
    return seconds === undefined ? [] : [{ watched, seconds }];
  });
  for (const group of groupsOf(all, 1)) addSlowness(alarms, group);
  // A failure of the authorizer is one of every endpoint, and has its alarms.
  const ofCallers = all.filter(({ watched }) => watched.row.trigger.kind !== 'authorizer');
  for (const group of groupsOf(ofCallers, 2)) addErrorBudget(alarms, stage.name, group);
};
