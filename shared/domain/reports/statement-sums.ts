// What financial statements are made of: each account with what it came to before a period and
// within it, and with what its lines did to cash.

import type { Account } from '../accounts.ts';
import { type DatedSheetText, rowTextsOf } from '../entries/day-sheet.ts';
import { BooksDiffer } from '../entries/entry-checks.ts';
import { hundredthsOf } from '../hundredths.ts';

/**
 * Credits less debits, in hundredths of the books' currency: what adds to profit, to liabilities
 * and to cash is positive.
 */
export type StatementSums = {
  before: bigint;
  within: bigint;
  /** The part of `within` that moved cash; none of an account that is cash itself. */
  cashEffect: bigint;
};

/** An account with its sums. */
export type StatementAccount = StatementSums & { account: Account };

/**
 * Sums by account code. Amounts in other currencies than that of the books are left out.
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
 * The sums with their accounts, in the order of codes.
 * @throws BooksDiffer where the chart lacks an account, or debits and credits of all of them differ
 */
export const withAccounts = (
  sums: ReadonlyMap<string, StatementSums>,
  chart: ReadonlyMap<string, Account>,
): StatementAccount[] => {
  const found = [...sums].map(([code, sum]): StatementAccount => {
    const account = chart.get(code);
    if (account === undefined) throw new BooksDiffer(`the chart has no account ${code}`);
    return { account, ...sum };
  });
  for (const part of ['before', 'within'] as const) {
    if (totalOf(found, (sum) => sum[part]) === 0n) continue;
    throw new BooksDiffer(`debits and credits of all accounts differ ${part} the period`);
  }
  return found.toSorted(byCode);
};

export const totalOf = <Sums extends StatementAccount>(
  sums: readonly Sums[],
  amountOf: (sums: Sums) => bigint,
): bigint => sums.reduce((total, sum) => total + amountOf(sum), 0n);

/** Accounts with an amount each, and their total. */
export type AccountAmounts = {
  accounts: { account: Account; amount: bigint }[];
  total: bigint;
};

/** The amounts of accounts, without those of which there is nothing to show. */
export const amountsOf = <Sums extends StatementAccount>(
  sums: readonly Sums[],
  amountOf: (sums: Sums) => bigint,
): AccountAmounts => ({
  accounts: sums
    .map((sum) => ({ account: sum.account, amount: amountOf(sum) }))
    .filter(({ amount }) => amount !== 0n),
  total: totalOf(sums, amountOf),
});

/** Whether the account is one of revenue or expenses, and so part of profit. */
export const isOfProfit = ({ type }: Pick<Account, 'type'>): boolean =>
  type === 'revenue' || type === 'expense';
