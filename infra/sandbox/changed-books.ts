// The changes that a demo company's books can have: an edited or deleted journal, and another
// transaction that moves to another date.

import Big from 'big.js';
import type { BookChange } from './book-change.ts';
import type { DemoJournal, DemoLine, DemoTransaction } from './demo-company.ts';

const multiplied = (line: DemoLine, factor: number): DemoLine => {
  const times = (amount: string): string =>
    new Big(amount).times(factor).toFixed(amount.split('.')[1]?.length ?? 0);
  return {
    ...line,
    debit: times(line.debit),
    credit: times(line.credit),
    ...(line.tax && { tax: { ...line.tax, amount: times(line.tax.amount) } }),
  };
};

const changedJournal = (journal: DemoJournal, change: BookChange, at: Date): DemoJournal => {
  const modifiedAt = at.toISOString();
  if (change.change === 'delete_journal') return { ...journal, status: 'deleted', modifiedAt };
  if (change.change !== 'edit_journal') return journal;
  const { date = journal.date, factor = 1, account } = change;
  const [first, ...others] = journal.lines.map((line) => multiplied(line, factor));
  const lines = first ? [{ ...first, account: account ?? first.account }, ...others] : [];
  return { ...journal, date, lines, modifiedAt };
};

/** The changed journals and transactions of a company. */
export const openChangedBooks = () => {
  const journals = new Map<number, (journal: DemoJournal) => DemoJournal>();
  const dates = new Map<number, string>();
  let revision = 0;
  return {
    revision: (): number => revision,
    change: (change: BookChange, at: Date): void => {
      revision += 1;
      if (change.change === 'move_transaction') dates.set(change.index, change.date);
      else {
        const before = journals.get(change.index);
        journals.set(change.index, (journal) =>
          changedJournal(before?.(journal) ?? journal, change, at),
        );
      }
    },
    journal: (index: number, journal: DemoJournal): DemoJournal =>
      journals.get(index)?.(journal) ?? journal,
    transactions: (all: readonly DemoTransaction[]): readonly DemoTransaction[] =>
      dates.size === 0
        ? all
        : all.map((it, index) => ({ ...it, date: dates.get(index) ?? it.date })),
  };
};
