// Measures the work of every trigger and writes its log line, with its metrics.

import { BooksDiffer } from '../entries/entry-checks.ts';
import { apiErrorFrom } from '../errors.ts';
import { withoutOrphans } from '../orphaned-work.ts';
import { type Charges, chargeTo } from '../table/cost-budget.ts';
import { callFields, meterUsage, usageFields } from '../table/metering.ts';
import type { Telemetry } from '../telemetry.ts';

type Fields = { application_id?: string | undefined; [name: string]: unknown };

/**
 * The result of work: `success` or an error code, and an HTTP status. `fault` is the error behind
 * a failure that was nevertheless answered.
 */
type Summary = { outcome: string; status: number; fields: Fields; fault?: unknown };

type Work<Result> = {
  /** The message of the log line. */
  name: string;
  /** The fields of the log line that are known before the work. */
  about: Fields & { request_id: string };
  /** The application that is charged for table calls. Without one, the calls are free. */
  chargedTo?: string | undefined;
  summarize: (result: Result) => Summary;
};

const summaryOfFault = (error: unknown): Summary => {
  const { code, status } = apiErrorFrom(error);
  return { outcome: code, status, fields: {}, fault: error };
};

/**
 * A log line lists each table call if the work failed, took this long, or belongs to the sample of
 * one request in 256. The request id selects the sample, so the authorizer's line is in it too.
 */
const slowMilliseconds = 2_000;
const isSampled = (requestId: string): boolean => requestId.endsWith('00');

/** The charged units, if there are any. */
const chargeFields = ({ charged: { read, write } }: Charges) =>
  read + write > 0 ? { charged_read_units: read, charged_write_units: write } : {};

/** Does the work and writes one log line about it. Returns or throws the work's result. */
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
  if (fault instanceof BooksDiffer) metrics.booksDiffer();
  const { contentionRetries, largeSheets } = usage;
  const failedCharges = charges.failures.length;
  const costs = { contentionRetries, largeSheets, failedCharges };
  const line = {
    ...about,
    ...fields,
    outcome,
    duration_ms: duration,
    ...usageFields(usage),
    ...chargeFields(charges),
    ...(isDetailed && usage.calls.length > 0 && { calls: callFields(usage.calls, startedAt) }),
    ...(failed && { error: fault }),
    ...metrics.ended({ code: outcome, status, ...costs }),
  };
  for (const error of charges.failures) log.warn('charge not recorded', { ...about, error });
  if (failed) log.error(`${name} failed`, line);
  else log.info(name, line);
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
};
