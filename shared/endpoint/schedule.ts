// The schedule trigger: EventBridge starts a run at a time.

import type { Context, ScheduledEvent } from 'aws-lambda';
import type { Telemetry } from '../telemetry.ts';
import { instrument } from './instrumentation.ts';

type ScheduledRun = {
  /** The scheduled time. A retry has the same time. A manual run without a time has now. */
  scheduledFor: Date;
  /** The milliseconds before Lambda stops the function. */
  remainingMilliseconds: () => number;
};

/** Fields for the log line. */
export type RunSummary = Record<string, number | string | string[]>;

const momentOf = (time: string): Date => {
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime())) throw new Error(`time is not valid: ${time}`);
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
