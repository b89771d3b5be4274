// The books that an import has recorded, in the form of a platform's trial balance.
//
// On the first day of a fiscal year, a platform moves the profit of the earlier years into retained
// earnings. Our books compute that and never post it. So for a comparison, the accounts of profit
// and loss have the movements of the fiscal year, and the account of retained earnings has the
// profit of all earlier years. Otherwise each new year would seem to double the profit.

import Big from 'big.js';
import type { JournalSeries } from '../entries/journal-entry.ts';
import { fiscalYearStartOf } from '../tenants/financial-year.ts';
import type { TrialBalance } from './trial-balance.ts';

/** Amounts by account, positive for a debit. Accounts have the ids of their platform. */
type Amounts = ReadonlyMap<string, Big>;

const zero = new Big(0);

/** Whether only imports record the entries of a series. */
export const isImported = (series: JournalSeries): boolean => series === 'IJ' || series === 'PB';

/** The retained earnings cannot be found, but the comparison needs them. */
export class RetainedEarningsMissing extends Error {}

/** @param options.yearEnd the last day of the platform's fiscal year, MM-DD */
export const openPlatformBooks = ({
  yearEnd,
  isProfitAndLoss,
  retainedEarnings,
}: {
  yearEnd: string;
  isProfitAndLoss: (accountId: string) => boolean;
  retainedEarnings: string | undefined;
}) => {
  const all = new Map<string, Big>();
  /** The movements before the fiscal year of the last date, for the accounts of profit and loss. */
  const earlier = new Map<string, Big>();
  let yearStart = '';

  const add = (to: Map<string, Big>, accountId: string, amount: Big): void => {
    to.set(accountId, (to.get(accountId) ?? zero).plus(amount));
  };

  const beginYearOf = (date: string): void => {
    const start = fiscalYearStartOf({ date, yearEnd });
    if (start === yearStart) return;
    if (start < yearStart) throw new Error('the dates of books must ascend');
    yearStart = start;
    for (const [accountId, amount] of all) {
      if (isProfitAndLoss(accountId)) earlier.set(accountId, amount);
    }
  };

  return {
    /** Adds a movement. The dates must ascend. */
    add: (movement: { date: string; accountId: string; amount: Big }): void => {
      beginYearOf(movement.date);
      add(all, movement.accountId, movement.amount);
    },

    /**
     * The balances at the end of a date, after all movements until then were added.
     * @throws RetainedEarningsMissing
     */
    balancesAt: (date: string, { profitSince }: Pick<TrialBalance, 'profitSince'>): Amounts => {
      beginYearOf(date);
      const balances = new Map(all);
      if (profitSince === 'start_of_books') return balances;
      for (const [accountId, amount] of earlier) {
        if (amount.eq(0)) continue;
        if (retainedEarnings === undefined) throw new RetainedEarningsMissing();
        add(balances, accountId, amount.times(-1));
        add(balances, retainedEarnings, amount);
      }
      return balances;
    },
  };
};
/** What the books of each account lack. Accounts that lack nothing are omitted. */
export const differencesBetween = (platform: Amounts, ours: Amounts): Map<string, Big> =>
  new Map(
    [...new Set([...platform.keys(), ...ours.keys()])].flatMap((accountId) => {
      const difference = (platform.get(accountId) ?? zero).minus(ours.get(accountId) ?? zero);
      return difference.eq(0) ? [] : [[accountId, difference] as const];
    }),
  );
