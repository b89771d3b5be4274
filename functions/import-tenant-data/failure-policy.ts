// What is done about an import whose run could not go on: another run later, or the end of it.

import type { Import } from '#shared/imports/imports.store.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import type { TenantStatus } from '#shared/tenants/tenants.ts';

/** Why an import cannot go on, besides what a platform's failure says. */
export class ImportFailure extends Error {
  readonly reason: 'company_currency_changed';
  constructor(reason: ImportFailure['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** What becomes of the import: it goes on by itself at a moment, or has ended with this status. */
export type FailureDecision = { reason: string } & (
  | { goesOnAt: Date }
  | { tenantStatus: Extract<TenantStatus, 'import_failed' | 'disconnected'> }
);

/** Runs that recorded nothing, after which nobody tries any more. */
export const maximumRunsWithoutProgress = 5;

/** The backoff after a run that a failure ended, by how many before it recorded nothing. */
const backoffMinutes = [1, 1, 5, 15, 60];

const millisecondsPerMinute = 60_000;
const defaultRateLimitSeconds = 60;
const maximumRateLimitSeconds = 24 * 60 * 60;

/** Daily limits pass within a day; whoever is limited for three days will not be let in. */
const maximumRateLimitedMilliseconds = 3 * 24 * 60 * 60_000;

const after = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

type ImportState = Pick<Import, 'runsWithoutProgress' | 'progressedAt'>;

/** Tries again with a growing backoff, a bounded number of times. */
const retryLater = (
  reason: string,
  { runsWithoutProgress }: ImportState,
  now: Date,
): FailureDecision => {
  const minutes = backoffMinutes[runsWithoutProgress] ?? 60;
  return runsWithoutProgress >= maximumRunsWithoutProgress
    ? { reason, tenantStatus: 'import_failed' }
    : { reason, goesOnAt: after(now, minutes * millisecondsPerMinute) };
};

const decideOnPlatformFailure = (
  { reason, retryAfterSeconds }: PlatformFailure,
  state: ImportState,
  now: Date,
): FailureDecision => {
  switch (reason) {
    case 'credentials_refused':
    case 'company_not_found':
      // Where our access does not reach the company, its user alone can help.
      return { reason, tenantStatus: 'disconnected' };
    case 'rate_limited': {
      const limitedMilliseconds = now.getTime() - Date.parse(state.progressedAt);
      if (limitedMilliseconds >= maximumRateLimitedMilliseconds) {
        return { reason, tenantStatus: 'import_failed' };
      }
      const seconds = Math.min(
        retryAfterSeconds ?? defaultRateLimitSeconds,
        maximumRateLimitSeconds,
      );
      return { reason, goesOnAt: after(now, seconds * 1000) };
    }
    case 'platform_unavailable':
    case 'platform_timed_out':
      return retryLater(reason, state, now);
    default:
      return { reason, tenantStatus: 'import_failed' };
  }
};

/** What to do after this error; a fault of ours may pass like one of the platform. */
export const decideOnFailure = (error: unknown, state: ImportState, now: Date): FailureDecision => {
  if (error instanceof PlatformFailure) return decideOnPlatformFailure(error, state, now);
  if (error instanceof ImportFailure) {
    return { reason: error.reason, tenantStatus: 'import_failed' };
  }
  return retryLater('internal_error', state, now);
};
