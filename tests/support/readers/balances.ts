// The tests' model of balances: sums of entries in whole thousandths, without the product's
// arithmetic. hledger and the books worked by hand are the independent checks of reports.

import { amountIn } from './stored-entries.ts';

/**
 * Sums in thousandths. The cash effect is the part of an entry with cash that is not on cash. Of a
 * currency, `booked` is the book amounts, positive for a debit.
 */
export type Totals = { debit: bigint; credit: bigint; cashEffect: bigint; booked: bigint };

type Line = Record<'account' | 'debit' | 'credit' | 'bookDebit' | 'bookCredit', string> & {
  isCash: boolean;
  revaluedCurrency?: string | undefined;
};

export type Countable = {
  transactionCurrency: string;
  bookCurrency: string;
  lines: readonly Line[];
};

/** The cash effect of each line. */
const cashEffectsOf = (lines: readonly Line[]): bigint[] => {
  const onCash = lines.filter(({ isCash }) => isCash);
  const ofCash = (side: 'bookDebit' | 'bookCredit') =>
    onCash.reduce((sum, line) => sum + amountIn(line[side]), 0n);
  const isRevaluation = lines.some(({ revaluedCurrency }) => revaluedCurrency !== undefined);
  return lines.map(({ isCash, revaluedCurrency, bookDebit, bookCredit }) => {
    if (onCash.length === 0 || isCash || revaluedCurrency !== undefined) return 0n;
    const [debit, credit] = [amountIn(bookDebit), amountIn(bookCredit)];
    if (!isRevaluation) return credit - debit;
    // Gains and losses have what was gained and lost on cash.
    return credit > 0n ? ofCash('bookDebit') : -ofCash('bookCredit');
  });
};

/**
 * The totals of entries by `account currency`. The currency is empty for amounts in the currency
 * of the books, which every line has.
 */
export const totalsOf = (entries: readonly Countable[]): Map<string, Totals> => {
  const totals = new Map<string, Totals>();
  const add = (name: string, { debit, credit, cashEffect, booked }: Totals): void => {
    const before = totals.get(name) ?? { debit: 0n, credit: 0n, cashEffect: 0n, booked: 0n };
    totals.set(name, {
      debit: before.debit + debit,
      credit: before.credit + credit,
      cashEffect: before.cashEffect + cashEffect,
      booked: before.booked + booked,
    });
  };
  for (const { lines, transactionCurrency, bookCurrency } of entries) {
    const cashEffects = cashEffectsOf(lines);
    for (const [index, { account, revaluedCurrency, ...line }] of lines.entries()) {
      const [debit, credit] = [amountIn(line.bookDebit), amountIn(line.bookCredit)];
      const cashEffect = cashEffects[index] ?? 0n;
      add(`${account} `, { debit, credit, cashEffect, booked: 0n });
      const ofCurrency = { cashEffect: 0n, booked: debit - credit };
      if (revaluedCurrency !== undefined) {
        add(`${account} ${revaluedCurrency}`, { ...ofCurrency, debit: 0n, credit: 0n });
      } else if (transactionCurrency !== bookCurrency) {
        const amounts = { debit: amountIn(line.debit), credit: amountIn(line.credit) };
        add(`${account} ${transactionCurrency}`, { ...amounts, ...ofCurrency });
      }
    }
  }
  return totals;
};
