// The locked period of a tenant: what is posted into it, and what moves it.

import { type Problem, problem } from '../errors.ts';
import type { Tenant } from './tenants.ts';

/**
 * Posts read the tenant when they begin, and nothing checks it again when they are written: that
 * would join all dates of a tenant in one item. So a lock is in force once every post is over that
 * had begun without it, also one that ran out of time (orphaned-work.ts). It is counted from before
 * the lock is written: it is longer than that takes and a post lives after it, or a batch of an
 * import, to whose limits infra/limits.ts relates it.
 */
export const lockDelaySeconds = 40;

/** The last posting date that is locked, and since when nothing is posted into the period. */
export type PeriodLock = { lockDate: string; lockedFrom: string };

/** Whether what counts on a posting date is in the locked period. */
export const isLocked = (postingDate: string, { lockDate }: Pick<Tenant, 'lockDate'>): boolean =>
  lockDate !== undefined && postingDate <= lockDate;

/**
 * What is wrong with an entry that would count on a locked date: at the field that decides on it.
 * @param base pointer to the entry, which is empty where the entry is the whole request
 */
export const lockProblems = (
  { postingDate, accrualDate }: { postingDate: string; accrualDate: string | null | undefined },
  tenant: Pick<Tenant, 'lockDate'>,
  base = '',
): Problem[] => {
  const { lockDate } = tenant;
  if (lockDate === undefined || !isLocked(postingDate, { lockDate })) return [];
  const pointer = `${base}${accrualDate ? '/accrual_date' : '/date'}`;
  return [problem('period_locked', pointer, { posting_date: postingDate, lock_date: lockDate })];
};

/** Whether a date locks days that are not locked yet. */
export const isLockForward = (lockDate: string, tenant: Pick<Tenant, 'lockDate'>): boolean =>
  tenant.lockDate === undefined || lockDate > tenant.lockDate;

/**
 * The lock of a tenant once it is moved to another date. Moved back it holds at once, for what it
 * still locks was locked before; unless that itself was not in force yet.
 */
export const lockMovedTo = (
  lockDate: string,
  { tenant, now }: { tenant: Pick<Tenant, 'lockDate' | 'lockedFrom'>; now: Date },
): PeriodLock => {
  const inForce = new Date(now.getTime() + lockDelaySeconds * 1000).toISOString();
  if (isLockForward(lockDate, tenant)) return { lockDate, lockedFrom: inForce };
  const { lockedFrom = '' } = tenant;
  const moment = now.toISOString();
  // A lock that was set before is in force when one of now is, though a clock ahead says otherwise.
  const latest = lockedFrom < inForce ? lockedFrom : inForce;
  return { lockDate, lockedFrom: latest > moment ? latest : moment };
};
