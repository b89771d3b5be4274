// The logs and metrics of functions. A log line is JSON with the function's name. Metrics use
// CloudWatch's embedded metric format: one log line per request.

import { Logger } from '@aws-lambda-powertools/logger';
import { MetricUnit, Metrics as Powertools } from '@aws-lambda-powertools/metrics';
import type { JournalEntry } from './entries/journal-entry.ts';
import { functionVersion } from './environment.ts';

/** The end of a request, a run or a stream record. `code` is `success` or an error code. */
export type RequestOutcome = {
  requestId: string;
  applicationId: string | undefined;
  code: string;
  /** An HTTP status. For background work, the status that its error code has. */
  status: number;
  contentionRetries: number;
  largeSheets: number;
  failedCharges: number;
};

/** Every metric that functions emit. infra/aws creates alarms and graphs by these names. */
export type MetricName =
  | 'BackgroundWorkStuck'
  | 'BooksDiffer'
  | 'BudgetRefusals'
  | 'ChargesFailed'
  | 'ClientErrors'
  | 'ContentionRefusals'
  | 'ContentionRetries'
  | 'EntriesPosted'
  | 'EntriesScheduled'
  | 'ImportPages'
  | 'ImportsFailed'
  | 'ImportsNotStarted'
  | 'LargeSheets'
  | 'PlatformErrors'
  | 'RateAgeDays'
  | 'RateDaysRefused'
  | 'RecordsRefused'
  | 'Replays'
  | 'Requests'
  | 'ServerErrors'
  | 'TenantsDisconnected';

/**
 * Errors of accounting platforms. They count as `PlatformErrors` instead of `ServerErrors`, because
 * our operators cannot fix a platform. Revisit if our code causes platform errors.
 */
const platformFailures = new Set(['platform_failed', 'platform_timed_out']);

export type Metrics = ReturnType<typeof openMetrics>;

/**
 * Opens a function's metrics. The function is the only dimension, because CloudWatch charges for
 * each combination of dimensions. The same log line contains the error code and other metadata.
 * Errors of a deployed version are counted again by version, because they decide whether a new
 * version stays.
 */
export const openMetrics = (functionName: string, version = functionVersion()) => {
  const metrics = new Powertools({ serviceName: functionName });
  const count = (name: MetricName, value = 1): void => {
    if (value > 0) metrics.addMetric(name, MetricUnit.Count, value);
  };

  return {
    /** A request created an entry, or replayed one. */
    entryAnswered: ({
      entry: { status },
      replayed,
    }: {
      entry: Pick<JournalEntry, 'status'>;
      replayed: boolean;
    }) => {
      if (replayed) count('Replays');
      else count(status === 'scheduled' ? 'EntriesScheduled' : 'EntriesPosted');
    },
    /** A request replayed an earlier reply. */
    replayed: () => count('Replays'),
    /** Scheduled entries were posted on their accrual date. */
    dueEntriesPosted: (entries: number) => count('EntriesPosted', entries),
    /** Background work is stuck. It counts once, not at each attempt. */
    workStuck: () => count('BackgroundWorkStuck'),
    /** A reader detected a contradiction in the books. */
    booksDiffer: () => count('BooksDiffer'),
    importPageRead: () => count('ImportPages'),
    /** An import ended with a failure that an operator must look at. */
    importFailed: () => count('ImportsFailed'),
    /** Platform records that a complete import did not record. */
    recordsRefused: (records: number) => count('RecordsRefused', records),
    /** A platform ended our access to a company. Only the company's user can reconnect it. */
    tenantDisconnected: () => count('TenantsDisconnected'),
    /** Requested imports that the table's stream did not deliver. */
    importsNotStarted: (imports: number) => count('ImportsNotStarted', imports),
    /** Days of exchange rates in the source that were not stored. */
    rateDaysRefused: (days: number) => count('RateDaysRefused', days),
    /** The age in days of the newest stored exchange rates. */
    rateAge: (days: number): void => {
      metrics.addMetric('RateAgeDays' satisfies MetricName, MetricUnit.NoUnit, days);
    },

    /** Counts a request and writes all metrics since the previous request. */
    ended: ({
      requestId,
      applicationId,
      code,
      status,
      contentionRetries,
      largeSheets,
      failedCharges,
    }: RequestOutcome): void => {
      count('Requests');
      count('ClientErrors', status >= 400 && status < 500 ? 1 : 0);
      const isOfPlatform = platformFailures.has(code);
      const isContention = code === 'contention';
      const isServerError = status >= 500 && !isOfPlatform && !isContention;
      count('ServerErrors', isServerError ? 1 : 0);
      count('ContentionRefusals', isContention ? 1 : 0);
      count('PlatformErrors', isOfPlatform ? 1 : 0);
      count('ContentionRetries', contentionRetries);
      count('LargeSheets', largeSheets);
      count('BudgetRefusals', code === 'cost_budget_exhausted' ? 1 : 0);
      count('ChargesFailed', failedCharges);
      metrics.addMetadata('request_id', requestId).addMetadata('code', code);
      if (applicationId !== undefined) metrics.addMetadata('application_id', applicationId);
      metrics.publishStoredMetrics();
      if (isServerError && version !== undefined) {
        metrics
          .singleMetric()
          .addDimension('version', version)
          .addMetric('ServerErrors' satisfies MetricName, MetricUnit.Count, 1);
      }
    },
  };
};

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Fields of our own errors, Node's errors and the AWS SDK's errors. */
type KnownError = Error & { code?: unknown; reason?: unknown; $metadata?: unknown };

/**
 * An error with only its safe fields. Other fields can contain a table item, a header or a body,
 * and a parser's message quotes the text.
 */
const redacted = (error: KnownError) => ({
  name: error.name,
  message: error instanceof SyntaxError ? 'not shown: it quotes the text' : error.message,
  code: error.code,
  reason: error.reason,
  metadata: error.$metadata,
  // Only the stack frames, because the lines above them repeat the message.
  stack: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
  cause: error.cause instanceof Error ? error.cause : undefined,
});

export const openLog = (functionName: string): Log =>
  new Logger({
    serviceName: functionName,
    jsonReplacerFn: (_key, value) => (value instanceof Error ? redacted(value) : value),
  });

export type Telemetry = { log: Log; metrics: Metrics };

export const openTelemetry = (functionName: string): Telemetry => ({
  log: openLog(functionName),
  metrics: openMetrics(functionName),
});
