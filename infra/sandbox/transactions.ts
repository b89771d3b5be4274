// The demo companies' invoices, bills, payments and bank lines. Platforms do not list them; only
// their reports have them.

import Big from 'big.js';
import { decimalsOf } from '#shared/money/amounts.ts';
import type { DemoCompany, DemoTransaction } from './demo-company.ts';
import { createSeededRandom } from './journals.ts';

/** The first day of all demo books, and their length in months. */
const firstYear = 2024;
const months = 36;

const transactionsPerMonth = 6;

/** A typical transaction: the codes of its accounts with their shares, positive for a debit. */
type Pattern = { weight: number; shares: Record<string, number> };

const patterns: readonly Pattern[] = [
  { weight: 3, shares: { '1100': 12, '4000': -10, '2200': -2 } },
  { weight: 2, shares: { '5000': 5, '2200': 1, '2000': -6 } },
  { weight: 2, shares: { '1010': 10, '1100': -10 } },
  { weight: 2, shares: { '2000': 5, '1010': -5 } },
  { weight: 1, shares: { '1200': 8, '2000': -8 } },
  { weight: 1, shares: { '5900': 1, '1010': -1 } },
];
const drawn = patterns.flatMap((pattern) => Array<Pattern>(pattern.weight).fill(pattern));

/** The shares that founded the company. */
const foundation: Pattern = { weight: 0, shares: { '1010': 60, '1200': 40, '3000': -100 } };

export const transactionsOf = (company: DemoCompany): DemoTransaction[] => {
  const randomBelow = createSeededRandom(`transactions of ${company.id}`);
  const indexByCode = new Map(
    company.accounts.flatMap(({ code, status }, index) =>
      code === null || status !== 'active' ? [] : [[code, index] as const],
    ),
  );
  const unit = new Big(10).pow(-decimalsOf(company.currency));
  const transaction = (
    { shares }: Pattern,
    { date, units }: { date: string; units: number },
  ): DemoTransaction => ({
    date,
    amounts: new Map(
      Object.entries(shares).map(([code, share]) => [
        indexByCode.get(code) ?? 0,
        unit.times(units).times(share),
      ]),
    ),
  });
  const first = transaction(foundation, { date: `${firstYear}-01-02`, units: 100_000 });
  const others = [...Array(months * transactionsPerMonth).keys()].map((index) => {
    const month = Math.floor(index / transactionsPerMonth);
    const day = 3 + 4 * (index % transactionsPerMonth) + randomBelow(4);
    const date = new Date(Date.UTC(firstYear, month, day)).toISOString().slice(0, 10);
    const pattern = drawn[randomBelow(drawn.length)] ?? foundation;
    return transaction(pattern, { date, units: 100 + randomBelow(20_000) });
  });
  return [first, ...others];
};
