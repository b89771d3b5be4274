// The trial balance: what each account came to before a period, within it and at its end.

import { BooksDiffer } from '../entries/entry-checks.ts';
import { type AccountSums, balanceOf, netOf, noSides, plus, type Sides } from './sheet-sums.ts';

/** Opening and closing are net, on one side; the movement has both sides in full. */
export type Figures = { opening: Sides; movement: Sides; closing: Sides };

export type TrialBalanceRow = Figures & {
  account: string;
  /** Amounts in transaction currencies other than that of the books. */
  currencies: ({ currency: string } & Figures)[];
};

export type TrialBalance = { rows: TrialBalanceRow[]; totals: Figures };

const parts = ['opening', 'movement', 'closing'] as const satisfies (keyof Figures)[];

const noFigures: Figures = { opening: noSides, movement: noSides, closing: noSides };

const figuresOf = ({ before, within }: Pick<AccountSums, 'before' | 'within'>): Figures => ({
  opening: netOf(before),
  movement: within,
  closing: netOf(plus(before, within)),
});

const isNothing = (figures: Figures): boolean =>
  parts.every((part) => figures[part].debit === 0n && figures[part].credit === 0n);

const totalsOf = (rows: readonly Figures[]): Figures => {
  const total = (part: keyof Figures) => rows.map((row) => row[part]).reduce(plus, noSides);
  return { opening: total('opening'), movement: total('movement'), closing: total('closing') };
};

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

const rowsOf = (sums: readonly AccountSums[]): TrialBalanceRow[] => {
  const rows = new Map<string, TrialBalanceRow>();
  const ordered = sums.toSorted((one, other) => byText(one.account, other.account));
  for (const { account, currency, ...sides } of ordered) {
    const row = rows.get(account) ?? { account, ...noFigures, currencies: [] };
    const figures = figuresOf(sides);
    if (currency === null) Object.assign(row, figures);
    else if (!isNothing(figures)) row.currencies.push({ currency, ...figures });
    rows.set(account, row);
  }
  return [...rows.values()].map((row) => ({
    ...row,
    currencies: row.currencies.toSorted((one, other) => byText(one.currency, other.currency)),
  }));
};

/**
 * The rows in the order of their accounts' codes, and their totals. An account of which nothing was
 * ever posted, or all of whose figures are zero, has no row.
 *
 * @param options.account the only one to show, which has a row in any case
 * @param options.byCurrency whether amounts in other currencies are shown
 * @throws BooksDiffer where debits and credits of all accounts differ: every entry balances
 */
export const trialBalanceOf = (
  sums: readonly AccountSums[],
  { account, byCurrency }: { account?: string | undefined; byCurrency: boolean },
): TrialBalance => {
  const all = rowsOf(sums).map((row) => (byCurrency ? row : { ...row, currencies: [] }));
  const totals = totalsOf(all);
  const unbalanced = parts.filter((part) => balanceOf(totals[part]) !== 0n);
  if (unbalanced.length > 0) {
    throw new BooksDiffer(`debits and credits of all accounts differ in ${unbalanced.join(', ')}`);
  }
  if (account === undefined) {
    return { rows: all.filter((row) => !isNothing(row) || row.currencies.length > 0), totals };
  }
  const found = all.find((row) => row.account === account);
  const row = found ?? { account, ...noFigures, currencies: [] };
  return { rows: [row], totals: totalsOf([row]) };
};
