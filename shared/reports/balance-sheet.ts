// The balance sheet: assets, liabilities and equity on a date.
//
// There are no closing entries. The profits of past fiscal years and of the current one are
// computed. Amounts posted to retained earnings are shown in a separate section.

import {
  type AccountSubtype,
  type AccountType,
  isSubtypeOf,
  subtypesByType,
} from '../accounts/accounts.ts';
import { isOfProfit } from '../accounts/line-classes.ts';
import {
  type AccountAmounts,
  amountsOf,
  assertSame,
  type StatementAccount,
  totalOf,
} from './statement-sums.ts';

export type BalanceSheetSection = AccountAmounts & { subtype: AccountSubtype | null };

export type BalanceSheetPart = { sections: BalanceSheetSection[]; total: bigint };

/** Assets are positive for a debit, liabilities and equity for a credit. */
export type BalanceSheet = {
  assets: BalanceSheetPart;
  liabilities: BalanceSheetPart;
  equity: BalanceSheetPart & { retainedEarningsComputed: bigint; currentYearEarnings: bigint };
  totalLiabilitiesAndEquity: bigint;
};

/** The accounts of a type, grouped by subtype. Accounts without a subtype come last. */
const partOf = (sums: readonly StatementAccount[], type: AccountType): BalanceSheetPart => {
  const sign = type === 'asset' ? -1n : 1n;
  const ofType = sums.filter(({ account }) => account.type === type);
  const sections = [...subtypesByType[type], null].map((subtype): BalanceSheetSection => {
    const ofSubtype = ofType.filter(({ account }) => {
      const isOne = account.subtype !== undefined && isSubtypeOf(type, account.subtype);
      return (isOne ? account.subtype : null) === subtype;
    });
    return { subtype, ...amountsOf(ofSubtype, ({ before, within }) => sign * (before + within)) };
  });
  return {
    sections: sections.filter(({ accounts }) => accounts.length > 0),
    total: sections.reduce((total, section) => total + section.total, 0n),
  };
};

/**
 * @param sums all accounts up to the date; `within` is the current fiscal year
 * @throws BooksDiffer if assets differ from liabilities and equity
 */
export const balanceSheetOf = (sums: readonly StatementAccount[]): BalanceSheet => {
  const ofProfit = sums.filter(({ account }) => isOfProfit(account));
  const retainedEarningsComputed = totalOf(ofProfit, ({ before }) => before);
  const currentYearEarnings = totalOf(ofProfit, ({ within }) => within);
  const [assets, liabilities] = [partOf(sums, 'asset'), partOf(sums, 'liability')];
  const { sections, total: posted } = partOf(sums, 'equity');
  const total = posted + retainedEarningsComputed + currentYearEarnings;
  const totalLiabilitiesAndEquity = liabilities.total + total;
  assertSame('assets, and liabilities and equity', {
    one: assets.total,
    other: totalLiabilitiesAndEquity,
  });
  const equity = { sections, total, retainedEarningsComputed, currentYearEarnings };
  return { assets, liabilities, equity, totalLiabilitiesAndEquity };
};
