// The locked period of a tenant: what is posted into it, and what is said of that.

import { type Problem, problem } from '../errors.ts';
import type { Tenant } from './tenants.ts';

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
): Problem[] =>
  isLocked(postingDate, tenant)
    ? [
        problem('period_locked', `${base}${accrualDate ? '/accrual_date' : '/date'}`, {
          posting_date: postingDate,
          lock_date: tenant.lockDate ?? '',
        }),
      ]
    : [];
