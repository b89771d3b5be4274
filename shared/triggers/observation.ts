// What every trigger does around its work: measures it, writes its log line and its metrics.

import { Refusal } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { measureUsage, usageFields } from '../usage.ts';

export type Observers = { log: Log; metrics: Metrics };

type Fields = { application_id?: string | undefined; [name: string]: unknown };

/** How work ended: `success` or the code of what went wrong, and the HTTP status that fits it. */
type Conclusion = { outcome: string; status: number; fields: Fields };

type Work<Result> = {
  /** The message of its log line. */
  name: string;
  /** The fields of its log line that are known beforehand. */
  about: Fields & { request_id: string };
  conclude: (result: Result) => Conclusion;
};

const conclusionOfFault = (error: unknown): Conclusion => {
  const refusal = error instanceof Refusal ? error : new Refusal('internal_error');
  return { outcome: refusal.code, status: refusal.status, fields: { error } };
};

/** Does the work, and returns or throws what it does. */
export const observe = async <Result>(
  work: () => Promise<Result>,
  { log, metrics }: Observers,
  { name, about, conclude }: Work<Result>,
): Promise<Result> => {
  const startedAt = performance.now();
  const { result, usage } = await measureUsage(() => Promise.allSettled([work()]));
  const [ended] = result;
  const failed = ended.status === 'rejected';
  const { outcome, status, fields } = failed
    ? conclusionOfFault(ended.reason)
    : conclude(ended.value);
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
