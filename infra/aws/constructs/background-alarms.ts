// The alarms of what nobody waits for at an open connection: imports, rates, scheduled entries, and
// the table under all of it.

import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionRow, WatchedMetric } from '../../manifest/function-row.ts';
import { type FunctionName, functions } from '../../manifest/manifest.ts';
import { type Alarms, type MonitoredResources, once, oneOfThree } from './alarms.ts';
import type { LedgerFunction } from './ledger-function.ts';
import { functionMetric, period, sumOf } from './metrics.ts';

/** Goes off where a schedule has not called its function for an hour. */
const addAbsence = (alarms: Alarms, id: string, { name, lambda, row }: LedgerFunction): void => {
  alarms.add(id, {
    metric: lambda.metricInvocations({ period: Duration.hours(1) }),
    threshold: { atMost: 0 },
    periods: once,
    impact: `The schedule has not run for an hour. ${row.errorImpact}`,
    article: name,
    // A function that is not called emits nothing.
    whenMissing: cloudwatch.TreatMissingData.BREACHING,
  });
};

/** What holds imports up before they are started. */
const addWaitingImports = (
  alarms: Alarms,
  { stage, data, functions }: MonitoredResources,
): void => {
  const { lambda } = functions['import-tenant-data'];
  const { lambda: starter } = functions['start-imports'];
  alarms.add('stream-lag', {
    metric: starter.metric('IteratorAge', { statistic: 'Maximum', period }),
    threshold: { atLeast: Duration.minutes(15).toMilliseconds() },
    periods: oneOfThree,
    impact: 'Imports start late: new tenants wait for their accounts.',
    article: 'stream-lag',
  });
  // What Lambda drops goes to the failure queue, so that the count of it would tell nothing more.
  alarms.add('imports-waiting', {
    metric: lambda.metric('AsyncEventAge', { statistic: 'Maximum', period }),
    threshold: { atLeast: Duration.minutes(15).toMilliseconds() },
    periods: oneOfThree,
    impact: 'More imports run than the stage has executions for: new tenants wait their turn.',
    article: 'imports-waiting',
  });
  alarms.add('failure-queue', {
    metric: data.failureQueue.metricApproximateNumberOfMessagesVisible({ period }),
    threshold: { atLeast: 1 },
    periods: once,
    impact: 'The start of an import was given up; the import is asked for again by itself.',
    article: 'failure-queue',
  });
  const name = 'resume-imports';
  // The age of the stream is missing where nothing reads it: what hangs then is found in the table,
  // by a schedule that does not need the stream.
  alarms.add('imports-not-started', {
    // Longer than the ten minutes after which an import is found not started once more.
    metric: functionMetric(stage.name, { name, metric: 'ImportsNotStarted' }).with({
      period: Duration.minutes(15),
    }),
    threshold: { atLeast: 1 },
    periods: { breaching: 1, of: 2 },
    impact: 'Imports that were asked for do not start: new tenants wait for their accounts.',
    article: 'imports-not-started',
  });
  addAbsence(alarms, 'imports-not-resumed', functions[name]);
};

const addFailedImports = (alarms: Alarms, { stage, functions }: MonitoredResources): void => {
  const { name } = functions['import-tenant-data'];
  alarms.add('imports-failed', {
    metric: functionMetric(stage.name, { name, metric: 'ImportsFailed' }),
    threshold: { atLeast: 1 },
    periods: oneOfThree,
    impact: "A tenant lacks some or all of its platform's data until somebody looks at it.",
    article: name,
  });
};

const addRates = (alarms: Alarms, { stage, functions }: MonitoredResources): void => {
  const { name, row } = functions['refresh-exchange-rates'];
  const { rateMaximumAgeDays } = stage.settings;
  const runs = { period: Duration.hours(6) };
  // A day before the stage's limit. The longest pause of the rates is five days, at Easter.
  if (rateMaximumAgeDays !== 'any') {
    const age = { name, metric: 'RateAgeDays', statistic: 'Minimum' } as const;
    alarms.add('stale-rates', {
      // The best of two runs, so that the alarm ends with the first run that finds new rates.
      metric: functionMetric(stage.name, age).with(runs),
      threshold: { atLeast: rateMaximumAgeDays - 1 },
      periods: once,
      impact: row.errorImpact,
      article: 'stale-rates',
      // Without a run in six hours, nobody knows how old the rates are.
      whenMissing: cloudwatch.TreatMissingData.BREACHING,
    });
  }
  // Each run counts them again, so the alarm stays on until somebody has looked at them.
  alarms.add('refused-rates', {
    metric: functionMetric(stage.name, { name, metric: 'RateDaysRefused' }).with(runs),
    threshold: { atLeast: 1 },
    periods: once,
    impact: 'Entries of some days get an older rate: a day was refused, since a rate jumped.',
    article: 'refused-rates',
  });
};

/** A metric of all functions whose row names it, by the ids that a sum needs. */
const countsOf = (stage: string, metric: WatchedMetric): Record<string, cloudwatch.IMetric> =>
  Object.fromEntries(
    (Object.entries(functions) as [FunctionName, FunctionRow][])
      .filter(([, { watchedMetrics }]) => watchedMetrics.includes(metric))
      .map(([name]) => [name.replaceAll('-', '_'), functionMetric(stage, { name, metric })]),
  );

const addDueWork = (alarms: Alarms, { stage, functions }: MonitoredResources): void => {
  addAbsence(alarms, 'due-entries-not-run', functions['post-scheduled-entries']);
  const counts = countsOf(stage.name, 'BackgroundWorkStuck');
  // Work that is stuck counts once, when it becomes so.
  alarms.add('background-work-stuck', {
    metric: sumOf('background work that became stuck', counts),
    threshold: { atLeast: 1 },
    periods: once,
    impact: 'Entries of a date, an import or a connection of one tenant do not go on.',
    article: 'background-work-stuck',
  });
};

const addLargeSheets = (alarms: Alarms, { stage }: MonitoredResources): void => {
  const counts = countsOf(stage.name, 'LargeSheets');
  alarms.add('large-sheets', {
    metric: sumOf('changes of large sheets', counts),
    threshold: { atLeast: 1 },
    periods: oneOfThree,
    impact: 'A date of a tenant moves so many accounts that posts to it cost far more than others.',
    article: 'large-sheets',
  });
};

const addBooks = (alarms: Alarms, { stage }: MonitoredResources): void => {
  const counts = countsOf(stage.name, 'BooksDiffer');
  alarms.add('books-differ', {
    metric: sumOf('books that differ', counts),
    threshold: { atLeast: 1 },
    periods: oneOfThree,
    impact: 'The books of a tenant contradict themselves; their readers get an error instead.',
    article: 'books-differ',
  });
};

const addTable = (alarms: Alarms, { data }: MonitoredResources): void => {
  alarms.add('table-throttles', {
    metric: sumOf('table throttles', {
      reads: data.table.metric('ReadThrottleEvents', { statistic: 'Sum', period }),
      writes: data.table.metric('WriteThrottleEvents', { statistic: 'Sum', period }),
    }),
    threshold: { atLeast: 1 },
    periods: oneOfThree,
    impact: 'The table turns calls away; requests take longer, and some end in 503.',
    article: 'table-throttles',
  });
};

export const addBackgroundAlarms = (alarms: Alarms, watched: MonitoredResources): void => {
  addFailedImports(alarms, watched);
  addWaitingImports(alarms, watched);
  addRates(alarms, watched);
  addDueWork(alarms, watched);
  addLargeSheets(alarms, watched);
  addBooks(alarms, watched);
  addTable(alarms, watched);
};
