// The tests' model of balances: sums of entries in whole thousandths, without the product's
// arithmetic. hledger and the books worked by hand are the independent checks of reports.

import iso4217 from '#shared/money/iso4217.json' with { type: 'json' };
import { sharesOf } from './statements/cash-legs.ts';
import { amountIn } from './stored-entries.ts';

/** Sums in thousandths. Of a currency, `booked` is the book amounts, positive for a debit. */
export type Totals = Record<
  'debit' | 'credit' | 'cashEffect' | 'nonCash' | 'disposed' | 'booked',
  bigint
>;

const nothing: Totals = {
  debit: 0n,
  credit: 0n,
  cashEffect: 0n,
  nonCash: 0n,
  disposed: 0n,
  booked: 0n,
};

type Line = Record<'account' | 'debit' | 'credit' | 'bookDebit' | 'bookCredit', string> & {
  lineClass: string;
  revaluedCurrency?: string | undefined;
};

export type Countable = {
  transactionCurrency: string;
  bookCurrency: string;
  lines: readonly Line[];
};

/** The thousandths in the smallest unit that shares of these amounts have. */
const unitOf = (currency: string, effects: readonly bigint[]): bigint => {
  const minorUnits = iso4217.currencies.find(({ code }) => code === currency)?.minorUnits ?? 2;
  const unit = minorUnits === 3 ? 1n : 10n ** BigInt(3 - Math.min(minorUnits, 2));
  return effects.every((effect) => effect % unit === 0n) ? unit : 10n;
};

/** The flows of an entry's lines. */
const flowsOf = ({ lines, bookCurrency }: Countable) => {
  const effects = lines.map((line) => amountIn(line.bookCredit) - amountIn(line.bookDebit));
  const unit = unitOf(bookCurrency, effects);
  const shares = sharesOf(
    lines.map(({ lineClass }, place) => ({ lineClass, effect: (effects[place] ?? 0n) / unit })),
  );
  return shares.map(({ flow, nonCash, disposed }) => ({
    cashEffect: flow * unit,
    nonCash: nonCash * unit,
    disposed: disposed * unit,
  }));
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
      booked: before.booked + added.booked,
    });
  };
  for (const entry of entries) {
    const { lines, transactionCurrency, bookCurrency } = entry;
    const flows = flowsOf(entry);
    for (const [place, { account, ...line }] of lines.entries()) {
      const booked = { debit: amountIn(line.bookDebit), credit: amountIn(line.bookCredit) };
      add(`${account} `, { ...nothing, ...booked, ...flows[place] });
      const ofCurrency = { ...nothing, booked: booked.debit - booked.credit };
      if (line.revaluedCurrency !== undefined) {
        add(`${account} ${line.revaluedCurrency}`, ofCurrency);
      } else if (transactionCurrency !== bookCurrency) {
        const amounts = { debit: amountIn(line.debit), credit: amountIn(line.credit) };
        add(`${account} ${transactionCurrency}`, { ...ofCurrency, ...amounts });
      }
    }
  }
  return totals;
};
