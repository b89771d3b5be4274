// The logs and metrics of functions. A log line is JSON with the function's name. The line at the
// end of a request also has its metrics, in CloudWatch's embedded metric format.

import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { JournalEntry } from './entries/journal-entry.ts';

/** The end of a request, a run or a stream record. `code` is `success` or an error code. */
export type RequestOutcome = {
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
  | 'EventsNotRecorded'
  | 'ImportPages'
  | 'ImportTurnWaitMinutes'
  | 'ImportsFailed'
  | 'ImportsNotStarted'
  | 'LargeSheets'
  | 'NbpRateAgeDays'
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

const errorsByVersion = (namespace: string) => ({
  Namespace: namespace,
  Dimensions: [['service', 'version']],
  Metrics: [{ Name: 'ServerErrors' satisfies MetricName }],
});

/** Without dimensions: an alarm can sum ten metrics, and more functions read the books. */
const booksThatDiffer = (
  Namespace: string,
  { BooksDiffer }: Partial<Record<MetricName, number>>,
) =>
  BooksDiffer === undefined
    ? []
    : [{ Namespace, Dimensions: [[]], Metrics: [{ Name: 'BooksDiffer' satisfies MetricName }] }];

export type Metrics = ReturnType<typeof openMetrics>;

/**
 * Opens a function's metrics. Their only dimension is the field `service` of the log line, because
 * CloudWatch charges for each combination of dimensions. Errors are counted again by the version of
 * the function, because they decide whether a new version stays.
 * @param namespace Without a namespace, nothing is counted.
 */
export const openMetrics = (namespace: string | undefined, version?: string) => {
  const counts: Partial<Record<MetricName, number>> = {};
  const count = (name: MetricName, value = 1): void => {
    if (value > 0) counts[name] = (counts[name] ?? 0) + value;
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
    /** The events of a change could not be read from it. */
    eventsNotRecorded: () => count('EventsNotRecorded'),
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
    /** The longest time in minutes that an import has waited for its next turn. */
    importTurnWait: (minutes: number) => count('ImportTurnWaitMinutes', minutes),
    /** Days of exchange rates in the source that were not stored. */
    rateDaysRefused: (days: number) => count('RateDaysRefused', days),
    /** The age in days of the ECB's newest stored rates. */
    rateAge: (days: number): void => {
      counts.RateAgeDays = days;
    },
    /** The age in days of the NBP's newest stored weekly table. */
    nbpRateAge: (days: number): void => {
      counts.NbpRateAgeDays = days;
    },

    /**
     * Counts a request. Returns all metrics since the previous request as fields of its log line
     * (CloudWatch User Guide, "Specification: Embedded metric format").
     */
    ended: ({
      code,
      status,
      contentionRetries,
      largeSheets,
      failedCharges,
    }: RequestOutcome): Record<string, unknown> => {
      count('Requests');
      count('ClientErrors', status >= 400 && status < 500 ? 1 : 0);
      const isOfPlatform = platformFailures.has(code);
      const isContention = code === 'contention';
      count('ServerErrors', status >= 500 && !isOfPlatform && !isContention ? 1 : 0);
      count('ContentionRefusals', isContention ? 1 : 0);
      count('PlatformErrors', isOfPlatform ? 1 : 0);
      count('ContentionRetries', contentionRetries);
      count('LargeSheets', largeSheets);
      count('BudgetRefusals', code === 'cost_budget_exhausted' ? 1 : 0);
      count('ChargesFailed', failedCharges);
      const counted = { ...counts };
      for (const name of Object.keys(counts)) delete counts[name as MetricName];
      if (namespace === undefined) return {};
      const Metrics = Object.keys(counted).map((Name) => ({ Name }));
      const byVersion = version !== undefined && counted.ServerErrors !== undefined;
      const CloudWatchMetrics = [
        { Namespace: namespace, Dimensions: [['service']], Metrics },
        ...(byVersion ? [errorsByVersion(namespace)] : []),
        ...booksThatDiffer(namespace, counted),
      ];
      const _aws = { Timestamp: Date.now(), CloudWatchMetrics };
      return { _aws, ...(byVersion && { version }), ...counted };
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

/** Without the fields of the default format that no query uses. */
class ShortFormat extends LogFormatter {
  formatAttributes(...[known, fields]: Parameters<LogFormatter['formatAttributes']>): LogItem {
    const { logLevel: level, message, timestamp, serviceName: service } = known;
    const attributes = { level, message, timestamp: this.formatTimestamp(timestamp), service };
    return new LogItem({ attributes }).addAttributes(fields);
  }
}

export const openLog = (functionName: string): Log =>
  new Logger({
    serviceName: functionName,
    logFormatter: new ShortFormat(),
    jsonReplacerFn: (_key, value) => (value instanceof Error ? redacted(value) : value),
  });

export type Telemetry = { log: Log; metrics: Metrics };
