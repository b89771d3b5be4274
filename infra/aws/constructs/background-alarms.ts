// The alarms of background work: imports, exchange rates and scheduled entries. Also the alarms of
// the table.

import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionRow, WatchedMetric } from '../../manifest/function-row.ts';
import { type FunctionName, functions } from '../../manifest/manifest.ts';
import type { DeployedStage } from '../../manifest/stages.ts';
import { type Alarms, once, type Severity } from './alarms.ts';
import {
  failedRecords,
  functionMetric,
  lambdaMetric,
  period,
  stageMetric,
  sumOf,
  tableMetric,
} from './metrics.ts';

/** An alarm if a schedule has not called its function for an hour. */
const addAbsence = (
  alarms: Alarms,
  {
    id,
    stage,
    name,
    severity,
  }: { id: string; stage: string; name: FunctionName; severity: Severity },
): void => {
  alarms.add(id, {
    severity,
    metric: lambdaMetric(stage, { name, metric: 'Invocations' }).with({
      period: Duration.hours(1),
    }),
    threshold: { atMost: 0 },
    periods: once,
    impact: `The schedule has not run for an hour. ${functions[name].errorImpact}`,
    article: name,
    // Without calls there are no data.
    whenMissing: cloudwatch.TreatMissingData.BREACHING,
  });
};

const addWaitingImports = (alarms: Alarms, stage: string): void => {
  alarms.add('stream-lag', {
    severity: 'ticket',
    metric: lambdaMetric(stage, {
      name: 'start-imports',
      metric: 'IteratorAge',
      statistic: 'Maximum',
    }),
    threshold: { atLeast: Duration.minutes(15).toMilliseconds() },
    impact: 'Imports start late: new tenants wait for their accounts.',
  });
  // Lambda sends dropped invocations to the failure queue, which has its own alarm.
  alarms.add('imports-waiting', {
    severity: 'ticket',
    metric: lambdaMetric(stage, {
      name: 'import-tenant-data',
      metric: 'AsyncEventAge',
      statistic: 'Maximum',
    }),
    threshold: { atLeast: Duration.minutes(15).toMilliseconds() },
    impact: 'All executions for imports are in use: new tenants wait for their accounts.',
  });
  alarms.add('failure-queue', {
    severity: 'ticket',
    metric: failedRecords(stage),
    periods: once,
    impact: 'An import or a delivery did not start, or events expired before they were recorded.',
  });
  const name = 'resume-imports';
  // If nothing reads the stream, its age has no data. This alarm uses the table instead.
  alarms.add('imports-not-started', {
    severity: 'ticket',
    // Longer than the ten minutes after which resume-imports counts an import again.
    metric: functionMetric(stage, { name, metric: 'ImportsNotStarted' }).with({
      period: Duration.minutes(15),
    }),
    periods: { breaching: 1, of: 2 },
    impact: 'Requested imports do not start: new tenants wait for their accounts.',
  });
  // A large import needs dozens of turns of 45 seconds, so it takes a day then.
  alarms.add('imports-wait-for-turns', {
    severity: 'ticket',
    metric: functionMetric(stage, { name, metric: 'ImportTurnWaitMinutes', statistic: 'Maximum' }),
    threshold: { atLeast: 30 },
    impact: 'More imports want to run than can: large companies wait a day for their books.',
    article: 'imports-waiting',
  });
  addAbsence(alarms, { id: 'imports-not-resumed', stage, name, severity: 'ticket' });
};

const addEvents = (alarms: Alarms, stage: string): void => {
  const name = 'record-events';
  alarms.add('events-late', {
    severity: 'ticket',
    metric: lambdaMetric(stage, { name, metric: 'IteratorAge', statistic: 'Maximum' }),
    threshold: { atLeast: Duration.minutes(15).toMilliseconds() },
    impact: functions[name].errorImpact,
  });
  // The stream forgets a change after 24 hours.
  alarms.add('events-about-to-be-lost', {
    severity: 'page',
    metric: lambdaMetric(stage, { name, metric: 'IteratorAge', statistic: 'Maximum' }),
    threshold: { atLeast: Duration.hours(6).toMilliseconds() },
    impact: functions[name].errorImpact,
    article: 'events-late',
  });
  alarms.add('events-not-recorded', {
    severity: 'ticket',
    metric: functionMetric(stage, { name, metric: 'EventsNotRecorded' }),
    periods: once,
    impact: 'Events of an application wait, and are not in its feed. Nobody else waits for them.',
  });
};

const addDeliveries = (alarms: Alarms, stage: string): void => {
  const name = 'resume-deliveries';
  // Endpoints that fail do not count: a run ends with their failure.
  alarms.add('deliveries-late', {
    severity: 'ticket',
    metric: lambdaMetric(stage, {
      name: 'deliver-events',
      metric: 'AsyncEventAge',
      statistic: 'Maximum',
    }),
    threshold: { atLeast: Duration.minutes(5).toMilliseconds() },
    impact: 'All executions for deliveries are in use: webhooks get their events late.',
    article: 'deliver-events',
  });
  addAbsence(alarms, { id: 'deliveries-not-resumed', stage, name, severity: 'ticket' });
};

const addFailedImports = (alarms: Alarms, stage: string): void => {
  const name = 'import-tenant-data';
  alarms.add('imports-failed', {
    severity: 'ticket',
    metric: functionMetric(stage, { name, metric: 'ImportsFailed' }),
    impact: 'A tenant lacks some or all data of its platform until someone resolves the failure.',
    article: name,
  });
};

