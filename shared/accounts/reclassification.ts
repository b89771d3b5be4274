// The classification of accounts over time. A change counts from a date after the locked period, so
// statements of the locked period stay as they were.

import { isDeepStrictEqual } from 'node:util';
import { type Problem, problem } from '../errors.ts';
import { addDays } from '../money/dates.ts';
import { isLocked } from '../tenants/period-lock.ts';
import type { Tenant } from '../tenants/tenants.ts';
import type { Account } from './accounts.ts';

export type Classification = Pick<Account, 'subtype' | 'cashFlow' | 'currentPart'>;

/** More changes of one account are a mistake, and each takes space in its item. */
export const maximumClassifications = 100;

export const classificationIn = (of: Classification): Classification => ({
  subtype: of.subtype,
  cashFlow: of.cashFlow,
  currentPart: of.currentPart,
});

/** The account with its classification on a date. */
export const classifiedOn = (account: Account, date: string): Account => {
  const earlier = account.earlier?.find(({ before }) => date < before);
  if (earlier === undefined) return account;
  return { ...account, ...classificationIn(earlier) };
};

/**
 * The accounts with their classifications on a date.
 * @param partDate the date of the current parts, which differ in the columns of a statement
 */
export const accountsClassifiedOn = (
  accounts: ReadonlyMap<string, Account>,
  date: string,
  partDate: string,
): ReadonlyMap<string, Account> => {
  if (![...accounts.values()].some(({ earlier }) => earlier !== undefined)) return accounts;
  const onDates = (account: Account): Account => {
    const { currentPart } = classifiedOn(account, partDate);
    return { ...classifiedOn(account, date), currentPart };
  };
  return new Map([...accounts].map(([code, account]) => [code, onDates(account)]));
};

/**
 * Changes the classification of an account.
 * @param from the first date of the new classification; from the beginning if it is undefined
 */
export const reclassified = (
  { earlier: all = [], ...account }: Account,
  to: Classification,
  from: string | undefined,
): Account => {
  const changed = { ...account, ...to };
  if (from === undefined) return changed;
  const until = classificationIn(classifiedOn({ ...account, earlier: all }, addDays(from, -1)));
  const kept = all.filter(({ before }) => before < from);
  const isSame = isDeepStrictEqual(until, classificationIn(to));
  const earlier = isSame ? kept : [...kept, { before: from, ...until }];
  return earlier.length === 0 ? changed : { ...changed, earlier };
};

/** The first date of a change: by default the day after the lock, or the beginning without one. */
export const firstDateOfChange = (
  effectiveFrom: string | undefined,
  { lockDate }: Pick<Tenant, 'lockDate'>,
): string | undefined =>
  effectiveFrom ?? (lockDate === undefined ? undefined : addDays(lockDate, 1));

export const problemsOfEffectiveDate = (
  effectiveFrom: string | undefined,
  {
    isReclassified,
    tenant,
    today,
  }: { isReclassified: boolean; tenant: Pick<Tenant, 'lockDate'> | undefined; today: string },
): Problem[] => {
  if (effectiveFrom === undefined) return [];
  const at = '/effective_from';
  const { lockDate = '' } = tenant ?? {};
  const params = { effective_from: effectiveFrom };
  return [
    ...(isReclassified ? [] : [problem('effective_from_needs_classification', at)]),
    ...(isLocked(effectiveFrom, { ...tenant })
      ? [problem('effective_from_locked', at, { ...params, lock_date: lockDate })]
      : []),
    ...(effectiveFrom > today
      ? [problem('effective_from_after_today', at, { ...params, today })]
      : []),
  ];
};
