// The statement of cash flows: the movement of cash in a period, by the direct or the indirect
// method (IAS 7.18, ASC 230-10-45-25). The methods differ only in the operating section.
//
// E is the cash effect of an account: its flows in entries with cash (entries/line-flows.ts). In
// every such entry, E over the non-cash accounts adds up to the movement of cash. The sections
// divide E among them, so they add up to the movement of cash. (Plain account movements do not: a
// machine bought on credit would be an investing outflow and an operating inflow.)
//
// Proof that both methods give the same operating total: let M be the credits less debits of all
// lines of an account, and N = M - E. N adds up to zero over the non-cash accounts, because entries
// without cash balance. Let P be the operating accounts of revenue and expenses, B the operating
// accounts of the balance sheet, L those of both that have lines of their own, K accumulated
// depreciation and amortisation, F exchange differences, and X all other non-cash accounts. Profit
// is M(P) + M(F) + M of the profit accounts in L, in X and in cash. Without the last three and
// without E(F), it is M(P) + N(F). Add the movements M(B) + N(K), what needed no cash N(X) + N(L),
// and the lines of their own. (What of K went with disposals moves from its own line to N(X).)
//   M(P) + M(B) + N(F) + N(K) + N(X) + N(L) + E(L)
//     = E(P) + E(B) + N(all) + E(L) = E(P) + E(B) + E(L).

import {
  type Account,
  type AccountSubtype,
  type CashFlowClass,
  isCash,
} from '../accounts/accounts.ts';
import {
  classInForce,
  isAccumulated,
  isExchangeDifference,
  isOfProfit,
} from '../accounts/line-classes.ts';
import type { Tenant } from '../tenants/tenants.ts';
import {
  type AccountAmounts,
  amountsOf,
  assertSame,
  type StatementAccount,
  totalOf,
} from './statement-sums.ts';

/** Flows that a statement shows on lines of their own (IAS 7.31, 7.35). */
export const separateItems = [
  'interest_paid',
  'interest_received',
  'dividends_paid',
  'dividends_received',
  'income_taxes_paid',
] as const;
export type SeparateItem = (typeof separateItems)[number];

/** The flows of a section. `accounts` has those that are part of no separate item. */
export type FlowSection = {
  accounts: AccountAmounts['accounts'];
  separate: ({ item: SeparateItem } & AccountAmounts)[];
  total: bigint;
};

type DirectOperating = FlowSection & { method: 'direct' };

type IndirectOperating = {
  method: 'indirect';
  profit: bigint;
  itemsOfOtherSections: AccountAmounts;
  movements: AccountAmounts;
  withoutCash: bigint;
  separate: FlowSection['separate'];
  total: bigint;
};

/** Inflows are positive. `nonCash` is positive for a credit. */
export type CashFlow = {
  operating: DirectOperating | IndirectOperating;
  investing: FlowSection;
  financing: FlowSection;
  transfers: AccountAmounts;
  effectOfExchangeRates: bigint;
  unclassified: AccountAmounts;
  netChange: bigint;
  openingCash: bigint;
  closingCash: bigint;
  cashAccounts: { account: Account; opening: bigint; closing: bigint }[];
  nonCash: AccountAmounts;
};

/** The role of an account in this statement, usually its cash-flow class. */
type Group = CashFlowClass | 'unclassified' | 'accumulated' | 'exchangeDifferences';

const groupOf = (account: Account): Group => {
  if (isCash(account)) return 'cash';
  if (isExchangeDifference(account)) return 'exchangeDifferences';
  return isAccumulated(account) ? 'accumulated' : (classInForce(account) ?? 'unclassified');
};

const itemBySubtype: Partial<Record<AccountSubtype, SeparateItem>> = {
  finance_cost: 'interest_paid',
  interest_income: 'interest_received',
  dividend_income: 'dividends_received',
  distributions: 'dividends_paid',
  dividends_payable: 'dividends_paid',
  retained_earnings: 'dividends_paid',
  income_tax: 'income_taxes_paid',
  income_tax_asset: 'income_taxes_paid',
  income_tax_liability: 'income_taxes_paid',
};

type GroupedAccount = StatementAccount & { group: Group; item: SeparateItem | undefined };

const groupedAccount = (sum: StatementAccount): GroupedAccount => {
  const group = groupOf(sum.account);
  const isFlow = group === 'operating' || group === 'investing' || group === 'financing';
  const { subtype } = sum.account;
  const item = isFlow && subtype !== undefined ? itemBySubtype[subtype] : undefined;
  return { ...sum, group, item };
};

const cashEffectOf = ({ cashEffect }: StatementAccount): bigint => cashEffect;

/** The accounts of a group with their cash effects. */
const effectsIn = (accounts: readonly GroupedAccount[], group: Group): AccountAmounts =>
  amountsOf(
    accounts.filter((account) => account.group === group),
    cashEffectOf,
  );