const addRates = (alarms: Alarms, stage: DeployedStage): void => {
  const name = 'refresh-exchange-rates';
  const { rateMaximumAgeDays } = stage.settings;
  const runs = { period: Duration.hours(6) };
  // One day before the stage's limit. The longest gap between rates is five days, at Easter.
  if (rateMaximumAgeDays !== 'any') {
    const age = { name, metric: 'RateAgeDays', statistic: 'Minimum' } as const;
    alarms.add('stale-rates', {
      severity: 'ticket',
      // The minimum of two runs: the alarm ends with the first run that finds new rates.
      metric: functionMetric(stage.name, age).with(runs),
      threshold: { atLeast: rateMaximumAgeDays - 1 },
      periods: once,
      impact: functions[name].errorImpact,
      // Without a run in six hours, the age of the rates is unknown.
      whenMissing: cloudwatch.TreatMissingData.BREACHING,
    });
  }
  // The largest gap between weekly tables was nine days since 2008. They serve for two weeks.
  const nbpAge = { name, metric: 'NbpRateAgeDays', statistic: 'Minimum' } as const;
  alarms.add('stale-nbp-rates', {
    severity: 'ticket',
    metric: functionMetric(stage.name, nbpAge).with(runs),
    threshold: { atLeast: 11 },
    periods: once,
    impact: 'In a few days, entries in currencies that only the Polish bank publishes are refused.',
    article: 'stale-rates',
  });
  // Each run counts them again, so the alarm lasts until someone resolves them.
  alarms.add('refused-rates', {
    severity: 'ticket',
    metric: functionMetric(stage.name, { name, metric: 'RateDaysRefused' }).with(runs),
    periods: once,
    impact: 'Entries of some days get an older rate: the rates of a day were refused for a jump.',
  });
};

/** The metric of each function whose row names it, by an id for `sumOf`. */
const countsOf = (stage: string, metric: WatchedMetric): Record<string, cloudwatch.IMetric> =>
  Object.fromEntries(
    (Object.entries(functions) as [FunctionName, FunctionRow][])
      .filter(([, { watchedMetrics }]) => watchedMetrics?.includes(metric))
      .map(([name]) => [name.replaceAll('-', '_'), functionMetric(stage, { name, metric })]),
  );

const addWatchedMetrics = (alarms: Alarms, stage: string): void => {
  const sumOver = (label: string, metric: WatchedMetric) => sumOf(label, countsOf(stage, metric));
  const name = 'post-scheduled-entries';
  addAbsence(alarms, { id: 'due-entries-not-run', stage, name, severity: 'page' });
  // Each item counts once, when it becomes stuck.
  alarms.add('background-work-stuck', {
    severity: 'ticket',
    metric: sumOver('background work that became stuck', 'BackgroundWorkStuck'),
    periods: once,
    impact: 'Scheduled entries, an import or a connection of a tenant are stuck.',
  });
  alarms.add('large-sheets', {
    severity: 'ticket',
    metric: sumOver('changes of large sheets', 'LargeSheets'),
    impact: 'A date of a tenant has entries on so many accounts that posts to it are expensive.',
  });
  alarms.add('books-differ', {
    severity: 'page',
    metric: stageMetric(stage, 'BooksDiffer'),
    impact: 'The books of a tenant are inconsistent, and readers get an error.',
  });
};

const addTable = (alarms: Alarms, stage: DeployedStage): void => {
  alarms.add('table-throttles', {
    severity: 'ticket',
    metric: sumOf('table throttles', {
      reads: tableMetric(stage, 'ReadThrottleEvents'),
      writes: tableMetric(stage, 'WriteThrottleEvents'),
    }),
    impact: 'The table throttles calls: requests take longer, and some fail with 503.',
  });
};

/**
 * Failures of AWS Backup, of all vaults of the account in this region: the query needs no
 * dimensions (CloudWatch User Guide, "Query your metrics with Metrics Insights").
 */
const addBackups = (alarms: Alarms): void => {
  const failures = {
    'backups-failed': { metric: 'NumberOfBackupJobsFailed', what: 'A backup of the table failed.' },
    'backups-expired': {
      metric: 'NumberOfBackupJobsExpired',
      what: 'A backup of the table did not start in time.',
    },
    'copies-failed': {
      metric: 'NumberOfCopyJobsFailed',
      what: 'A backup was not copied to the other region.',
    },
  };
  for (const [id, { metric, what }] of Object.entries(failures)) {
    alarms.add(id, {
      severity: 'ticket',
      metric: new cloudwatch.MathExpression({
        label: metric,
        expression: `SELECT SUM(${metric}) FROM "AWS/Backup"`,
        period,
      }),
      impact: `${what} A loss of the table, its key or its region could not be undone.`,
      article: 'backups-failed',
    });
  }
};

export const addBackgroundAlarms = (alarms: Alarms, stage: DeployedStage): void => {
  addFailedImports(alarms, stage.name);
  addWaitingImports(alarms, stage.name);
  addEvents(alarms, stage.name);
  addDeliveries(alarms, stage.name);
  addRates(alarms, stage);
  addWatchedMetrics(alarms, stage.name);
  addTable(alarms, stage);
  if (stage.deployment.backups) addBackups(alarms);
};
