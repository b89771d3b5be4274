// The demo companies' manual journals, computed from their index: the same on every machine.

import { decimalsOf } from '#shared/money/currencies.ts';
import {
  type DemoCompany,
  type DemoJournal,
  type DemoLine,
  daysAgo,
  type TaxRate,
} from './demo-company.ts';

/** One of `every` journals is in another currency, at about this rate. */
export type ForeignJournals = { currency: string; every: number; rateInTenThousandths: number };

type JournalOptions = {
  foreign: ForeignJournals | undefined;
  /** Whether some journals are incomplete, deleted or recently changed. */
  isReal: boolean;
};

/** The codes of a side's accounts, or up to `upTo` expense accounts whose names end so. */
type Side = readonly (string | null)[] | { costs: string; upTo: number };

type Pattern = { memo: string; debit: Side; credit: Side; taxed?: 'debit' | 'credit' };

/** Typical manual adjustments. They use no bank, customer or supplier accounts. */
const patterns: readonly Pattern[] = [
  { memo: 'Wages of MONTH', debit: { costs: 'wages', upTo: 5 }, credit: ['2300'] },
  { memo: 'Depreciation, MONTH', debit: { costs: 'repairs', upTo: 3 }, credit: ['1510'] },
  { memo: 'Prepaid rent of MONTH', debit: { costs: 'rent', upTo: 4 }, credit: ['1300'] },
  { memo: 'Insurance paid ahead, MONTH', debit: ['1300'], credit: { costs: 'insurance', upTo: 2 } },
  {
    memo: 'Costs moved between departments, MONTH',
    debit: { costs: '', upTo: 3 },
    credit: { costs: '', upTo: 3 },
  },
  { memo: 'Stock count at the end of MONTH', debit: ['5000'], credit: ['1200'] },
  { memo: 'Card takings not yet at the bank, MONTH', debit: [null], credit: ['4000', '2200'] },
  { memo: 'Sales tax of MONTH corrected', debit: ['4000'], credit: ['2200'] },
  { memo: 'Equipment made by our own people, MONTH', debit: ['1500'], credit: ['4100', '1200'] },
  { memo: 'Interest on the loan, MONTH', debit: ['5900'], credit: ['2500'] },
  { memo: 'Interest on deposits, MONTH', debit: ['1300'], credit: ['4900'] },
  { memo: 'Crêpes & coffee, MONTH', debit: { costs: 'sundries', upTo: 2 }, credit: ['1000'] },
  { memo: 'Earnings turned into shares, MONTH', debit: ['3200'], credit: ['3000'] },
];

/** The patterns of every fourth journal of a company with tax rates. */
const taxedPatterns: readonly Pattern[] = [
  {
    memo: 'Petty cash spent, MONTH',
    debit: { costs: '', upTo: 3 },
    credit: ['1000'],
    taxed: 'debit',
  },
  {
    memo: 'Card takings with tax, MONTH',
    debit: [null],
    credit: ['4000', '4100'],
    taxed: 'credit',
  },
];

const firstDay = Date.UTC(2025, 0, 1);
const lastDay = Date.UTC(2026, 5, 30);
const oneDay = 24 * 60 * 60 * 1000;
const days = (lastDay - firstDay) / oneDay + 1;

