// The demo companies' manual journals, computed from their index: the same on every machine.

import { decimalsOf } from '#shared/money/amounts.ts';
import {
  type DemoCompany,
  type DemoJournal,
  type DemoLine,
  daysAgo,
  sumOf,
} from './demo-company.ts';

/** The codes of a side's accounts, or the maximum number of its expense accounts. */
type Accounts = readonly (string | null)[] | number;
type Side = 'debit' | 'credit';
type Pattern = Record<Side, Accounts> & { memo: string; taxed?: Side };

/** Typical manual adjustments. They use no bank, customer or supplier accounts. */
const patterns: readonly Pattern[] = [
  { memo: 'Wages of MONTH', debit: 5, credit: ['2300'] },
  { memo: 'Depreciation, MONTH', debit: 3, credit: ['1510'] },
  { memo: 'Insurance for MONTH', debit: ['1300'], credit: 2 },
  { memo: 'Reallocation', debit: 3, credit: 3 },
  { memo: 'Stock count at the end of MONTH', debit: ['5000'], credit: ['1200'] },
  { memo: 'Card sales without deposit, MONTH', debit: [null], credit: ['4000', '2200'] },
  { memo: 'Correction of sales tax, MONTH', debit: ['4000'], credit: ['2200'] },
  { memo: 'Crêpes & coffee, MONTH', debit: 2, credit: ['1000'] },
];

/** The patterns of every fourth journal of a company with tax rates. */
const taxedPatterns: readonly Pattern[] = [
  { memo: 'Petty cash, MONTH', debit: 3, credit: ['1000'], taxed: 'debit' },
  { memo: 'Card sales, MONTH', debit: [null], credit: ['4000', '4100'], taxed: 'credit' },
];

const firstDay = Date.UTC(2025, 0, 1);
const oneDay = 24 * 60 * 60 * 1000;
const days = 546;
const monthOnly = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
const monthFormat = new Intl.DateTimeFormat('en', monthOnly);

/** Returns whole numbers below the limit, the same for the same seed (FNV-1a, mulberry32). */
export const createSeededRandom = (seed: string): ((limit: number) => number) => {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 0x01000193);
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
};

type RandomBelow = ReturnType<typeof createSeededRandom>;

