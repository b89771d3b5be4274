// The balances of a demo company's whole books: its posted journals and all other transactions.

import Big from 'big.js';
import { decimalsOf } from '#shared/money/amounts.ts';
import { amountOf, type DemoCompany, type DemoJournal, isDebit } from './demo-company.ts';

type Amounts = Map<number, Big>;
type Movements = { date: string; amounts: ReadonlyMap<number, Big> }[];

const zero = new Big(0);

const add = (amounts: Amounts, index: number, amount: Big): void => {
  amounts.set(index, (amounts.get(index) ?? zero).plus(amount));
};

/** A journal in the company's currency. The last line has what rounding leaves. */
const amountsOfJournal = (
  { accounts, currency }: DemoCompany,
  { lines, exchangeRate }: DemoJournal,
): Amounts => {
  const decimals = decimalsOf(currency);
  const convert = (amount: Big): Big => amount.times(exchangeRate ?? 1).round(decimals);
  const tax = accounts.findIndex(({ kind }) => kind === 'tax');
  const amounts: Amounts = new Map();
  for (const line of lines) {
    const sign = isDebit(line) ? 1 : -1;
    add(amounts, line.account, convert(amountOf(line)).times(sign));
    if (line.tax) add(amounts, tax, convert(new Big(line.tax.amount)).times(sign));
  }
  const rest = [...amounts.values()].reduce((sum, amount) => sum.plus(amount), zero);
  const last = lines.at(-1);
  if (last) add(amounts, last.account, rest.times(-1));
  return amounts;
};

/** All movements of the last revision of a company's books, in the order of their dates. */
const known = new WeakMap<DemoCompany, { revision: number; movements: Movements }>();

const movementsOf = (company: DemoCompany): Movements => {
  const { revision } = company;
  const before = known.get(company);
  if (before?.revision === revision) return before.movements;
  const byDate = new Map<string, Amounts>();
  const addAll = (date: string, amounts: ReadonlyMap<number, Big>): void => {
    const ofDate = byDate.get(date) ?? new Map();
    byDate.set(date, ofDate);
    for (const [index, amount] of amounts) add(ofDate, index, amount);
  };
  for (let index = 0; index < company.journalCount; index += 1) {
    const journal = company.journalAt(index);
    if (journal.status === 'posted') addAll(journal.date, amountsOfJournal(company, journal));
  }
  for (const { date, amounts } of company.transactions) addAll(date, amounts);
  const movements = [...byDate]
    .map(([date, amounts]) => ({ date, amounts }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
  known.set(company, { revision, movements });
  return movements;
};

const isProfitAndLoss = ({ accounts }: DemoCompany, index: number): boolean =>
  ['revenue', 'expense'].includes(accounts[index]?.type ?? '');

/** The first day of the fiscal year that contains a date. */
export const fiscalYearStartOf = ({ fiscalYearStart }: DemoCompany, date: string): string => {
  const [year = 0, month = 0] = date.split('-').map(Number);
  const startYear = month < fiscalYearStart ? year - 1 : year;
  return `${startYear}-${String(fiscalYearStart).padStart(2, '0')}-01`;
};

/**
 * The balances of the accounts by their index, positive for a debit. Accounts of profit and loss
 * start at `profitFrom`; the earlier profit is in the retained earnings.
 */
export const balancesAt = (
  company: DemoCompany,
  { to, from = '', profitFrom }: { to: string; from?: string; profitFrom: string },
): ReadonlyMap<number, Big> => {
  const balances: Amounts = new Map();
  const retained = company.accounts.findIndex(({ kind }) => kind === 'retained_earnings');
  for (const { date, amounts } of movementsOf(company)) {
    if (date > to) break;
    if (date < from) continue;
    for (const [index, amount] of amounts) {
      const isEarlier = isProfitAndLoss(company, index) && date < profitFrom;
      add(balances, isEarlier ? retained : index, amount);
    }
  }
  return balances;
};
