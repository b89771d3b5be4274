// The accounts of financial statements, with their sums before and within a period.

import type { Account } from '../accounts/accounts.ts';
import { BooksDiffer } from '../entries/entry-checks.ts';
import { formatThousandths } from '../money/thousandths.ts';
import { type AccountSums, balanceOf, noSides } from '../sheets/sheet-sums.ts';

/**
 * Credits less debits, in thousandths of the book currency. Increases of profit, liabilities and
 * cash are positive.
 */
export type StatementAccount = {
  account: Account;
  before: bigint;
  within: bigint;
  /** The cash flows of the period. Zero for cash accounts. */
  cashEffect: bigint;
  /** The part of transactions of the period without cash. */
  nonCash: bigint;
  /** The part of accumulated depreciation that went with disposals. */
  disposed: bigint;
};

const noSums = { before: noSides, within: noSides, cashEffect: 0n, nonCash: 0n, disposed: 0n };

/** The codes of the accounts with sums, in order. */
export const codesIn = (sums: readonly AccountSums[]): string[] =>
  [...new Set(sums.map(({ account }) => account))].toSorted();

/**
 * Joins book amounts with their accounts.
 * @param codes the accounts to show, also those without sums
 * @throws BooksDiffer if the chart lacks an account
 */
export const statementAccountsOf = (
  sums: readonly AccountSums[],
  chart: ReadonlyMap<string, Account>,
  codes: readonly string[],
): StatementAccount[] => {
  const booked = new Map(
    sums.filter(({ currency }) => currency === null).map((sum) => [sum.account, sum]),
  );
  return codes.map((code) => {
    const account = chart.get(code);
    if (account === undefined) throw new BooksDiffer(`the chart has no account ${code}`);
    const { before, within, cashEffect, nonCash, disposed } = booked.get(code) ?? noSums;
    const [opening, movement] = [-balanceOf(before), -balanceOf(within)];
    return { account, before: opening, within: movement, cashEffect, nonCash, disposed };
  });
};

/** @throws BooksDiffer if the amounts differ */
export const assertSame = (name: string, amounts: { one: bigint; other: bigint }): void => {
  if (amounts.one === amounts.other) return;
  const [one, other] = [amounts.one, amounts.other].map(formatThousandths);
  throw new BooksDiffer(`${name}: ${one} and ${other}`);
};

export const totalOf = <Sums extends StatementAccount>(
  sums: readonly Sums[],
  amountOf: (sums: Sums) => bigint,
): bigint => sums.reduce((total, sum) => total + amountOf(sum), 0n);

export type AccountAmounts = {
  accounts: { account: Account; amount: bigint }[];
  total: bigint;
};

/** The amounts of accounts, and their total. */
export const amountsOf = <Sums extends StatementAccount>(
  sums: readonly Sums[],
  amountOf: (sums: Sums) => bigint,
): AccountAmounts => ({
  accounts: sums.map((sum) => ({ account: sum.account, amount: amountOf(sum) })),
  total: totalOf(sums, amountOf),
});
