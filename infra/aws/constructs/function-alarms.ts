// The alarms of the functions: one per function for failures, and two per area of the API, for
// latency and reliability.

import type { FunctionRow } from '../../manifest/function-row.ts';
import { type FunctionName, functions } from '../../manifest/manifest.ts';
import { type Alarms, once, threeOfThree } from './alarms.ts';
import { failingFunctions, failuresOf, type Objective, slowFunctions } from './metrics.ts';

/** The failure alarm of each function. One failure is a ticket: the error budgets page. */
export const addFailureAlarms = (alarms: Alarms, stage: string): void => {
  for (const name of Object.keys(functions) as FunctionName[]) {
    alarms.add(`${name}-errors`, {
      severity: 'ticket',
      metric: failuresOf(stage, name),
      impact: functions[name].errorImpact,
      article: name,
    });
  }
};

/** The maximum metrics of an alarm (CloudWatch User Guide, "CloudWatch service quotas"). */
const mostMetrics = 10;

/** The area of the API: the first word of a path after the version. */
const areaOf = ({ name }: Objective): string => {
  const { trigger } = functions[name];
  if (trigger.kind === 'url') return 'oauth';
  const [, , , noun = name] = trigger.kind === 'api' ? trigger.path.split('/') : [];
  return noun.replaceAll('_', '-');
};

type Group = { id: string; members: Objective[] };

/**
 * Functions by area, with at most `mostMetrics` per group. Two alarms for each endpoint would use
 * two of the stack's 500 resources, and the dashboard shows each function anyway. An alarm that is
 * already on does not show a second function of its group.
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

const namesOf = ({ members }: Group): string => members.map(({ name }) => name).join(', ');

const addSlowness = (alarms: Alarms, stage: string, group: Group): void => {
  alarms.add(`slow-${group.id}`, {
    severity: 'ticket',
    metric: slowFunctions(stage, group.members),
    periods: threeOfThree,
    impact:
      'The slowest 1% of the calls of one of these functions took too long for 15 minutes: ' +
      `${namesOf(group)}.`,
    article: 'slow-endpoints',
  });
};

const addErrorBudget = (alarms: Alarms, stage: string, group: Group): void => {
  alarms.add(`budget-${group.id}`, {
    severity: 'page',
    metric: failingFunctions(stage, group.members),
    periods: once,
    impact:
      'Callers notice failures: too many calls of one of these functions failed in an hour: ' +
      `${namesOf(group)}.`,
    article: 'error-budgets',
  });
};

export const addObjectiveAlarms = (alarms: Alarms, stage: string): void => {
  const rows = Object.entries(functions) as [FunctionName, FunctionRow][];
  const all = rows.flatMap(([name, { latencyObjectiveSeconds: seconds }]): Objective[] =>
    seconds === undefined ? [] : [{ name, seconds }],
  );
  for (const group of groupsOf(all, 1)) addSlowness(alarms, stage, group);
  // The authorizer has its own alarms, because its failures affect all endpoints.
  const ofCallers = all.filter(({ name }) => functions[name].trigger.kind !== 'authorizer');
  for (const group of groupsOf(ofCallers, 2)) addErrorBudget(alarms, stage, group);
};