/** The section of some groups. */
const sectionIn = (
  accounts: readonly GroupedAccount[],
  ...groups: readonly Group[]
): FlowSection => {
  const ofSection = accounts.filter(({ group }) => groups.includes(group));
  const effectsOf = (item: SeparateItem | undefined) =>
    amountsOf(
      ofSection.filter((it) => it.item === item),
      cashEffectOf,
    );
  return {
    accounts: effectsOf(undefined).accounts,
    separate: separateItems.map((item) => ({ item, ...effectsOf(item) })),
    total: totalOf(ofSection, cashEffectOf),
  };
};

/** Whether the account is no part of the reconciliation from profit, and of no other figure. */
const isElsewhere = ({ group, item }: GroupedAccount): boolean =>
  ['investing', 'financing', 'transfer', 'unclassified'].includes(group) || item !== undefined;

/**
 * The adjustment for profit that is not an operating cash flow of the reconciliation. A cash
 * account is part of profit if its platform changed its type to revenue or expense; it stays cash.
 */
const itemOf = (account: GroupedAccount): bigint => {
  if (account.group === 'exchangeDifferences') return -account.cashEffect;
  const isOther = isElsewhere(account) || account.group === 'cash';
  return isOther && isOfProfit(account.account) ? -account.within : 0n;
};

const nonCashOf = ({ within, cashEffect }: GroupedAccount): bigint => within - cashEffect;

const movementOf = (account: GroupedAccount): bigint => {
  if (account.group === 'accumulated') return nonCashOf(account) - account.disposed;
  const isMovement = account.group === 'operating' && account.item === undefined;
  return isMovement && !isOfProfit(account.account) ? account.within : 0n;
};

const indirectOf = (
  accounts: readonly GroupedAccount[],
  { separate }: FlowSection,
): IndirectOperating => {
  const ofProfit = accounts.filter(({ account }) => isOfProfit(account));
  const profit = totalOf(ofProfit, ({ within }) => within);
  const itemsOfOtherSections = amountsOf(accounts, itemOf);
  const movements = amountsOf(accounts, movementOf);
  const accumulated = accounts.filter(({ group }) => group === 'accumulated');
  const withoutCash =
    totalOf(accounts.filter(isElsewhere), nonCashOf) + totalOf(accumulated, (it) => it.disposed);
  const separateTotal = separate.reduce((sum, { total }) => sum + total, 0n);
  return {
    method: 'indirect',
    profit,
    itemsOfOtherSections,
    movements,
    withoutCash,
    separate,
    total: profit + itemsOfOtherSections.total + movements.total + withoutCash + separateTotal,
  };
};

const cashAccountsOf = (cash: readonly GroupedAccount[]): CashFlow['cashAccounts'] =>
  cash.map(({ account, before, within }) => ({
    account,
    opening: -before,
    closing: -before - within,
  }));

/**
 * @param sums all accounts up to the end of the period
 * @throws BooksDiffer if the flows do not add up to the movement of the cash accounts, if the
 *   methods have different totals, or if transactions without cash do not balance
 */
export const cashFlowOf = (
  sums: readonly StatementAccount[],
  method: Tenant['cashFlowMethod'],
): CashFlow => {
  const accounts = sums.map(groupedAccount);
  const direct: DirectOperating = { method: 'direct', ...sectionIn(accounts, 'operating') };
  const operating = method === 'direct' ? direct : indirectOf(accounts, direct);
  assertSame('operating cash flows by both methods', { one: direct.total, other: operating.total });

  const cash = accounts.filter(({ group }) => group === 'cash');
  const openingCash = -totalOf(cash, ({ before }) => before);
  const closingCash = openingCash - totalOf(cash, ({ within }) => within);
  const investing = sectionIn(accounts, 'investing', 'accumulated');
  const financing = sectionIn(accounts, 'financing');
  const transfers = effectsIn(accounts, 'transfer');
  const unclassified = effectsIn(accounts, 'unclassified');
  const effectOfExchangeRates = effectsIn(accounts, 'exchangeDifferences').total;
  const netChange =
    [operating, investing, financing, transfers, unclassified].reduce(
      (sum, { total }) => sum + total,
      0n,
    ) + effectOfExchangeRates;
  assertSame('closing cash by flows and by accounts', {
    one: openingCash + netChange,
    other: closingCash,
  });
  const nonCash = amountsOf(accounts, (account) => account.nonCash);
  assertSame('both sides of transactions without cash', { one: nonCash.total, other: 0n });
  return {
    operating,
    investing,
    financing,
    transfers,
    effectOfExchangeRates,
    unclassified,
    netChange,
    openingCash,
    closingCash,
    cashAccounts: cashAccountsOf(cash),
    nonCash,
  };
};