const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** Returns whole numbers below the limit, the same for the same seed (FNV-1a, mulberry32). */
const createSeededRandom = (seed: string): ((limit: number) => number) => {
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

/** Splits a total into parts above zero. Each part is at most half of the rest. */
const split = (
  total: number,
  { parts, randomBelow }: { parts: number; randomBelow: RandomBelow },
): number[] => {
  let rest = total;
  const cuts = Array.from({ length: parts - 1 }, () => {
    const cut = 1 + randomBelow(Math.floor(rest / 2));
    rest -= cut;
    return cut;
  });
  return [...cuts, rest];
};

/** ISO 4217. The ledger supports at most two decimals; platforms support three. */
const threeDecimalCurrencies = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

export const platformDecimalsOf = (currency: string): number =>
  threeDecimalCurrencies.has(currency) ? 3 : decimalsOf(currency);

/** Converts whole minor units of a currency to a decimal number. */
const decimalText = (units: number, decimals: number): string => {
  const digits = String(units).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** A day in the journal's share of the period, so that dates ascend with indexes. */
const dateAt = (
  index: number,
  { count, randomBelow }: { count: number; randomBelow: RandomBelow },
): Date => {
  const firstOf = (place: number): number => Math.floor((place * days) / count);
  const share = Math.max(1, firstOf(index + 1) - firstOf(index));
  return new Date(firstDay + (firstOf(index) + randomBelow(share)) * oneDay);
};

/** Finds the active accounts of a pattern's side. */
const accountsByUse = ({ accounts }: DemoCompany) => {
  const active = [...accounts.entries()].filter(([, { status }]) => status === 'active');
  const byCode = new Map(active.map(([index, { code }]) => [code, index]));
  const expenses = active.filter(([, { type }]) => type === 'expense');
  const byEnding = new Map<string, number[]>();

  const costsWith = (ending: string): number[] => {
    const known = byEnding.get(ending);
    if (known) return known;
    const found = expenses.filter(([, { name }]) => name.endsWith(ending));
    // A short chart has too few matching accounts, so any expense account is used.
    const costs = (found.length < 6 ? expenses : found).map(([index]) => index);
    byEnding.set(ending, costs);
    return costs;
  };

  /** The indexes of a side's accounts, without those in `taken`. */
  return (
    side: Side,
    { taken, randomBelow }: { taken: readonly number[]; randomBelow: RandomBelow },
  ): number[] => {
    if (!('costs' in side)) return side.map((code) => byCode.get(code) ?? 0);
    const costs = costsWith(side.costs);
    const count = Math.min(1 + randomBelow(side.upTo), Math.floor(costs.length / 2));
    const chosen = new Set<number>();
    while (chosen.size < count) {
      const index = costs[randomBelow(costs.length)] ?? 0;
      if (!taken.includes(index)) chosen.add(index);
    }
    return [...chosen];
  };
};

const currencyOf = (
  index: number,
  {
    company,
    foreign,
    randomBelow,
  }: { company: DemoCompany; foreign: ForeignJournals | undefined; randomBelow: RandomBelow },
): Pick<DemoJournal, 'currency' | 'exchangeRate'> =>
  foreign === undefined || index % foreign.every !== 5
    ? { currency: company.currency, exchangeRate: null }
    : {
        currency: foreign.currency,
        exchangeRate: decimalText(foreign.rateInTenThousandths + randomBelow(400), 4),
      };

/** A tax at one of the rates on four of five lines. */
const taxesFor = (
  amounts: readonly number[],
  { taxRates, randomBelow }: { taxRates: readonly TaxRate[]; randomBelow: RandomBelow },
): ({ rate: TaxRate; units: number } | undefined)[] =>
  amounts.map((units) => {
    const rate = taxRates[randomBelow(taxRates.length)];
    if (rate === undefined || randomBelow(5) === 0) return undefined;
    return { rate, units: Math.round((units * rate.percent) / 100) };
  });

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

/** Returns a function that creates the lines of one side, and the sum of their taxes. */
const createLineMaker =
  (
    { accounts, taxRates }: DemoCompany,
    {
      currency,
      month,
      isTaxed,
      lacksAccount,
      randomBelow,
    }: {
      currency: string;
      month: string;
      isTaxed: boolean;
      lacksAccount: boolean;
      randomBelow: RandomBelow;
    },
  ) =>
  (side: 'debit' | 'credit', { places, sum }: { places: readonly number[]; sum: number }) => {
    const decimals = platformDecimalsOf(currency);
    const zero = decimalText(0, decimals);
    const amounts = split(sum, { parts: places.length, randomBelow });
    const taxes = isTaxed ? taxesFor(amounts, { taxRates, randomBelow }) : [];
    return {
      lines: amounts.map((units, place): DemoLine => {
        const account = places[place] as number;
        // In real books, many lines have no description.
        const description = randomBelow(3) === 0 ? '' : `${accounts[account]?.name}, ${month}`;
        const tax = taxes[place];
        return {
          account,
          description,
          debit: zero,
          credit: zero,
          [side]: decimalText(units, decimals),
          ...(tax && { tax: { ...tax.rate, amount: decimalText(tax.units, decimals) } }),
          ...(lacksAccount && place === 0 && { hole: 'account' }),
        };
      }),
      tax: taxes.reduce((units, tax) => units + (tax?.units ?? 0), 0),
    };
  };

/** Returns a function that computes journals. Their dates ascend, and one in ten is a draft. */
export const createJournalGenerator = (
  company: DemoCompany,
  { foreign, isReal }: JournalOptions,
): ((index: number) => DemoJournal) => {
  const { id, journalCount: count, taxRates } = company;
  const find = accountsByUse(company);

  return (index) => {
    if (!(Number.isInteger(index) && index >= 0 && index < count)) {
      throw new RangeError(`${id} has no journal ${index}`);
    }
    const randomBelow = createSeededRandom(`${id} ${index}`);
    const day = dateAt(index, { count, randomBelow });
    const date = day.toISOString().slice(0, 10);
    const month = `${months[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
    const isTaxed = taxRates.length > 0 && index % 4 === 1;
    const choice = isTaxed ? taxedPatterns : patterns;
    const { memo, debit, credit, taxed } = choice[randomBelow(choice.length)] as Pattern;
    const debits = find(debit, { taken: [], randomBelow });
    const places = { debit: debits, credit: find(credit, { taken: debits, randomBelow }) };
    const money = currencyOf(index, { company, foreign, randomBelow });
    const { currency } = money;
    const sum = 500 + randomBelow(400_000);

    // The taxed side comes first, because its taxes are part of the other side's sum.
    const sides =
      taxed === 'credit' ? (['credit', 'debit'] as const) : (['debit', 'credit'] as const);
    let total = sum;
    const lines = { debit: [] as DemoLine[], credit: [] as DemoLine[] };
    for (const side of sides) {
      const lacksAccount = isReal && side === 'debit' && index % 40 === 13;
      const makeLines = createLineMaker(company, {
        currency,
        month,
        isTaxed: taxed === side,
        lacksAccount,
        randomBelow,
      });
      const made = makeLines(side, { places: places[side], sum: total });
      lines[side] = made.lines;
      total += made.tax;
    }
    return {
      date,
      memo: memo.replace('MONTH', month),
      lines: [...lines.debit, ...lines.credit],
      ...money,
      ...historyOf(index, { date, isReal }),
    };
  };
};
