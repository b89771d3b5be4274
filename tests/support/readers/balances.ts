// The tests' model of balances: sums of entries in whole hundredths, without the product's
// arithmetic. hledger and the books worked by hand are the independent checks of reports.

import { sharesOf } from './cash-legs.ts';
import { digitsOf } from './stored-entries.ts';

/** Sums in hundredths. */
export type Totals = Record<'debit' | 'credit' | 'cashEffect' | 'nonCash' | 'disposed', bigint>;

const nothing: Totals = { debit: 0n, credit: 0n, cashEffect: 0n, nonCash: 0n, disposed: 0n };

type Line = Record<'account' | 'debit' | 'credit' | 'bookDebit' | 'bookCredit', string> & {
  lineClass: string;
};

export type Countable = {
  transactionCurrency: string;
  bookCurrency: string;
  lines: readonly Line[];
};

/**
 * The totals of entries by `account currency`. The currency is empty for amounts in the currency
 * of the books, which every line has.
 */
export const totalsOf = (entries: readonly Countable[]): Map<string, Totals> => {
  const totals = new Map<string, Totals>();
  const add = (name: string, added: Totals): void => {
    const before = totals.get(name) ?? nothing;
    totals.set(name, {
      debit: before.debit + added.debit,
      credit: before.credit + added.credit,
      cashEffect: before.cashEffect + added.cashEffect,
      nonCash: before.nonCash + added.nonCash,
      disposed: before.disposed + added.disposed,
    });
  };
  for (const { lines, transactionCurrency, bookCurrency } of entries) {
    const shares = sharesOf(
      lines.map(({ lineClass, bookDebit, bookCredit }) => ({
        lineClass,
        effect: digitsOf(bookCredit) - digitsOf(bookDebit),
      })),
    );
    for (const [place, { account, ...line }] of lines.entries()) {
      const [debit, credit] = [digitsOf(line.bookDebit), digitsOf(line.bookCredit)];
      const { flow = 0n, nonCash = 0n, disposed = 0n } = shares[place] ?? {};
      add(`${account} `, { debit, credit, cashEffect: flow, nonCash, disposed });
      if (transactionCurrency === bookCurrency) continue;
      const amounts = { debit: digitsOf(line.debit), credit: digitsOf(line.credit) };
      add(`${account} ${transactionCurrency}`, { ...nothing, ...amounts });
    }
  }
  return totals;
};
