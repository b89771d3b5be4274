// The alarms of the gateway, of its authorizer, and of throttled functions.

import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { functions, functionsOfKind } from '../../manifest/manifest.ts';
import { accessLogNameOf, metricsNamespaceOf } from '../../manifest/names.ts';
import { type Alarms, threeOfThree } from './alarms.ts';
import { gatewayMetric, lambdaMetric, period } from './metrics.ts';

/** A metric that counts lines of the gateway's log with one of these errors. */
const countOfErrors = (
  alarms: Alarms,
  stage: string,
  { name, errors }: { name: string; errors: readonly string[] },
): cloudwatch.Metric => {
  const patterns = errors.map((it) => FilterPattern.stringValue('$.gateway_error', '=', it));
  const filter = new MetricFilter(alarms, name, {
    logGroup: LogGroup.fromLogGroupName(alarms, `log of ${name}`, accessLogNameOf(stage)),
    filterPattern: FilterPattern.any(...patterns),
    metricNamespace: metricsNamespaceOf(stage),
    metricName: name,
    metricValue: '1',
  });
  return filter.metric({ statistic: 'Sum', period });
};

/** Errors that only the gateway's log distinguishes. */
const addErrorAlarms = (alarms: Alarms, stage: string): void => {
  // Lambda counts each refused key as an error, and an authorizer that cannot start counts nothing
  // itself. A single failure raises this alarm.
  alarms.add('authorizer-dead', {
    severity: 'page',
    metric: countOfErrors(alarms, stage, {
      name: 'AuthorizerFailures',
      errors: ['AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR'],
    }),
    impact: functions.authorizer.errorImpact,
    article: 'authorizer',
  });
  alarms.add('keys-not-in-plan', {
    severity: 'page',
    metric: countOfErrors(alarms, stage, { name: 'KeysNotInPlan', errors: ['INVALID_API_KEY'] }),
    impact: 'An application gets 401 with a valid key: the usage plan lacks its gateway key.',
  });
};

const addReplyAlarms = (alarms: Alarms, stage: string): void => {
  alarms.add('gateway-5xx', {
    severity: 'page',
    metric: gatewayMetric(stage, { metric: '5XXError' }),
    threshold: { atLeast: 5 },
    impact: 'Callers get 5xx replies. If no function has an alarm, they come from the gateway.',
  });
  // Some 4xx are normal. A few in a quiet hour raise no alarm, even as a large share.
  alarms.add('gateway-4xx', {
    severity: 'page',
    metric: new cloudwatch.MathExpression({
      label: 'percent of the replies that are 4xx',
      period,
      usingMetrics: {
        refused: gatewayMetric(stage, { metric: '4XXError' }),
        all: gatewayMetric(stage, { metric: 'Count' }),
      },
      expression: 'IF(refused >= 20, 100 * refused / all, 0)',
    }),
    threshold: { atLeast: 50 },
    periods: threeOfThree,
    impact: 'For 15 minutes at least half of all requests were refused with 4xx.',
  });
};

/** One alarm for all functions of the account in this region, even of other services. */
const addThrottles = (alarms: Alarms, stage: string): void => {
  const all = LambdaFunction.metricAllThrottles({ period });
  // Asynchronous invocations wait in Lambda's queue by design. They have their own alarm.
  const waiting = functionsOfKind('invocation').map(({ name }, index): [string, typeof all] => [
    `waiting_${index}`,
    lambdaMetric(stage, { name, metric: 'Throttles' }),
  ]);
  alarms.add('throttles', {
    severity: 'page',
    metric: new cloudwatch.MathExpression({
      label: 'calls turned away',
      period,
      usingMetrics: { turned_away: all, ...Object.fromEntries(waiting) },
      expression: ['turned_away', ...waiting.map(([id]) => `FILL(${id}, 0)`)].join(' - '),
    }),
    impact: 'Functions lack executions and refuse calls: some callers get 503.',
  });
};

export const addGatewayAlarms = (alarms: Alarms, stage: string): void => {
  addReplyAlarms(alarms, stage);
  addErrorAlarms(alarms, stage);
  addThrottles(alarms, stage);
};
