import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  QuickBooksJournalEntry,
  stateOf,
} from '#shared/platforms/quickbooks/quickbooks-entities.ts';

/** A line: its side, its amount and the tax that it states. */
type Line = [side: 'Debit' | 'Credit', amount: string, tax?: string | undefined];

/** The lines that an entry becomes: account, debit and credit. */
const linesOf = (lines: readonly Line[], TxnTaxDetail?: object) => {
  const Line = lines.map(([PostingType, Amount, TaxAmount], index) => ({
    Amount,
    Description: `Line ${index}`,
    JournalEntryLineDetail: { PostingType, AccountRef: { value: String(index) }, TaxAmount },
  }));
  const entry = { Id: '7', TxnDate: '2026-03-31', Line, TxnTaxDetail };
  const result = stateOf(QuickBooksJournalEntry.parse(entry));
  if (result.state !== 'posted') throw new Error('not posted');
  return result.journal.lines.map(({ account, debit, credit, description }) => ({
    account: account === 'tax' ? account : JSON.stringify(account),
    debit,
    credit,
    description,
  }));
};

/** Only the lines of tax, as their amounts, a credit below zero. */
const taxesOf = (...entry: Parameters<typeof linesOf>): string[] =>
  linesOf(...entry)
    .filter(({ account }) => account === 'tax')
    .map(({ debit, credit }) => debit.minus(credit).toFixed());

const taxLines = (...amounts: (string | null)[]) => ({
  TaxLine: amounts.map((Amount) => ({ Amount, DetailType: 'TaxLineDetail' })),
});

/** Parses `Debit 100 tax 20`: a line with its tax. */
const parseLine = (text: string): Line => {
  const [side, amount, , tax] = text.split(' ');
  return [side as Line[0], amount as string, tax];
};

describe('the tax of a QuickBooks journal', () => {
  test.each([
    ['is on the side of its line', 'Debit 100 tax 20, Credit 120', '20', '20'],
    ['of a sale is a credit', 'Credit 100 tax 5, Debit 105', undefined, '-5'],
    ['can be on both sides', 'Debit 100 tax 20, Credit 80 tax 16, Credit 24', '20, 16', '20, -16'],
    ['at the end of the entry balances it', 'Debit 100, Credit 105', '5', '5'],
    ['at two rates balances it together', 'Debit 300, Credit 285', '5, 20', '5, -20'],
    ['has the sign of a negative line', 'Debit -100 tax -20, Debit 120', undefined, '-20'],
    ['can be on a line with zero', 'Credit 0 tax 20, Debit 20', undefined, '-20'],
    ['that does not balance it becomes the difference', 'Debit 100 tax 21, Credit 120', '19', '20'],
    ['can cancel out, as on a reverse charge', 'Debit 100, Credit 100', '20, 20', '20, -20'],
    ['is included in lines that already balance', 'Debit 120, Credit 120', '20', ''],
    ['of zero adds no line', 'Debit 100 tax 0, Credit 100', '0', ''],
  ])('%s', (_title, lines, stated, expected) => {
    const detail = stated === undefined ? undefined : taxLines(...stated.split(', '));
    expect(taxesOf(lines.split(', ').map(parseLine), detail).join(', ')).toBe(expected);
  });

  const untaxed: Line[] = [
    ['Debit', '100'],
    ['Credit', '120'],
  ];
  test('can be stated as a total only', () => {
    expect(taxesOf(untaxed, { TotalTax: 20 })).toEqual(['20']);
  });

  test('is not assumed if none is stated', () => {
    expect(taxesOf(untaxed, {})).toEqual([]);
    expect(taxesOf(untaxed, taxLines(null))).toEqual([]);
  });

  test('follows its line with the same description', () => {
    const lines = linesOf([
      ['Debit', '100', '20'],
      ['Credit', '120'],
    ]);
    const described = lines.map(({ account, description }) => `${account} ${description}`);
    expect(described).toEqual(['{"id":"0"} Line 0', 'tax Line 0', '{"id":"1"} Line 1']);
  });

  const cents = fc.bigInt({ min: -1_000_000n, max: 1_000_000n });
  const amount = cents.map((value) => new Big(`${value}e-2`).toFixed());
  const anyLine = fc.tuple(
    fc.constantFrom('Debit' as const, 'Credit' as const),
    amount,
    fc.option(amount, { nil: undefined }),
  );

  test('balances every taxed journal', () => {
    const taxed = fc
      .tuple(fc.array(anyLine, { minLength: 1, maxLength: 8 }), fc.array(amount, { maxLength: 13 }))
      .filter(([lines, stated]) =>
        [...lines.map(([, , tax]) => tax ?? '0'), ...stated].some((tax) => Number(tax) !== 0),
      );
    fc.assert(
      fc.property(taxed, ([lines, stated]) => {
        const read = linesOf(lines, taxLines(...stated));
        const total = (side: 'debit' | 'credit') =>
          read.reduce((sum, line) => sum.plus(line[side]), new Big(0)).toFixed();
        expect(total('debit')).toBe(total('credit'));
        expect(read.every(({ debit, credit }) => debit.gte(0) && credit.gte(0))).toBe(true);
      }),
    );
  });
});
