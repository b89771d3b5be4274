// The balance sheet: assets, liabilities and equity on a date.
//
// There are no closing entries. Retained earnings are computed: the profits of all years, less what
// was distributed, and what was posted to accounts of retained earnings.

import {
  type Account,
  type AccountSubtype,
  type AccountType,
  isSubtypeOf,
  nonCurrentSubtypes,
  subtypesByType,
} from '../accounts/accounts.ts';
import { isOfProfit } from '../accounts/line-classes.ts';
import { thousandthsOf } from '../money/thousandths.ts';
import {
  type AccountAmounts,
  amountsOf,
  assertSame,
  type StatementAccount,
  totalOf,
} from './statement-sums.ts';

export type BalanceSheetSection = AccountAmounts & { subtype: AccountSubtype | null };

export type BalanceSheetPart = { sections: BalanceSheetSection[]; total: bigint };

/** Accounts without a subtype are neither current nor non-current. */
export type DividedPart = {
  current: BalanceSheetPart;
  nonCurrent: BalanceSheetPart;
  withoutSubtype: AccountAmounts;
  total: bigint;
};

/** Retained earnings in the fiscal year. Increases are positive. */
export type RetainedEarnings = {
  opening: bigint;
  profit: bigint;
  distributions: bigint;
  otherMovements: bigint;
  closing: bigint;
  /** The part of `closing` that is posted to accounts. */
  posted: AccountAmounts;
};

/** Assets are positive for a debit, liabilities and equity for a credit. */
export type BalanceSheet = {
  assets: DividedPart;
  liabilities: DividedPart;
  equity: BalanceSheetPart & { retainedEarnings: RetainedEarnings };
  totalLiabilitiesAndEquity: bigint;
};

/** The sections of equity besides retained earnings. */
export const equitySubtypes: readonly (AccountSubtype | null)[] = [
  ...subtypesByType.equity.filter((it) => it !== 'retained_earnings' && it !== 'distributions'),
  null,
];

export const subtypeOf = ({
  account: { type, subtype },
}: StatementAccount): AccountSubtype | null =>
  subtype !== undefined && isSubtypeOf(type, subtype) ? subtype : null;

type Balance = { account: Account; subtype: AccountSubtype | null; amount: bigint };

/** The balance of an account, and the part of it that is due within a year. */
const balancesOf = (sum: StatementAccount): Balance[] => {
  const { account, before, within } = sum;
  const amount = (account.type === 'asset' ? -1n : 1n) * (before + within);
  const subtype = subtypeOf(sum);
  const current = subtype && nonCurrentSubtypes[subtype];
  if (!current) return [{ account, subtype, amount }];
  const due = thousandthsOf(account.currentPart ?? '');
  const least = amount < due ? amount : due;
  const part = least < 0n ? 0n : least;
  return [
    { account, subtype: current, amount: part },
    { account, subtype, amount: amount - part },
  ];
};

/** The accounts of a type, grouped by subtype, with their balances. */
const sectionsOf = (
  sums: readonly StatementAccount[],
  { type, subtypes }: { type: AccountType; subtypes: readonly (AccountSubtype | null)[] },
): BalanceSheetPart => {
  const balances = sums.filter(({ account }) => account.type === type).flatMap(balancesOf);
  const sections = subtypes.map((subtype): BalanceSheetSection => {
    const accounts = balances
      .filter((balance) => balance.subtype === subtype)
      .map(({ account, amount }) => ({ account, amount }));
    return { subtype, accounts, total: accounts.reduce((sum, { amount }) => sum + amount, 0n) };
  });
  return {
    sections,
    total: sections.reduce((total, section) => total + section.total, 0n),
  };
};

const dividedPartOf = (
  sums: readonly StatementAccount[],
  type: 'asset' | 'liability',
): DividedPart => {
  const subtypes: readonly AccountSubtype[] = subtypesByType[type];
  const isNonCurrent = (subtype: AccountSubtype) => nonCurrentSubtypes[subtype] !== undefined;
  const partOf = (ofPart: readonly (AccountSubtype | null)[]) =>
    sectionsOf(sums, { type, subtypes: ofPart });
  const current = partOf(subtypes.filter((it) => !isNonCurrent(it)));
  const nonCurrent = partOf(subtypes.filter(isNonCurrent));
  const { sections, total } = partOf([null]);
  const withoutSubtype = { accounts: sections.flatMap(({ accounts }) => accounts), total };
  return {
    current,
    nonCurrent,
    withoutSubtype,
    total: current.total + nonCurrent.total + total,
  };
};

const isRetained = (sum: StatementAccount): boolean => {
  const subtype = subtypeOf(sum);
  return subtype === 'retained_earnings' || subtype === 'distributions';
};

/** @param sums all accounts; `within` is the fiscal year up to the date */
export const retainedEarningsOf = (sums: readonly StatementAccount[]): RetainedEarnings => {
  const ofProfit = sums.filter(({ account }) => isOfProfit(account));
  const posted = sums.filter(isRetained);
  const withinOf = (subtype: AccountSubtype) =>
    totalOf(
      posted.filter((sum) => subtypeOf(sum) === subtype),
      ({ within }) => within,
    );
  const opening = totalOf([...ofProfit, ...posted], ({ before }) => before);
  const profit = totalOf(ofProfit, ({ within }) => within);
  const distributions = withinOf('distributions');
  const otherMovements = withinOf('retained_earnings');
  return {
    opening,
    profit,
    distributions,
    otherMovements,
    closing: opening + profit + distributions + otherMovements,
    posted: amountsOf(posted, ({ before, within }) => before + within),
  };
};

/**
 * @param sums all accounts up to the date; `within` is the current fiscal year
 * @throws BooksDiffer if assets differ from liabilities and equity
 */
export const balanceSheetOf = (sums: readonly StatementAccount[]): BalanceSheet => {
  const [assets, liabilities] = [dividedPartOf(sums, 'asset'), dividedPartOf(sums, 'liability')];
  const retainedEarnings = retainedEarningsOf(sums);
  const { sections, total: ofOthers } = sectionsOf(sums, {
    type: 'equity',
    subtypes: equitySubtypes,
  });
  const total = ofOthers + retainedEarnings.closing;
  const totalLiabilitiesAndEquity = liabilities.total + total;
  assertSame('assets, and liabilities and equity', {
    one: assets.total,
    other: totalLiabilitiesAndEquity,
  });
  const equity = { sections, total, retainedEarnings };
  return { assets, liabilities, equity, totalLiabilitiesAndEquity };
};
