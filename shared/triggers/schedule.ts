// How a schedule calls us: EventBridge scheduled events in, nothing out.

import type { Context, ScheduledEvent } from 'aws-lambda';
import { instrument, type Telemetry } from './instrumentation.ts';

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
  telemetry: Telemetry,
) => {
  return (event: ScheduledEvent, context: Context): Promise<RunSummary> => {
    const scheduled: ScheduledRun = {
      scheduledFor: new Date(event.time),
      remainingMilliseconds: () => context.getRemainingTimeInMillis(),
    };
    return instrument(() => run(scheduled), telemetry, {
      name: 'run',
      about: { request_id: context.awsRequestId, scheduled_for: event.time },
      summarize: (summary) => ({ outcome: 'success', status: 200, fields: summary }),
    });
  };
};
