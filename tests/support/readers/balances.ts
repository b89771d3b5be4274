// The tests' model of balances: sums of entries in whole thousandths, without the product's
// arithmetic. hledger and the books worked by hand are the independent checks of reports.

import { amountIn } from './stored-entries.ts';

/** Sums in thousandths. The cash effect is the part of an entry with cash that is not on cash. */
export type Totals = { debit: bigint; credit: bigint; cashEffect: bigint };

type Line = Record<'account' | 'debit' | 'credit' | 'bookDebit' | 'bookCredit', string> & {
  isCash: boolean;
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
  const add = (name: string, { debit, credit, cashEffect }: Totals): void => {
    const before = totals.get(name) ?? { debit: 0n, credit: 0n, cashEffect: 0n };
    totals.set(name, {
      debit: before.debit + debit,
      credit: before.credit + credit,
      cashEffect: before.cashEffect + cashEffect,
    });
  };
  for (const { lines, transactionCurrency, bookCurrency } of entries) {
    const movesCash = lines.some(({ isCash }) => isCash);
    for (const { account, isCash, ...line } of lines) {
      const [debit, credit] = [amountIn(line.bookDebit), amountIn(line.bookCredit)];
      const cashEffect = movesCash && !isCash ? credit - debit : 0n;
      add(`${account} `, { debit, credit, cashEffect });
      if (transactionCurrency === bookCurrency) continue;
      const amounts = { debit: amountIn(line.debit), credit: amountIn(line.credit) };
      add(`${account} ${transactionCurrency}`, { ...amounts, cashEffect: 0n });
    }
  }
  return totals;
};
