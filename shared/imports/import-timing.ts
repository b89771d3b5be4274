// The timing of imports: the lease of a run, the timeout of a start, the interval of checks, and
// the tolerance for clocks that jump.

import { isWithin } from '../money/dates.ts';

/** A run loses its import if it does not renew its lease within this time. */
export const leaseMilliseconds = 60_000;

/** A requested import that has not started within this time is requested again. */
export const startTimeoutMilliseconds = 10 * 60_000;

/** A start takes seconds. If it takes longer, it waits for other imports or was lost. */
export const usualStartMilliseconds = 60_000;

/** The interval at which resume-imports runs. */
export const resumeEveryMinutes = 1;

/**
 * If more imports than this are unfinished, they take turns: a run gives way at the end of its
 * turn, and every minute this number of imports continues. The other executions are free for the
 * first turns of new imports.
 */
export const importsInTurn = 16;

/** How many imports that gave way continue in a minute, if others have not started yet. */
export const continuedBeside = (notStarted: number): number =>
  Math.max(importsInTurn / 4, importsInTurn - notStarted);

/** The assumed maximum difference between the clocks of two machines. */
const clockToleranceMilliseconds = 60_000;

/**
 * When resume-imports next checks on an import, and when that time was set. `setAt` is null for
 * older imports, which did not store it.
 */
type DueMoment = { dueAt: string; setAt: string | null };

/** A time after this one is in the future for every clock. */
export const aheadOf = (now: Date): string =>
  new Date(now.getTime() + clockToleranceMilliseconds).toISOString();

/**
 * Whether the import must be checked now. If `setAt` is in the future, the clock that set `dueAt`
 * ran ahead, so the import is due immediately.
 */
export const isDue = ({ dueAt, setAt }: DueMoment, now: Date): boolean =>
  dueAt <= now.toISOString() || isSetAhead(setAt, now);

export const isSetAhead = (setAt: string | null, now: Date): boolean =>
  setAt !== null && setAt > aheadOf(now);

/** When resume-imports next checks on the import, if it runs on schedule. */
export const nextLookAt = (due: DueMoment, now: Date): string => {
  if (!isDue(due, now)) return due.dueAt;
  const interval = resumeEveryMinutes * 60_000;
  const overdue = isSetAhead(due.setAt, now) ? 0 : now.getTime() - Date.parse(due.dueAt);
  return new Date(now.getTime() + interval - (overdue % interval)).toISOString();
};

/** Why an unfinished import makes no progress; `undefined` if it does. */
export const stopReasonOf = (
  { status, ...due }: DueMoment & { status: 'requested' | 'running' },
  now: Date,
): 'run_stopped' | 'start_delayed' | undefined => {
  if (status === 'running') return isDue(due, now) ? 'run_stopped' : undefined;
  const requestedAt = Date.parse(due.dueAt) - startTimeoutMilliseconds;
  return isWithin(usualStartMilliseconds, { since: requestedAt, now: now.getTime() })
    ? undefined
    : 'start_delayed';
};
