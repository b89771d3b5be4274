// Reads a trial balance of the platform for an import.

import type { TrialBalance } from '#shared/balances/trial-balance.ts';
import { fitsDecimals, shownDecimalsOf } from '#shared/money/amounts.ts';
import { isFailure, type Platform } from '#shared/platforms/platform.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { tenantFields } from '#shared/tenants/domain-names.ts';
import { fiscalYearStartOf } from '#shared/tenants/financial-year.ts';
import type { RecordingContext } from './journal-groups.ts';

export type ReportContext = RecordingContext & {
  platform: Platform;
  log: Pick<Telemetry['log'], 'warn'>;
  /** The number of runs since the last progress, including this one. */
  runsWithoutProgress: number;
};

/** A report, or why there is none that can be compared. */
export type Read = { report: TrialBalance; fetchedAt: string } | { reason: string };

/** These end the comparison of a day, not the import. */
const refusedReasons = ['report_refused', 'reply_not_understood', 'reply_too_large'] as const;

/** A run without reports is repeated. If that does not help, the import continues without them. */
const unavailableReasons = ['platform_unavailable', 'platform_timed_out'] as const;
const maximumRunsForReports = 3;

/**
 * Whether the tokens only lack the right to read reports. Platforms refuse a report with the same
 * error as an invalid token.
 */
const isPermittedOtherwise = async ({ call, platform }: ReportContext): Promise<boolean> => {
  try {
    await call(platform.company);
    return true;
  } catch (error) {
    if (isFailure(error, 'credentials_refused')) return false;
    throw error;
  }
};

export const readReport = async (
  date: string,
  { yearEnd, ...context }: ReportContext & { yearEnd: string },
): Promise<Read> => {
  const decimals = shownDecimalsOf(context.tenantCurrency);
  const { call, platform, clock, log } = context;
  const fiscalYearStart = fiscalYearStartOf({ date, yearEnd });
  try {
    const report = await call((access, timeLimit) =>
      platform.trialBalance(access, { date, fiscalYearStart, timeoutMilliseconds: timeLimit() }),
    );
    const isPrecise = report.rows.every(({ balance }) => fitsDecimals(balance, decimals));
    return isPrecise
      ? { report, fetchedAt: clock().toISOString() }
      : { reason: 'amount_too_precise' };
  } catch (error) {
    log.warn('a report cannot be used', { ...tenantFields(context.name), date, error });
    if (refusedReasons.some((reason) => isFailure(error, reason))) {
      return { reason: 'report_refused' };
    }
    const isUnavailable = unavailableReasons.some((reason) => isFailure(error, reason));
    if (isUnavailable && context.runsWithoutProgress >= maximumRunsForReports) {
      return { reason: 'reports_unavailable' };
    }
    const isRefused = isFailure(error, 'credentials_refused');
    const lacksRight =
      isFailure(error, 'reports_not_permitted') ||
      (isRefused && (await isPermittedOtherwise(context)));
    if (lacksRight) return { reason: 'reports_not_permitted' };
    throw error;
  }
};
