// How a schedule calls us: EventBridge scheduled events in, nothing out.

import type { Context, ScheduledEvent } from 'aws-lambda';
import { instrument, type Telemetry } from './instrumentation.ts';

export type ScheduledRun = {
  /**
   * The moment the run is for. A run that is repeated is for the same moment; one that somebody
   * starts by hand without a moment is for now.
   */
  scheduledFor: Date;
  /** Milliseconds left before the function is stopped. */
  remainingMilliseconds: () => number;
};

/** What a run did, in numbers and short texts, for the log. */
export type RunSummary = Record<string, number | string | string[]>;

const momentOf = (time: string): Date => {
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime())) throw new Error(`time is ${time}, which is no moment`);
  return moment;
};

export const createScheduleHandler = (
  run: (scheduled: ScheduledRun) => Promise<RunSummary>,
  telemetry: Telemetry,
) => {
  return (event: Partial<ScheduledEvent> | null, context: Context): Promise<RunSummary> => {
    const time = event?.time ?? new Date().toISOString();
    const work = async (): Promise<RunSummary> =>
      run({
        scheduledFor: momentOf(time),
        remainingMilliseconds: () => context.getRemainingTimeInMillis(),
      });
    return instrument(work, telemetry, {
      name: 'run',
      about: { request_id: context.awsRequestId, scheduled_for: time },
      summarize: (summary) => ({ outcome: 'success', status: 200, fields: summary }),
    });
  };
};
