// The locked period of a tenant: all posting dates up to its lock date.

import * as z from 'zod/mini';
import { type Problem, problem } from '../errors.ts';
import type { Tenant } from './tenants.ts';

/** The lock date of a stored tenant. */
export const Locked = z.object({ lockDate: z.optional(z.string()) });

/**
 * A post reads the tenant when it starts and does not check the lock again when it writes, because
 * then all dates of a tenant would contend for one item. So a lock takes effect after a delay, once
 * every post that started without it has ended, even one that timed out (orphaned-work.ts). The
 * delay starts before the lock is written. It must be longer than that write plus the longest post
 * or import batch; limits.test.ts relates it to their limits.
 */
export const lockDelaySeconds = 40;

/** The last locked posting date, and when the lock takes effect. */
export type PeriodLock = { lockDate: string; lockedFrom: string };

export const isLocked = (postingDate: string, { lockDate }: Pick<Tenant, 'lockDate'>): boolean =>
  lockDate !== undefined && postingDate <= lockDate;

/**
 * Refuses an entry whose posting date is locked. The problem points at the field that sets the
 * date.
 * @param base pointer to the entry; empty if the entry is the whole request
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

/** Whether the new lock date locks more days. */
export const isLockForward = (lockDate: string, tenant: Pick<Tenant, 'lockDate'>): boolean =>
  tenant.lockDate === undefined || lockDate > tenant.lockDate;

/**
 * The lock after a move to another date. A lock that moves back takes effect immediately, because
 * its days are already locked. If the previous lock is not in effect yet, its time stays.
 */
export const lockMovedTo = (
  lockDate: string,
  { tenant, now }: { tenant: Pick<Tenant, 'lockDate' | 'lockedFrom'>; now: Date },
): PeriodLock => {
  const afterDelay = new Date(now.getTime() + lockDelaySeconds * 1000).toISOString();
  if (isLockForward(lockDate, tenant)) return { lockDate, lockedFrom: afterDelay };
  const { lockedFrom = '' } = tenant;
  const moment = now.toISOString();
  // A clock that ran ahead may have set `lockedFrom` too late; a lock set now takes effect first.
  const latest = lockedFrom < afterDelay ? lockedFrom : afterDelay;
  return { lockDate, lockedFrom: latest > moment ? latest : moment };
};
