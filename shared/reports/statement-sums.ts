// The sums for financial statements: each account before and within a period, and its cash effect.

import type { Account } from '../accounts/accounts.ts';
import { BooksDiffer } from '../entries/entry-checks.ts';
import { hundredthsOf } from '../money/hundredths.ts';
import { type DatedSheetText, rowTextsOf } from '../sheets/day-sheet.ts';

/**
 * Credits less debits, in hundredths of the book currency. Increases of profit, liabilities and
 * cash are positive.
 */
export type StatementSums = {
  before: bigint;
  within: bigint;
  /** The part of `within` that moved cash. Zero for cash accounts. */
  cashEffect: bigint;
};

export type StatementAccount = StatementSums & { account: Account };

/**
 * Sums book amounts by account code.
 * @param from the first date of the period
 */
export const sumStatementSheets = (
  sheets: readonly Pick<DatedSheetText, 'date' | 'rows'>[],
  from: string,
): ReadonlyMap<string, StatementSums> => {
  const sums = new Map<string, StatementSums>();
  for (const { date, rows } of sheets) {
    const isBefore = date < from;
    for (const [account, currency, debit, credit, cashEffect] of rowTextsOf(rows)) {
      if (currency !== '') continue;
      let sum = sums.get(account);
      if (sum === undefined) {
        sum = { before: 0n, within: 0n, cashEffect: 0n };
        sums.set(account, sum);
      }
      const amount = hundredthsOf(credit) - hundredthsOf(debit);
      if (isBefore) {
        sum.before += amount;
        continue;
      }
      sum.within += amount;
      sum.cashEffect += hundredthsOf(cashEffect);
    }
  }
  return sums;
};

const byCode = (one: StatementAccount, other: StatementAccount): number =>
  one.account.code < other.account.code ? -1 : 1;

/**
 * Joins the sums with their accounts, ordered by code.
 * @throws BooksDiffer if the chart lacks an account, or if total debits and credits differ
 */
export const withAccounts = (
  sums: ReadonlyMap<string, StatementSums>,
  chart: ReadonlyMap<string, Account>,
): StatementAccount[] => {
  const joined = [...sums].map(([code, sum]): StatementAccount => {
    const account = chart.get(code);
    if (account === undefined) throw new BooksDiffer(`the chart has no account ${code}`);
    return { account, ...sum };
  });
  for (const part of ['before', 'within'] as const) {
    if (totalOf(joined, (sum) => sum[part]) === 0n) continue;
    throw new BooksDiffer(`debits and credits of all accounts differ ${part} the period`);
  }
  return joined.toSorted(byCode);
};

export const totalOf = <Sums extends StatementAccount>(
  sums: readonly Sums[],
  amountOf: (sums: Sums) => bigint,
): bigint => sums.reduce((total, sum) => total + amountOf(sum), 0n);

export type AccountAmounts = {
  accounts: { account: Account; amount: bigint }[];
  total: bigint;
};

/** The amounts of accounts, without zeros, and their total. */
export const amountsOf = <Sums extends StatementAccount>(
  sums: readonly Sums[],
  amountOf: (sums: Sums) => bigint,
): AccountAmounts => ({
  accounts: sums
    .map((sum) => ({ account: sum.account, amount: amountOf(sum) }))
    .filter(({ amount }) => amount !== 0n),
  total: totalOf(sums, amountOf),
});

export const isOfProfit = ({ type }: Pick<Account, 'type'>): boolean =>
  type === 'revenue' || type === 'expense';
