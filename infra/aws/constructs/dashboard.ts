// The dashboard of a stage: alarms, traffic, bookkeeping and background work.

import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { MetricName } from '#shared/telemetry.ts';
import { type FunctionName, functions, functionsOfKind } from '../../manifest/manifest.ts';
import { apiNameOf, functionLogNameOf } from '../../manifest/names.ts';
import { unitPrices } from '../../manifest/prices.ts';
import type { DeployedStage } from '../../manifest/stages.ts';
import {
  failedRecords,
  failuresOf,
  functionMetric,
  gatewayMetric,
  lambdaMetric,
  tableMetric,
} from './metrics.ts';

const graph = (title: string, left: cloudwatch.IMetric[], right: cloudwatch.IMetric[] = []) =>
  new cloudwatch.GraphWidget({ title, left, right, width: 12, height: 6 });

const longest = (metric: string) => ({ metric, statistic: 'Maximum' });

const names = Object.keys(functions) as FunctionName[];

const trafficWidgets = (stage: string) => {
  const gateway = (metric: string, statistic = 'Sum') =>
    gatewayMetric(stage, { metric, statistic });
  const all = (metric: string, statistic?: string) =>
    names.map((name) => lambdaMetric(stage, { name, metric, ...(statistic && { statistic }) }));
  return [
    graph(
      'Requests and replies',
      [gateway('Count'), gateway('4XXError'), gateway('5XXError')],
      [gateway('Latency', 'p50'), gateway('Latency', 'p99')],
    ),
    graph(
      'Failures by function',
      names.map((name) => failuresOf(stage, name)),
    ),
    graph('Slowest hundredth by function', all('Duration', 'p99')),
    graph(
      'Functions at work at once, and calls turned away',
      all('ConcurrentExecutions', 'Maximum'),
      all('Throttles'),
    ),
  ];
};

const bookkeepingWidgets = (stage: string) => {
  const posting = 'create-journal-entry';
  const batches = 'create-journal-entries';
  const due = 'post-scheduled-entries';
  const own = (name: typeof posting | typeof batches | typeof due, metric: MetricName) =>
    functionMetric(stage, { name, metric });
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

const backgroundWidgets = (stage: string) => {
  const imports = 'import-tenant-data';
  const rates = 'refresh-exchange-rates';
  const ofImports = (metric: MetricName) => functionMetric(stage, { name: imports, metric });
  return [
    graph(
      'Imports',
      [
        ofImports('ImportPages'),
        ofImports('ImportsFailed'),
        ofImports('RecordsRefused'),
        ofImports('TenantsDisconnected'),
        functionMetric(stage, { name: 'resume-imports', metric: 'ImportsNotStarted' }),
        failedRecords(stage),
      ],
      [
        lambdaMetric(stage, { name: 'start-imports', ...longest('IteratorAge') }),
        lambdaMetric(stage, { name: imports, ...longest('AsyncEventAge') }),
      ],
    ),
    graph('Age of the exchange rates, and refused, in days', [
      functionMetric(stage, { name: rates, metric: 'RateAgeDays', statistic: 'Maximum' }),
      functionMetric(stage, { name: rates, metric: 'RateDaysRefused' }),
    ]),
  ];
};

/** Only functions with this metric appear. */
const ofEach = (stage: string, metric: MetricName): cloudwatch.IMetric[] =>
  names.map((name) => functionMetric(stage, { name, metric }));

/**
 * What the table costs for each application: its requests, imports and deliveries. Other work is
 * for all applications together. CloudWatch would charge for a metric of each application; it
 * charges for this query by the size of the logs in the dashboard's period.
 */
const costWidget = (stage: string) => {
  const { readUnits, writeUnits } = unitPrices;
  const ofApplications = (['api', 'invocation'] as const).flatMap((kind) => functionsOfKind(kind));
  return new cloudwatch.LogQueryWidget({
    title: 'Costs of the table by application',
    logGroupNames: ofApplications.map(({ name }) => functionLogNameOf(stage, name)),
    queryLines: [
      'filter ispresent(application_id) and ispresent(write_units)',
      `stats (sum(capacity_units - write_units) * ${readUnits} + ` +
        `sum(write_units) * ${writeUnits}) / 1000000 as dollars, count(*) as times, ` +
        'sum(capacity_units) as units by application_id',
      'sort dollars desc',
      'limit 20',
    ],
    width: 12,
    height: 6,
  });
};

const refusalWidgets = (stage: DeployedStage) => [
  graph('Failures of platforms', ofEach(stage.name, 'PlatformErrors')),
  graph('Requests refused for contention', ofEach(stage.name, 'ContentionRefusals')),
  graph('Requests beyond the budget of their application', ofEach(stage.name, 'BudgetRefusals')),
  costWidget(stage.name),
  graph('Units of the table', [
    tableMetric(stage, 'ConsumedReadCapacityUnits'),
    tableMetric(stage, 'ConsumedWriteCapacityUnits'),
  ]),
  graph('Throttles of the table', [
    tableMetric(stage, 'ReadThrottleEvents'),
    tableMetric(stage, 'WriteThrottleEvents'),
  ]),
];

export const addDashboard = (
  scope: Construct,
  stage: DeployedStage,
  alarms: cloudwatch.IAlarm[],
): void => {
  const dashboard = new cloudwatch.Dashboard(scope, 'dashboard', {
    dashboardName: apiNameOf(stage.name),
  });
  dashboard.addWidgets(
    new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 4 }),
  );
  dashboard.addWidgets(
    ...trafficWidgets(stage.name),
    ...bookkeepingWidgets(stage.name),
    ...backgroundWidgets(stage.name),
    ...refusalWidgets(stage),
  );
};
