// What every trigger does around its work: measures it, writes its log line and its metrics.

import { BooksDiffer } from '../entries/entry-checks.ts';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { withoutOrphans } from '../orphaned-work.ts';
import { type Charges, chargeTo } from '../table/cost-budget.ts';
import { callFields, meterUsage, usageFields } from '../table/metering.ts';

export type Telemetry = { log: Log; metrics: Metrics };

type Fields = { application_id?: string | undefined; [name: string]: unknown };

/**
 * How work ended: `success` or the code of what went wrong, the HTTP status that fits it, and the
 * fault behind it, where there was one and it was answered all the same.
 */
type Summary = { outcome: string; status: number; fields: Fields; fault?: unknown };

type Work<Result> = {
  /** The message of its log line. */
  name: string;
  /** The fields of its log line that are known beforehand. */
  about: Fields & { request_id: string };
  /** The application that pays for its calls to the table; nobody does if it is left out. */
  chargedTo?: string | undefined;
  summarize: (result: Result) => Summary;
};

const summaryOfFault = (error: unknown): Summary => {
  const refusal = error instanceof ApiError ? error : new ApiError('internal_error');
  return { outcome: refusal.code, status: refusal.status, fields: {}, fault: error };
};

/**
 * The line of work that failed or took this long shows its calls to the table one by one, and so
 * does that of one request in 256, to compare with. Its id decides which, so that the authorizer's
 * line shows them too.
 */
const slowMilliseconds = 2_000;
const isSampled = (requestId: string): boolean => requestId.endsWith('00');

/** The line's fields of a request that was charged. */
const chargeFields = ({ charged: { read, write } }: Charges) =>
  read + write > 0 ? { charged_read_units: read, charged_write_units: write } : {};

/** Does the work, writes the one line about it, and returns or throws what the work does. */
export const instrument = async <Result>(
  work: () => Promise<Result>,
  { log, metrics }: Telemetry,
  { name, about, chargedTo, summarize }: Work<Result>,
): Promise<Result> => {
  const startedAt = performance.now();
  const metered = await meterUsage(() =>
    chargeTo(chargedTo, () => Promise.allSettled([withoutOrphans(work)])),
  );
  const { usage } = metered;
  const { charges } = metered.result;
  const [ended] = metered.result.result;
  const { outcome, status, fields, fault } =
    ended.status === 'rejected' ? summaryOfFault(ended.reason) : summarize(ended.value);
  const failed = ended.status === 'rejected' || fault !== undefined;
  const duration = Math.round(performance.now() - startedAt);
  const isDetailed = failed || duration >= slowMilliseconds || isSampled(about.request_id);
  const line = {
    ...about,
    ...fields,
    outcome,
    duration_ms: duration,
    ...usageFields(usage),
    ...chargeFields(charges),
    ...(isDetailed && usage.calls.length > 0 && { calls: callFields(usage.calls, startedAt) }),
    ...(failed && { error: fault }),
  };
  for (const error of charges.failures) log.warn('charge not recorded', { ...about, error });
  if (failed) log.error(`${name} failed`, line);
  else log.info(name, line);
  if (fault instanceof BooksDiffer) metrics.booksDiffer();
  metrics.ended({
    requestId: line.request_id,
    applicationId: line.application_id,
    code: outcome,
    status,
    contentionRetries: usage.contentionRetries,
    largeSheets: usage.largeSheets,
    failedCharges: charges.failures.length,
  });
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
};
