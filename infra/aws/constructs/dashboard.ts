// The dashboard of a stage: alarms, traffic, bookkeeping and background work.

import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { MetricName } from '#shared/telemetry.ts';
import { functionsOfKind } from '../../manifest/manifest.ts';
import type { MonitoredResources } from './alarms.ts';
import { failuresOf, functionMetric, period } from './metrics.ts';

const graph = (title: string, left: cloudwatch.IMetric[], right: cloudwatch.IMetric[] = []) =>
  new cloudwatch.GraphWidget({ title, left, right, width: 12, height: 6 });

const trafficWidgets = ({ stage, functions, api }: MonitoredResources) => {
  const gateway = api.restApi.deploymentStage;
  const all = Object.values(functions);
  return [
    graph(
      'Requests and replies',
      [
        gateway.metricCount({ period }),
        gateway.metricClientError({ period }),
        gateway.metricServerError({ period }),
      ],
      [gateway.metricLatency({ period, statistic: 'p50' })].concat(
        gateway.metricLatency({ period, statistic: 'p99' }),
      ),
    ),
    graph(
      'Failures by function',
      all.map((it) => failuresOf(stage.name, it)),
    ),
    graph(
      'Slowest hundredth by function',
      all.map(({ lambda }) => lambda.metricDuration({ period, statistic: 'p99' })),
    ),
    graph(
      'Functions at work at once, and calls turned away',
      all.map(({ lambda }) => lambda.metric('ConcurrentExecutions', { statistic: 'Maximum' })),
      all.map(({ lambda }) => lambda.metricThrottles({ period })),
    ),
  ];
};

const bookkeepingWidgets = ({ stage }: MonitoredResources) => {
  const posting = 'create-journal-entry';
  const batches = 'create-journal-entries';
  const due = 'post-scheduled-entries';
  const own = (name: typeof posting | typeof batches | typeof due, metric: MetricName) =>
    functionMetric(stage.name, { name, metric });
  return [
    graph('Entries', [
      own(posting, 'EntriesPosted'),
      own(posting, 'EntriesScheduled'),
      own(batches, 'EntriesPosted'),
      own(batches, 'EntriesScheduled'),
      own(due, 'EntriesPosted'),
      own(due, 'BackgroundWorkStuck'),
    ]),
    graph('Replays and contention', [
      own(posting, 'Replays'),
      own(posting, 'ContentionRetries'),
      own(batches, 'Replays'),
      own(batches, 'ContentionRetries'),
    ]),
  ];
};

const backgroundWidgets = ({ stage, data, functions }: MonitoredResources) => {
  const imports = functions['import-tenant-data'];
  const rates = 'refresh-exchange-rates';
  const { table, failureQueue } = data;
  return [
    graph(
      'Imports',
      [
        functionMetric(stage.name, { name: imports.name, metric: 'ImportPages' }),
        functionMetric(stage.name, { name: imports.name, metric: 'ImportsFailed' }),
        functionMetric(stage.name, { name: imports.name, metric: 'RecordsRefused' }),
        functionMetric(stage.name, { name: imports.name, metric: 'TenantsDisconnected' }),
        functionMetric(stage.name, { name: 'resume-imports', metric: 'ImportsNotStarted' }),
        failureQueue.metricApproximateNumberOfMessagesVisible({ period }),
      ],
      [
        functions['start-imports'].lambda.metric('IteratorAge', { statistic: 'Maximum', period }),
        imports.lambda.metric('AsyncEventAge', { statistic: 'Maximum', period }),
      ],
    ),
    graph('Age of the exchange rates, and refused, in days', [
      functionMetric(stage.name, { name: rates, metric: 'RateAgeDays', statistic: 'Maximum' }),
      functionMetric(stage.name, { name: rates, metric: 'RateDaysRefused' }),
    ]),
    graph('Units of the table', [
      table.metricConsumedReadCapacityUnits({ period }),
      table.metricConsumedWriteCapacityUnits({ period }),
    ]),
    graph(
      'Requests beyond the budget of their application',
      functionsOfKind('api').map(({ name }) =>
        functionMetric(stage.name, { name, metric: 'BudgetRefusals' }),
      ),
    ),
    graph('Throttles of the table', [
      table.metric('ReadThrottleEvents', { statistic: 'Sum', period }),
      table.metric('WriteThrottleEvents', { statistic: 'Sum', period }),
    ]),
  ];
};

export const addDashboard = (
  scope: Construct,
  watched: MonitoredResources,
  alarms: cloudwatch.IAlarm[],
): cloudwatch.Dashboard => {
  const dashboard = new cloudwatch.Dashboard(scope, 'dashboard', {
    dashboardName: `ledger-${watched.stage.name}`,
  });
  dashboard.addWidgets(
    new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 4 }),
  );
  dashboard.addWidgets(
    ...trafficWidgets(watched),
    ...bookkeepingWidgets(watched),
    ...backgroundWidgets(watched),
  );
  return dashboard;
};
