// The alarms of what stands before the functions: the gateway, its authorizer, and the executions
// that the account has for all of them.

import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { functionsOfKind } from '../../manifest/manifest.ts';
import { metricsNamespaceOf } from '../../manifest/names.ts';
import { type Alarms, type MonitoredResources, oneOfThree, threeOfThree } from './alarms.ts';
import { period } from './metrics.ts';

/** The lines of the gateway's log that have one of these errors, counted as a metric of ours. */
const countOfErrors = (
  { stage, api }: MonitoredResources,
  { name, errors }: { name: string; errors: readonly string[] },
): cloudwatch.Metric => {
  const patterns = errors.map((it) => FilterPattern.stringValue('$.gateway_error', '=', it));
  const filter = new MetricFilter(api, name, {
    logGroup: api.accessLog,
    filterPattern: FilterPattern.any(...patterns),
    metricNamespace: metricsNamespaceOf(stage.name),
    metricName: name,
    metricValue: '1',
  });
  return filter.metric({ statistic: 'Sum', period });
};

/** What the gateway's own counts of replies do not tell apart, its log does. */
const addErrorAlarms = (alarms: Alarms, watched: MonitoredResources): void => {
  // Lambda counts every key that the authorizer refuses as an error, and an authorizer that cannot
  // start counts nothing itself: one request that it failed on is enough, however few there are.
  alarms.add('authorizer-dead', {
    metric: countOfErrors(watched, {
      name: 'AuthorizerFailures',
      errors: ['AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR'],
    }),
    threshold: { atLeast: 1 },
    periods: oneOfThree,
    impact: watched.functions.authorizer.row.errorImpact,
    article: 'authorizer',
  });
  alarms.add('keys-not-in-plan', {
    metric: countOfErrors(watched, { name: 'KeysNotInPlan', errors: ['INVALID_API_KEY'] }),
    threshold: { atLeast: 1 },
    periods: oneOfThree,
    impact: 'An application is answered 401 with a good key: the usage plan lacks its own key.',
    article: 'keys-not-in-plan',
  });
};

const addReplyAlarms = (alarms: Alarms, { api }: MonitoredResources): void => {
  const gateway = api.restApi.deploymentStage;
  const sum = { period, statistic: 'Sum' };
  alarms.add('gateway-5xx', {
    metric: gateway.metricServerError(sum),
    threshold: { atLeast: 5 },
    periods: oneOfThree,
    impact: 'Callers get 5xx replies; where no function has an alarm, the gateway makes them.',
    article: 'gateway-5xx',
  });
  // A lawful day has some 4xx; a handful in a quiet hour is no surge, whatever share they are.
  alarms.add('gateway-4xx', {
    metric: new cloudwatch.MathExpression({
      label: 'percent of the replies that are 4xx',
      period,
      usingMetrics: { refused: gateway.metricClientError(sum), all: gateway.metricCount(sum) },
      expression: 'IF(refused >= 20, 100 * refused / all, 0)',
    }),
    threshold: { atLeast: 50 },
    periods: threeOfThree,
    impact: 'For 15 minutes at least half of all requests were refused with 4xx.',
    article: 'gateway-4xx',
  });
};

/** One for all functions of the account in this region, those of others included. */
const addThrottles = (alarms: Alarms, { functions }: MonitoredResources): void => {
  const all = LambdaFunction.metricAllThrottles({ period });
  // What another function asks for waits in Lambda's queue where no execution is left, as it is
  // meant to; an alarm of its own tells when that takes long.
  const waiting = functionsOfKind('invocation').map(({ name }, index): [string, typeof all] => [
    `waiting_${index}`,
    functions[name].lambda.metricThrottles({ period }),
  ]);
  alarms.add('throttles', {
    metric: new cloudwatch.MathExpression({
      label: 'calls turned away',
      period,
      usingMetrics: { turned_away: all, ...Object.fromEntries(waiting) },
      expression: ['turned_away', ...waiting.map(([id]) => `FILL(${id}, 0)`)].join(' - '),
    }),
    threshold: { atLeast: 1 },
    periods: oneOfThree,
    impact: 'Calls of functions are turned away for want of executions; some callers get 503.',
    article: 'throttles',
  });
};

export const addGatewayAlarms = (alarms: Alarms, watched: MonitoredResources): void => {
  addReplyAlarms(alarms, watched);
  addErrorAlarms(alarms, watched);
  addThrottles(alarms, watched);
};
