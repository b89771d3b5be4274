// Metrics in CloudWatch's embedded metric format: every name in one place, one line a request.

import { MetricUnit, Metrics as Powertools } from '@aws-lambda-powertools/metrics';
import type { JournalEntry } from './entries/journal-entry.ts';

/** How a request, a run or a record ended: `success`, or the code of what went wrong. */
export type RequestOutcome = {
  requestId: string;
  applicationId: string | undefined;
  code: string;
  /** An HTTP status, or the one that it would be. */
  status: number;
  contentionRetries: number;
  largeSheets: number;
  failedCharges: number;
};

/** Every metric that functions emit; infra/aws makes alarms and graphs of them by these names. */
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
 * What an accounting platform did. It rings nobody, since nobody here can mend a platform at night:
 * `PlatformErrors` counts it, and not `ServerErrors`. Revisit when platforms fail because of us.
 */
const platformFailures = new Set(['platform_failed', 'platform_timed_out']);

export type Metrics = ReturnType<typeof openMetrics>;

/**
 * Opens a function's metrics. Their namespace is Powertools' own setting, and the function is their
 * only dimension, since CloudWatch charges for every combination of dimensions. What else there is
 * to know, the code of an error first of all, stands beside them in the same line.
 */
export const openMetrics = (functionName: string) => {
  const metrics = new Powertools({ serviceName: functionName });
  const count = (name: MetricName, value = 1): void => {
    if (value > 0) metrics.addMetric(name, MetricUnit.Count, value);
  };

  return {
    /** An entry was asked for, which was recorded now or by an earlier request. */
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
    /** A request was answered with what an earlier one had made. */
    replayed: () => count('Replays'),
    /** Scheduled entries were posted, since their date has come. */
    dueEntriesPosted: (entries: number) => count('EntriesPosted', entries),
    /** Background work failed for a reason of its own; it counts once, not with each attempt. */
    workStuck: () => count('BackgroundWorkStuck'),
    /** Somebody read books that contradict themselves. */
    booksDiffer: () => count('BooksDiffer'),
    importPageRead: () => count('ImportPages'),
    /** An import ended that somebody here must look at. */
    importFailed: () => count('ImportsFailed'),
    /** Records of a platform that an import left out, when it was complete. */
    recordsRefused: (records: number) => count('RecordsRefused', records),
    /** A platform has ended our access to a company, which is its user's business. */
    tenantDisconnected: () => count('TenantsDisconnected'),
    /** Imports that were asked for and that the table's stream did not bring to their function. */
    importsNotStarted: (imports: number) => count('ImportsNotStarted', imports),
    /** Days of exchange rates that the source has and that were not taken over. */
    rateDaysRefused: (days: number) => count('RateDaysRefused', days),
    /** The age of the newest exchange rates that are stored, in days. */
    rateAge: (days: number): void => {
      metrics.addMetric('RateAgeDays' satisfies MetricName, MetricUnit.NoUnit, days);
    },

    /** Counts a request, and writes all that was counted since the last one. */
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
      count('ServerErrors', status >= 500 && !isOfPlatform && !isContention ? 1 : 0);
      count('ContentionRefusals', isContention ? 1 : 0);
      count('PlatformErrors', isOfPlatform ? 1 : 0);
      count('ContentionRetries', contentionRetries);
      count('LargeSheets', largeSheets);
      count('BudgetRefusals', code === 'cost_budget_exhausted' ? 1 : 0);
      count('ChargesFailed', failedCharges);
      metrics.addMetadata('request_id', requestId).addMetadata('code', code);
      if (applicationId !== undefined) metrics.addMetadata('application_id', applicationId);
      metrics.publishStoredMetrics();
    },
  };
};
