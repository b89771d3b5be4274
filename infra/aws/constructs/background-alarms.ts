// The alarms of background work: imports, exchange rates and scheduled entries. Also the alarms of
// the table.

import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionRow, WatchedMetric } from '../../manifest/function-row.ts';
import { type FunctionName, functions } from '../../manifest/manifest.ts';
import { type Alarms, type MonitoredResources, once } from './alarms.ts';
import type { LedgerFunction } from './ledger-function.ts';
import { functionMetric, period, sumOf } from './metrics.ts';

/** An alarm if a schedule has not called its function for an hour. */
const addAbsence = (alarms: Alarms, id: string, { name, lambda, row }: LedgerFunction): void => {
  alarms.add(id, {
    metric: lambda.metricInvocations({ period: Duration.hours(1) }),
    threshold: { atMost: 0 },
    periods: once,
    impact: `The schedule has not run for an hour. ${row.errorImpact}`,
    article: name,
    // Without calls there are no data.
    whenMissing: cloudwatch.TreatMissingData.BREACHING,
  });
};

const addWaitingImports = (
  alarms: Alarms,
  { stage, data, functions }: MonitoredResources,
): void => {
  const { lambda } = functions['import-tenant-data'];
  const { lambda: starter } = functions['start-imports'];
  alarms.add('stream-lag', {
    metric: starter.metric('IteratorAge', { statistic: 'Maximum', period }),
    threshold: { atLeast: Duration.minutes(15).toMilliseconds() },
    impact: 'Imports start late: new tenants wait for their accounts.',
  });
  // Lambda sends dropped invocations to the failure queue, which has its own alarm.
  alarms.add('imports-waiting', {
    metric: lambda.metric('AsyncEventAge', { statistic: 'Maximum', period }),
    threshold: { atLeast: Duration.minutes(15).toMilliseconds() },
    impact: 'All executions for imports are in use: new tenants wait for their accounts.',
  });
  alarms.add('failure-queue', {
    metric: data.failureQueue.metricApproximateNumberOfMessagesVisible({ period }),
    periods: once,
    impact: 'The start of an import failed finally. resume-imports requests the import again.',
  });
  const name = 'resume-imports';
  // If nothing reads the stream, its age has no data. This alarm uses the table instead.
  alarms.add('imports-not-started', {
    // Longer than the ten minutes after which resume-imports counts an import again.
    metric: functionMetric(stage.name, { name, metric: 'ImportsNotStarted' }).with({
      period: Duration.minutes(15),
    }),
    periods: { breaching: 1, of: 2 },
    impact: 'Requested imports do not start: new tenants wait for their accounts.',
  });
  addAbsence(alarms, 'imports-not-resumed', functions[name]);
};

const addFailedImports = (alarms: Alarms, { stage, functions }: MonitoredResources): void => {
  const { name } = functions['import-tenant-data'];
  alarms.add('imports-failed', {
    metric: functionMetric(stage.name, { name, metric: 'ImportsFailed' }),
    impact: 'A tenant lacks some or all data of its platform until someone resolves the failure.',
    article: name,
  });
};

const addRates = (alarms: Alarms, { stage, functions }: MonitoredResources): void => {
  const { name, row } = functions['refresh-exchange-rates'];
  const { rateMaximumAgeDays } = stage.settings;
  const runs = { period: Duration.hours(6) };
  // One day before the stage's limit. The longest gap between rates is five days, at Easter.
  if (rateMaximumAgeDays !== 'any') {
    const age = { name, metric: 'RateAgeDays', statistic: 'Minimum' } as const;
    alarms.add('stale-rates', {
      // The minimum of two runs: the alarm ends with the first run that finds new rates.
      metric: functionMetric(stage.name, age).with(runs),
      threshold: { atLeast: rateMaximumAgeDays - 1 },
      periods: once,
      impact: row.errorImpact,
      // Without a run in six hours, the age of the rates is unknown.
      whenMissing: cloudwatch.TreatMissingData.BREACHING,
    });
  }
  // Each run counts them again, so the alarm lasts until someone resolves them.
  alarms.add('refused-rates', {
    metric: functionMetric(stage.name, { name, metric: 'RateDaysRefused' }).with(runs),
    periods: once,
    impact: 'Entries of some days get an older rate: the rates of a day were refused for a jump.',
  });
};

/** The metric of each function whose row names it, by an id for `sumOf`. */
const countsOf = (stage: string, metric: WatchedMetric): Record<string, cloudwatch.IMetric> =>
  Object.fromEntries(
    (Object.entries(functions) as [FunctionName, FunctionRow][])
      .filter(([, { watchedMetrics }]) => watchedMetrics.includes(metric))
      .map(([name]) => [name.replaceAll('-', '_'), functionMetric(stage, { name, metric })]),
  );

const addWatchedMetrics = (alarms: Alarms, { stage, functions }: MonitoredResources): void => {
  const sumOver = (label: string, metric: WatchedMetric) =>
    sumOf(label, countsOf(stage.name, metric));
  addAbsence(alarms, 'due-entries-not-run', functions['post-scheduled-entries']);
  // Each item counts once, when it becomes stuck.
  alarms.add('background-work-stuck', {
    metric: sumOver('background work that became stuck', 'BackgroundWorkStuck'),
    periods: once,
    impact: 'Scheduled entries, an import or a connection of a tenant are stuck.',
  });
  alarms.add('large-sheets', {
    metric: sumOver('changes of large sheets', 'LargeSheets'),
    impact: 'A date of a tenant has entries on so many accounts that posts to it are expensive.',
  });
  alarms.add('books-differ', {
    metric: sumOver('books that differ', 'BooksDiffer'),
    impact: 'The books of a tenant are inconsistent, and readers get an error.',
  });
};

const addTable = (alarms: Alarms, { data }: MonitoredResources): void => {
  alarms.add('table-throttles', {
    metric: sumOf('table throttles', {
      reads: data.table.metric('ReadThrottleEvents', { statistic: 'Sum', period }),
      writes: data.table.metric('WriteThrottleEvents', { statistic: 'Sum', period }),
    }),
    impact: 'The table throttles calls: requests take longer, and some fail with 503.',
  });
};

export const addBackgroundAlarms = (alarms: Alarms, watched: MonitoredResources): void => {
  addFailedImports(alarms, watched);
  addWaitingImports(alarms, watched);
  addRates(alarms, watched);
  addWatchedMetrics(alarms, watched);
  addTable(alarms, watched);
};
