// The statement of cash flows: what moved cash in a period, by the direct or the indirect method
// (IAS 7.18, ASC 230-10-45-25). Only the operating section differs between them.
//
// E is the cash effect of an account: credits less debits of its lines in entries that touch cash.
// In every such entry it adds up, over the accounts that are not cash, to the movement of cash. So
// the sections, which part E among them, come to what cash moved by. (Movements as such do not: a
// machine that was bought on credit would be an investing outflow and an operating inflow.)
//
// Why the operating totals of both methods are the same: let M be the credits less debits of all of
// an account's lines, and N = M - E, which adds up to nothing over the accounts that are not cash,
// since entries that do not touch cash balance without it. Let P be the operating accounts of
// revenue and expenses, B the operating ones of the balance sheet, K accumulated depreciation and
// the like, F exchange differences, and X all others. Profit is M of P, of F and of what is of
// profit in X and in cash. Without these last, and without E of F, it is M(P) + N(F). With the
// movements M(B) + N(K), and with N(X) as what was invested and financed without cash, that is
//   M(P) + M(B) + N(F) + N(K) + N(X)
//     = E(P) + E(B) + N(P) + N(B) + N(F) + N(K) + N(X) = E(P) + E(B).

import { type Account, type CashFlowClass, isCash, normalBalanceOf } from '../accounts.ts';
import { BooksDiffer } from '../entries/entry-checks.ts';
import { formatHundredths } from '../hundredths.ts';
import type { Tenant } from '../tenants.ts';
import {
  type AccountAmounts,
  amountsOf,
  isOfProfit,
  type StatementAccount,
  totalOf,
} from './statement-sums.ts';

export type DirectOperating = AccountAmounts & { method: 'direct' };

export type IndirectOperating = {
  method: 'indirect';
  profit: bigint;
  itemsOfOtherSections: AccountAmounts;
  movements: AccountAmounts;
  nonCashInvestingAndFinancing: bigint;
  total: bigint;
};

/** What flows in is positive. */
export type CashFlow = {
  operating: DirectOperating | IndirectOperating;
  investing: AccountAmounts;
  financing: AccountAmounts;
  effectOfExchangeRates: bigint;
  unclassified: AccountAmounts;
  netChange: bigint;
  openingCash: bigint;
  closingCash: bigint;
  cashAccounts: { account: Account; opening: bigint; closing: bigint }[];
};

/**
 * Accumulated depreciation and amortisation. In an entry that touches cash it is part of the
 * disposal of an asset, whatever its class; without cash it takes depreciation out of profit.
 */
const isAccumulated = (account: Account): boolean =>
  (account.subtype === 'fixed_asset' || account.subtype === 'intangible_asset') &&
  normalBalanceOf(account) === 'credit';

/** What an account is in this statement: mostly its class. */
type Group = CashFlowClass | 'unclassified' | 'accumulated' | 'exchangeDifferences';

const groupOf = (account: Account): Group => {
  if (isCash(account)) return 'cash';
  if (account.role === 'fx_gain_loss' && isOfProfit(account)) return 'exchangeDifferences';
  return isAccumulated(account) ? 'accumulated' : (account.cashFlow ?? 'unclassified');
};
type GroupedAccount = StatementAccount & { group: Group };

const cashEffectOf = ({ cashEffect }: StatementAccount): bigint => cashEffect;

/** The accounts of some groups, with what they did to cash. */
const effectsIn = (
  accounts: readonly GroupedAccount[],
  ...groups: readonly Group[]
): AccountAmounts =>
  amountsOf(
    accounts.filter(({ group }) => groups.includes(group)),
    cashEffectOf,
  );

const isOfOthers = ({ group }: GroupedAccount): boolean =>
  group === 'investing' || group === 'financing' || group === 'unclassified';

/**
 * What takes the part of profit out that is none of operating cash flows. A cash account is part of
 * profit where its platform has made an account of revenue or expenses of it: it stays cash.
 */
const itemOf = (account: GroupedAccount): bigint => {
  if (account.group === 'exchangeDifferences') return -account.cashEffect;
  const isOther = isOfOthers(account) || account.group === 'cash';
  return isOther && isOfProfit(account.account) ? -account.within : 0n;
};

const nonCashOf = ({ within, cashEffect }: GroupedAccount): bigint => within - cashEffect;

const movementOf = (account: GroupedAccount): bigint => {
  if (account.group === 'accumulated') return nonCashOf(account);
  return account.group === 'operating' && !isOfProfit(account.account) ? account.within : 0n;
};

const indirectOf = (accounts: readonly GroupedAccount[]): IndirectOperating => {
  const ofProfit = accounts.filter(({ account }) => isOfProfit(account));
  const profit = totalOf(ofProfit, ({ within }) => within);
  const itemsOfOtherSections = amountsOf(accounts, itemOf);
  const movements = amountsOf(accounts, movementOf);
  const nonCashInvestingAndFinancing = totalOf(accounts.filter(isOfOthers), nonCashOf);
  return {
    ...{ method: 'indirect', profit, itemsOfOtherSections, movements },
    nonCashInvestingAndFinancing,
    total: profit + itemsOfOtherSections.total + movements.total + nonCashInvestingAndFinancing,
  };
};

const assertSame = (what: string, amounts: { one: bigint; other: bigint }): void => {
  if (amounts.one === amounts.other) return;
  const [one, other] = [amounts.one, amounts.other].map(formatHundredths);
  throw new BooksDiffer(`${what}: ${one} and ${other}`);
};

/**
 * @param sums all accounts up to the end of the period
 * @throws BooksDiffer where the flows do not come to the movement of the cash accounts, or the
 * methods to different totals
 */
export const cashFlowOf = (
  sums: readonly StatementAccount[],
  method: Tenant['cashFlowMethod'],
): CashFlow => {
  const accounts = sums.map((sum) => ({ ...sum, group: groupOf(sum.account) }));
  const direct: DirectOperating = { method: 'direct', ...effectsIn(accounts, 'operating') };
  const operating = method === 'direct' ? direct : indirectOf(accounts);
  assertSame('operating cash flows by both methods', { one: direct.total, other: operating.total });

  const cash = accounts.filter(({ group }) => group === 'cash');
  const openingCash = -totalOf(cash, ({ before }) => before);
  const closingCash = openingCash - totalOf(cash, ({ within }) => within);
  const investing = effectsIn(accounts, 'investing', 'accumulated');
  const financing = effectsIn(accounts, 'financing');
  const unclassified = effectsIn(accounts, 'unclassified');
  const effectOfExchangeRates = effectsIn(accounts, 'exchangeDifferences').total;
  const netChange =
    operating.total +
    investing.total +
    financing.total +
    unclassified.total +
    effectOfExchangeRates;
  assertSame('closing cash by flows and by accounts', {
    one: openingCash + netChange,
    other: closingCash,
  });
  const cashAccounts = cash
    .map(({ account, before, within }) => ({
      account,
      opening: -before,
      closing: -before - within,
    }))
    .filter(({ opening, closing }) => opening !== 0n || closing !== 0n);
  return {
    ...{ operating, investing, financing, effectOfExchangeRates, unclassified },
    ...{ netChange, openingCash, closingCash, cashAccounts },
  };
};
