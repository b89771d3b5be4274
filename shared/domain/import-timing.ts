// When an import goes on: how long a run's lease lasts, how long a start may take, how often
// somebody looks at what is due, and what holds if a clock has jumped.

import { isWithin } from './elapsed-time.ts';

/** How long a run keeps its import after it last renewed its lease. */
export const leaseMilliseconds = 60_000;

/** How long the stream may take to start what is requested, before it is asked for again. */
export const startTimeoutMilliseconds = 10 * 60_000;

/** A start takes seconds. One that takes longer waits behind others, or was lost. */
const usualStartMilliseconds = 60_000;

/** How often resume-imports looks for imports that are due. */
export const resumeEveryMinutes = 1;

/** The clocks of two machines differ by less than this. */
export const clockToleranceMilliseconds = 60_000;

/**
 * The moment at which somebody looks at an import, and the moment at which that was decided;
 * `null` for imports of before the second one was stored.
 */
export type DueMoment = { dueAt: string; setAt: string | null };

/** The first moment of which a machine of now cannot say that it is past or present. */
export const aheadOf = (now: Date): string =>
  new Date(now.getTime() + clockToleranceMilliseconds).toISOString();

/**
 * Whether somebody has to look at the import now. What was decided at a moment that is still to
 * come was decided by a clock that ran ahead: nobody waits until then.
 */
export const isDue = ({ dueAt, setAt }: DueMoment, now: Date): boolean =>
  dueAt <= now.toISOString() || isSetAhead(setAt, now);

export const isSetAhead = (setAt: string | null, now: Date): boolean =>
  setAt !== null && setAt > aheadOf(now);

/** The next moment at which resume-imports looks at the import, if it runs as it should. */
export const nextLookAt = (due: DueMoment, now: Date): string => {
  if (!isDue(due, now)) return due.dueAt;
  const interval = resumeEveryMinutes * 60_000;
  const overdue = isSetAhead(due.setAt, now) ? 0 : now.getTime() - Date.parse(due.dueAt);
  return new Date(now.getTime() + interval - (overdue % interval)).toISOString();
};

/** Why nobody is at an import that is requested or running; `undefined` if somebody is. */
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
