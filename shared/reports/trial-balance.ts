// The trial balance: each account before, within and at the end of a period.

import { type AccountSums, netOf, noSides, plus, type Sides } from '../sheets/sheet-sums.ts';

/** Opening and closing are net balances on one side. The movement has both sides in full. */
export type Figures = { opening: Sides; movement: Sides; closing: Sides };

export type TrialBalanceRow = Figures & {
  account: string;
  /** Amounts in transaction currencies other than the book currency. */
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

const isZero = (figures: Figures): boolean =>
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
    else if (!isZero(figures)) row.currencies.push({ currency, ...figures });
    rows.set(account, row);
  }
  return [...rows.values()].map((row) => ({
    ...row,
    currencies: row.currencies.toSorted((one, other) => byText(one.currency, other.currency)),
  }));
};

/**
 * The rows, ordered by account code, and their totals. Accounts with only zero figures, in all
 * currencies, have no row.
 *
 * @param options.account show only this account, even if all its figures are zero
 */
export const trialBalanceOf = (
  sums: readonly AccountSums[],
  { account }: { account?: string | undefined } = {},
): TrialBalance => {
  const all = rowsOf(sums);
  if (account === undefined) {
    const rows = all.filter((row) => !isZero(row) || row.currencies.length > 0);
    return { rows, totals: totalsOf(all) };
  }
  const row = all.find((it) => it.account === account) ?? { account, ...noFigures, currencies: [] };
  return { rows: [row], totals: totalsOf([row]) };
};
