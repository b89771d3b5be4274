// The rules for when a platform's trial balance is believed.

import type Big from 'big.js';
import type { TrialBalance, TrialBalanceRow } from '../balances/trial-balance.ts';
import { type Sides, totalOf } from '../money/sides.ts';
import { PlatformFailure } from './platform.ts';
import { Decimal } from './replies.ts';

/** A row as a platform reports it. A computed row has no account. */
export type ReportedRow = Omit<TrialBalanceRow, 'accountId' | 'balance'> &
  Sides & { accountId: string | null };

/** @throws PlatformFailure `report_refused` */
export const refuseReport = (problem: string): never => {
  throw new PlatformFailure('report_refused', { cause: new Error(`a report ${problem}`) });
};

/**
 * The amount in a cell. An empty cell is zero.
 * @throws PlatformFailure `report_refused`
 */
export const reportAmount = (cell: string | number | null | undefined): Big => {
  const { data } = Decimal.safeParse(cell === '' ? '0' : (cell ?? '0'));
  return data ?? refuseReport('has an amount that cannot be read');
};

const totalsOf = (rows: readonly ReportedRow[]): Sides => ({
  debit: totalOf(rows, 'debit'),
  credit: totalOf(rows, 'credit'),
});

const isBalanced = ({ debit, credit }: Sides): boolean => debit.eq(credit);

/** Whether both sides of the rows have these totals. */
const addUpTo = (rows: readonly ReportedRow[], stated: Sides): boolean => {
  const { debit, credit } = totalsOf(rows);
  return debit.eq(stated.debit) && credit.eq(stated.credit);
};

/** An account that a platform computes has no id, so its name identifies it. */
const computedIdOf = ({ name }: ReportedRow): string => `computed:${name.toLowerCase()}`;

/**
 * The trial balance of a report, if the report can be believed: both sides are equal, and the rows
 * add up to the totals that the report states. Rows without an account that are not part of these
 * totals repeat other rows, for example the earnings of the current year, and are left out.
 * @param report.stated the totals in the report; undefined if it has none
 * @throws PlatformFailure `report_refused`
 */
export const trialBalanceOf = (report: {
  rows: readonly ReportedRow[];
  stated: Sides | undefined;
  profitSince: TrialBalance['profitSince'];
}): TrialBalance => {
  const ofAccounts = report.rows.filter(({ accountId }) => accountId !== null);
  const own = totalsOf(ofAccounts);
  const stated = report.stated ?? (isBalanced(own) ? own : totalsOf(report.rows));
  if (!isBalanced(stated)) return refuseReport('does not balance');
  const counted = [ofAccounts, report.rows].find((rows) => addUpTo(rows, stated));
  if (counted === undefined) return refuseReport('does not add up to its totals');
  const rows = counted.map((row): TrialBalanceRow => {
    const { name, type, accountId, debit, credit } = row;
    const balance = debit.minus(credit);
    return { name, type, accountId: accountId ?? computedIdOf(row), balance };
  });
  const ids = new Set(rows.map(({ accountId }) => accountId));
  if (ids.size < rows.length) return refuseReport('has an account twice');
  return { rows, total: stated.debit, profitSince: report.profitSince };
};
