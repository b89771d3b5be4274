// A demo company's trial balance, independent of platforms. A user can choose its failures.

import Big from 'big.js';
import { balancesAt, fiscalYearStartOf } from './balances.ts';
import type { DemoAccount } from './demo-company.ts';
import type { CompanyCall } from './dialects/dialect.ts';

export type ReportRow = { index: number; account: DemoAccount; balance: Big };

const zero = new Big(0);

/** The number of reports of each consent whose books move. */
const reportsRead = new Map<string, number>();

/** What the moved books of a consent add to the balance of the first account. */
const movedBy = ({ failure, consentId }: CompanyCall): number => {
  if (failure !== 'reports_move') return 0;
  const count = (reportsRead.get(consentId) ?? 0) + 1;
  reportsRead.set(consentId, count);
  return count;
};

/**
 * The accounts with balances at the end of a date, in the order of the chart.
 * @param period.profitFrom defaults to the start of the fiscal year
 */
export const trialBalanceRows = (
  call: CompanyCall,
  period: { to: string; from?: string; profitFrom?: string },
): ReportRow[] => {
  const { company } = call;
  const { profitFrom = fiscalYearStartOf(company, period.to) } = period;
  const balances = new Map(balancesAt(company, { ...period, profitFrom }));
  const moved = movedBy(call);
  for (const [index, sign] of [
    [0, 1],
    [1, -1],
  ] as const) {
    balances.set(index, (balances.get(index) ?? zero).plus(moved * sign));
  }
  return company.accounts.flatMap((account, index) => {
    const balance = balances.get(index) ?? zero;
    return balance.eq(0) ? [] : [{ index, account, balance }];
  });
};

/** The totals of both sides. An unbalanced report states one unit more of debits. */
export const totalsOf = ({ failure }: CompanyCall, rows: readonly ReportRow[]) => {
  const side = (sign: 1 | -1) =>
    rows
      .map(({ balance }) => balance.times(sign))
      .filter((amount) => amount.gt(0))
      .reduce((sum, amount) => sum.plus(amount), zero);
  return { debit: side(1).plus(failure === 'reports_unbalanced' ? 1 : 0), credit: side(-1) };
};