/** Converts whole minor units to a decimal number. */
const decimalText = (units: number, decimals: number): string => {
  const digits = String(units).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** Splits a total into parts above zero. Each part is at most half of the rest. */
const split = (
  total: number,
  { parts, randomBelow }: { parts: number; randomBelow: RandomBelow },
): number[] => {
  if (parts <= 1) return [total];
  const part = 1 + randomBelow(Math.floor(total / 2));
  return [part, ...split(total - part, { parts: parts - 1, randomBelow })];
};

/** Returns a function that selects active accounts, except those in `used`. */
const createAccountFinder = ({ accounts }: DemoCompany) => {
  const active = [...accounts.entries()].filter(([, { status }]) => status === 'active');
  const byCode = new Map(active.map(([index, { code }]) => [code, index]));
  const costs = active.flatMap(([index, { type }]) => (type === 'expense' ? [index] : []));

  return (
    side: Accounts,
    { used, randomBelow }: { used: readonly number[]; randomBelow: RandomBelow },
  ): number[] => {
    if (typeof side !== 'number') return side.map((code) => byCode.get(code) ?? 0);
    const count = Math.min(1 + randomBelow(side), Math.floor(costs.length / 2));
    const chosen = new Set<number>();
    while (chosen.size < count) {
      const index = costs[randomBelow(costs.length)] ?? 0;
      if (!used.includes(index)) chosen.add(index);
    }
    return [...chosen];
  };
};

const linesOf = (
  { accounts, taxRates }: DemoCompany,
  part: {
    side: Side;
    indexes: readonly number[];
    isTaxed: boolean;
    total: number;
    currency: string;
    month: string;
    randomBelow: RandomBelow;
  },
): DemoLine[] => {
  const { side, indexes, isTaxed, total, currency, month, randomBelow } = part;
  const textOf = (units: number) => decimalText(units, decimalsOf(currency));
  const amounts = split(total, { parts: indexes.length, randomBelow });
  return amounts.map((units, place) => {
    const account = indexes[place] as number;
    // In real books, many lines have no description.
    const description = randomBelow(3) === 0 ? '' : `${accounts[account]?.name}, ${month}`;
    const line = {
      account,
      description,
      debit: textOf(0),
      credit: textOf(0),
      [side]: textOf(units),
    };
    // Four of five lines have a tax.
    const rate = isTaxed && randomBelow(5) > 0 && taxRates[randomBelow(taxRates.length)];
    if (!rate) return line;
    const tax = Math.round((units * rate.percent) / 100);
    return { ...line, tax: { ...rate, amount: textOf(tax) } };
  });
};

/** The journal's status, its last change, and a missing field. */
const historyOf = (
  index: number,
  { date, isReal }: { date: string; isReal: boolean },
): Pick<DemoJournal, 'status' | 'modifiedAt' | 'hole'> => {
  const isDeleted = isReal && index % 20 === 19;
  const isChanged = isDeleted || (isReal && index % 25 === 4);
  return {
    status: isDeleted ? 'deleted' : index % 10 === 6 ? 'draft' : 'posted',
    modifiedAt: isChanged ? daysAgo(1 + (index % 9)) : `${date}T00:00:00.000Z`,
    ...(isReal && index % 40 === 17 && { hole: 'date' }),
  };
};

/**
 * Returns a function that computes journals. Their dates ascend, and one in ten is a draft.
 * @param options.foreign the currency of one in 15 journals
 * @param options.isReal whether some journals are incomplete, deleted or recently changed
 */
export const createJournalGenerator = (
  company: DemoCompany,
  { foreign, isReal }: { foreign: string | undefined; isReal: boolean },
): ((index: number) => DemoJournal) => {
  const { id, journalCount: count, taxRates } = company;
  const findAccounts = createAccountFinder(company);

  return (index) => {
    const randomBelow = createSeededRandom(`${id} ${index}`);
    // A day in the journal's share of the period, because dates ascend with indexes.
    const day = new Date(
      firstDay + Math.floor(((index + randomBelow(100) / 100) * days) / count) * oneDay,
    );
    const date = day.toISOString().slice(0, 10);
    const month = monthFormat.format(day);
    const choices = taxRates.length > 0 && index % 4 === 1 ? taxedPatterns : patterns;
    const pattern = choices[randomBelow(choices.length)] as Pattern;
    const debits = findAccounts(pattern.debit, { used: [], randomBelow });
    const indexes = {
      debit: debits,
      credit: findAccounts(pattern.credit, { used: debits, randomBelow }),
    };
    const isForeign = foreign !== undefined && index % 15 === 5;
    const currency = isForeign ? foreign : company.currency;
    const rate = 10_000 + randomBelow(5_000);

    // The taxed side comes first, because its taxes are part of the other side's sum.
    const sides: Side[] = pattern.taxed === 'credit' ? ['credit', 'debit'] : ['debit', 'credit'];
    const lines: Record<Side, DemoLine[]> = { debit: [], credit: [] };
    let total = 500 + randomBelow(400_000);
    for (const side of sides) {
      const accounts = { indexes: indexes[side], isTaxed: pattern.taxed === side };
      lines[side] = linesOf(company, { side, ...accounts, total, currency, month, randomBelow });
      const taxes = lines[side].map(({ tax }) => tax?.amount ?? 0);
      total += Math.round(sumOf(taxes) * 10 ** decimalsOf(currency));
    }
    const [firstLine] = lines.debit;
    if (firstLine && isReal && index % 40 === 13) firstLine.hole = 'account';
    return {
      date,
      memo: pattern.memo.replace('MONTH', month),
      lines: [...lines.debit, ...lines.credit],
      currency,
      exchangeRate: isForeign ? decimalText(rate, 4) : null,
      ...historyOf(index, { date, isReal }),
    };
  };
};
