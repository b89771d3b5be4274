// What is done about an import whose run could not go on: another run later, or the end of it.

import { PlatformFailure } from '#shared/platforms/platform.ts';
import type { Import } from '#shared/store/imports.ts';
import type { TenantStatus } from '#shared/store/tenant-status.ts';
import { ImportFailure } from './pages.ts';

/** How a run ended before the import did. `until` is when it goes on; without it, it has failed. */
export type Ending = { reason: string; tenantStatus: TenantStatus; until?: Date };

/** Runs that recorded nothing, after which nobody tries any more. */
export const mostFruitlessRuns = 5;

/** Pauses after a run that a failure ended, by how many before it recorded nothing. */
const pausesMinutes = [1, 1, 5, 15, 60];

const millisecondsPerMinute = 60_000;
const usualLimitSeconds = 60;
const longestLimitSeconds = 24 * 60 * 60;

/** Daily limits pass within a day; whoever is limited for three days will not be let in. */
const patienceWithLimitsMilliseconds = 3 * 24 * 60 * 60_000;

const after = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

type Standing = Pick<Import, 'fruitlessRuns' | 'progressedAt'>;

/** Tries again at growing distances, a bounded number of times. */
const again = (reason: string, { fruitlessRuns }: Standing, now: Date): Ending => {
  const failed = { reason, tenantStatus: 'import_failed' } as const;
  const minutes = pausesMinutes[fruitlessRuns] ?? 60;
  return fruitlessRuns >= mostFruitlessRuns
    ? failed
    : { ...failed, until: after(now, minutes * millisecondsPerMinute) };
};

const endingOfPlatformFailure = (
  { reason, retryAfterSeconds }: PlatformFailure,
  standing: Standing,
  now: Date,
): Ending => {
  switch (reason) {
    case 'credentials_refused':
      return { reason, tenantStatus: 'disconnected' };
    case 'rate_limited': {
      const isPatient =
        now.getTime() - Date.parse(standing.progressedAt) < patienceWithLimitsMilliseconds;
      if (!isPatient) return { reason, tenantStatus: 'import_failed' };
      const seconds = Math.min(retryAfterSeconds ?? usualLimitSeconds, longestLimitSeconds);
      return { reason, tenantStatus: 'importing', until: after(now, seconds * 1000) };
    }
    case 'platform_unavailable':
    case 'platform_timed_out':
      return again(reason, standing, now);
    default:
      return { reason, tenantStatus: 'import_failed' };
  }
};

/** What to do after this error; a fault of ours may pass like one of the platform. */
export const endingOf = (error: unknown, standing: Standing, now: Date): Ending => {
  if (error instanceof PlatformFailure) return endingOfPlatformFailure(error, standing, now);
  if (error instanceof ImportFailure) {
    return { reason: error.reason, tenantStatus: 'import_failed' };
  }
  return again('internal_error', standing, now);
};
