// What every trigger does around its work: measures it, writes its log line and its metrics.

import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { meterUsage, usageFields } from '../table-metering.ts';

export type Telemetry = { log: Log; metrics: Metrics };

type Fields = { application_id?: string | undefined; [name: string]: unknown };

/** How work ended: `success` or the code of what went wrong, and the HTTP status that fits it. */
type Summary = { outcome: string; status: number; fields: Fields };

type Work<Result> = {
  /** The message of its log line. */
  name: string;
  /** The fields of its log line that are known beforehand. */
  about: Fields & { request_id: string };
  summarize: (result: Result) => Summary;
};

const summaryOfFault = (error: unknown): Summary => {
  const refusal = error instanceof ApiError ? error : new ApiError('internal_error');
  return { outcome: refusal.code, status: refusal.status, fields: { error } };
};

/** Does the work, and returns or throws what it does. */
export const instrument = async <Result>(
  work: () => Promise<Result>,
  { log, metrics }: Telemetry,
  { name, about, summarize }: Work<Result>,
): Promise<Result> => {
  const startedAt = performance.now();
  const { result, usage } = await meterUsage(() => Promise.allSettled([work()]));
  const [ended] = result;
  const failed = ended.status === 'rejected';
  const { outcome, status, fields } = failed
    ? summaryOfFault(ended.reason)
    : summarize(ended.value);
  const line = {
    ...about,
    ...fields,
    outcome,
    duration_ms: Math.round(performance.now() - startedAt),
    ...usageFields(usage),
  };
  if (failed) log.error(`${name} failed`, line);
  else log.info(name, line);
  metrics.ended({
    requestId: line.request_id,
    applicationId: line.application_id,
    code: outcome,
    status,
    contentionRetries: usage.contentionRetries,
  });
  if (failed) throw ended.reason;
  return ended.value;
};
