// The statement of cash flows: the movement of cash in a period, by the direct or the indirect
// method (IAS 7.18, ASC 230-10-45-25). The methods differ only in the operating section.
//
// E is the cash effect of an account: credits less debits of its lines in entries with a cash
// account. In every such entry, E over the non-cash accounts adds up to the movement of cash. The
// sections divide E among them, so they add up to the movement of cash. (Plain account movements do
// not: a machine bought on credit would be an investing outflow and an operating inflow.)
//
// Proof that both methods give the same operating total: let M be the credits less debits of all
// lines of an account, and N = M - E. N adds up to zero over the non-cash accounts, because entries
// without cash balance. Let P be the operating accounts of revenue and expenses, B the operating
// accounts of the balance sheet, K accumulated depreciation and amortisation, F exchange
// differences, and X all other non-cash accounts. Profit is M(P) + M(F) + M of the profit accounts
// in X and in cash. Without the last term and without E(F), it is M(P) + N(F). Add the movements
// M(B) + N(K), and N(X) for investing and financing without cash:
//   M(P) + M(B) + N(F) + N(K) + N(X)
//     = E(P) + E(B) + N(P) + N(B) + N(F) + N(K) + N(X) = E(P) + E(B).

import { type Account, type CashFlowClass, isCash, normalBalanceOf } from '../accounts/accounts.ts';
import type { Tenant } from '../tenants/tenants.ts';
import {
  type AccountAmounts,
  amountsOf,
  assertSame,
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

/** Inflows are positive. */
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
 * Accumulated depreciation and amortisation. In entries with cash it is part of the disposal of an
 * asset, regardless of its class. In entries without cash it removes depreciation from profit.
 */
const isAccumulated = (account: Account): boolean =>
  (account.subtype === 'fixed_asset' || account.subtype === 'intangible_asset') &&
  normalBalanceOf(account) === 'credit';

/** The role of an account in this statement, usually its cash-flow class. */
type Group = CashFlowClass | 'unclassified' | 'accumulated' | 'exchangeDifferences';

const groupOf = (account: Account): Group => {
  if (isCash(account)) return 'cash';
  if (account.role === 'fx_gain_loss' && isOfProfit(account)) return 'exchangeDifferences';
  return isAccumulated(account) ? 'accumulated' : (account.cashFlow ?? 'unclassified');
};
type GroupedAccount = StatementAccount & { group: Group };

const cashEffectOf = ({ cashEffect }: StatementAccount): bigint => cashEffect;

/** The accounts of some groups with their cash effects. */
const effectsIn = (
  accounts: readonly GroupedAccount[],
  ...groups: readonly Group[]
): AccountAmounts =>
  amountsOf(
    accounts.filter(({ group }) => groups.includes(group)),
    cashEffectOf,
  );

const isInOtherSection = ({ group }: GroupedAccount): boolean =>
  group === 'investing' || group === 'financing' || group === 'unclassified';

/**
 * The adjustment for profit that is not an operating cash flow. A cash account is part of profit if
 * its platform changed its type to revenue or expense; it stays cash.
 */
const itemOf = (account: GroupedAccount): bigint => {
  if (account.group === 'exchangeDifferences') return -account.cashEffect;
  const isOther = isInOtherSection(account) || account.group === 'cash';
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
  const nonCashInvestingAndFinancing = totalOf(accounts.filter(isInOtherSection), nonCashOf);
  return {
    method: 'indirect',
    profit,
    itemsOfOtherSections,
    movements,
    nonCashInvestingAndFinancing,
    total: profit + itemsOfOtherSections.total + movements.total + nonCashInvestingAndFinancing,
  };
};

/**
 * @param sums all accounts up to the end of the period
 * @throws BooksDiffer if the flows do not add up to the movement of the cash accounts, or if the
 *   methods have different totals
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
    operating,
    investing,
    financing,
    effectOfExchangeRates,
    unclassified,
    netChange,
    openingCash,
    closingCash,
    cashAccounts,
  };
};
