// hledger as an oracle: it reads the export, adds it up, and must get the product's own figures for
// every account and currency.

import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { addDays } from '#shared/money/dates.ts';
import { firstDate, keepRandomBooks } from '../../../support/builders/random-books.ts';
import type { Calls } from '../../../support/harnesses/calls.ts';
import { useExports } from '../../../support/harnesses/exports.ts';
import { useOperator } from '../../../support/harnesses/operator.ts';
import {
  type Figures,
  figuresOf,
  hledger,
  hledgerBalances,
  isHledgerMissing,
} from '../../../support/readers/statements/hledger.ts';

const operator = useOperator();
const { exportJournal, exportArchive } = useExports(operator);

const Sides = z.object({ debit: z.string(), credit: z.string() });
const Closing = z.object({ closing: Sides });
const TrialBalance = z.object({
  rows: z.array(
    z.extend(Closing, {
      account: z.string(),
      currencies: z.array(z.extend(Closing, { currency: z.string() })),
    }),
  ),
});

/** The trial balance, in the book currency and in every other currency. */
const productFigures = async ({ call }: Calls, as_of: string): Promise<Figures> => {
  const data = await call('getTrialBalance', { as_of, by_currency: 'true' });
  const net = ({ debit, credit }: z.output<typeof Sides>) => new Big(debit).minus(credit);
  return figuresOf(
    TrialBalance.parse(data).rows.flatMap(({ account: code, closing, currencies }) => [
      [`${code} book`, net(closing)] as const,
      ...currencies.map((it) => [`${code} ${it.currency}`, net(it.closing)] as const),
    ]),
  );
};

/** The balances that hledger computes. */
const hledgerFigures = async (file: string, asOf: string): Promise<Figures> => {
  const balances = async (title: string, words: string): Promise<[string, Big][]> => {
    const found = await hledgerBalances(file, '--end', addDays(asOf, 1), words);
    return found.map(([code, balance]) => [`${code} ${title}`, balance]);
  };
  const all = await Promise.all([
    balances('book', '--cost'),
    ...['USD', 'JPY', 'KWD'].map((currency) => balances(currency, `cur:${currency}`)),
  ]);
  return figuresOf(all.flat());
};

describe.skipIf(isHledgerMissing)('hledger', () => {
  test.each([1, 2, 3])('computes the same figures for random books with seed %i', async (seed) => {
    const books = await keepRandomBooks(operator.ledger, { prefix: `books-${seed}`, seed });
    const file = await exportJournal(books.prefix);
    const archive = await exportArchive(books);
    const checks = ['ordereddates', 'uniqueleafnames'];
    for (const it of [file, archive]) {
      expect(await hledger(it, 'check', '--strict', ...checks)).toBe('');
    }
    const reversals = await hledger(file, 'codes', 'tag:reverses');
    expect(reversals.trim().split('\n')).toHaveLength(books.reversals);
    for (const asOf of [firstDate, '2025-12-31', '2026-02-10', '2026-03-28', '2026-12-31']) {
      const figures = await productFigures(books, asOf);
      expect(Object.keys(figures).length).toBeGreaterThan(5);
      expect(await hledgerFigures(file, asOf), asOf).toEqual(figures);
    }
    const last = '2026-12-31';
    expect(await hledgerFigures(archive, last)).toEqual(await productFigures(books, last));
  });
});
