// How a schedule calls us: EventBridge scheduled events in, nothing out.

import type { Context, ScheduledEvent } from 'aws-lambda';
import type { Log } from '../log.ts';
import { measureUsage } from '../usage.ts';

export type ScheduledRun = {
  /** The moment the run is for. A run that is repeated is for the same moment. */
  scheduledFor: Date;
  /** Milliseconds left before the function is stopped. */
  remainingMilliseconds: () => number;
};

/** What a run did, in numbers and short texts, for the log. */
export type RunSummary = Record<string, number | string | string[]>;

export const createScheduleHandler = (
  run: (scheduled: ScheduledRun) => Promise<RunSummary>,
  { log }: { log: Log },
) => {
  return async (event: ScheduledEvent, context: Context): Promise<RunSummary> => {
    const { result: summary, usage } = await measureUsage(() =>
      run({
        scheduledFor: new Date(event.time),
        remainingMilliseconds: () => context.getRemainingTimeInMillis(),
      }),
    );
    log.info('run', { ...summary, table_calls: usage.calls.length });
    return summary;
  };
};
