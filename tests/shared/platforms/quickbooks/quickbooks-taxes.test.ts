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

describe('the tax of a QuickBooks journal', () => {
  test.each<[string, Line[], object | undefined, string[]]>([
    [
      'stands on the side of the line that states it',
      [
        ['Debit', '100', '20'],
        ['Credit', '120'],
      ],
      taxLines('20'),
      ['20'],
    ],
    [
      'of a sale is a credit',
      [
        ['Credit', '100', '5'],
        ['Debit', '105'],
      ],
      undefined,
      ['-5'],
    ],
    [
      'stands on both sides where both have it',
      [
        ['Debit', '100', '20'],
        ['Credit', '80', '16'],
        ['Credit', '24'],
      ],
      taxLines('20', '16'),
      ['20', '-16'],
    ],
    [
      'stated at the end alone goes where it balances',
      [
        ['Debit', '100'],
        ['Credit', '105'],
      ],
      taxLines('5'),
      ['5'],
    ],
    [
      'at two rates goes where both together balance',
      [
        ['Debit', '300'],
        ['Credit', '285'],
      ],
      taxLines('5', '20'),
      ['5', '-20'],
    ],
    [
      'stated by lines with an amount below zero goes with them',
      [
        ['Debit', '-100', '-20'],
        ['Debit', '120'],
      ],
      undefined,
      ['-20'],
    ],
    [
      'of a line without an amount goes to its side',
      [
        ['Credit', '0', '20'],
        ['Debit', '20'],
      ],
      undefined,
      ['-20'],
    ],
    [
      'that cannot make it balance is what is missing',
      [
        ['Debit', '100', '21'],
        ['Credit', '120'],
      ],
      taxLines('19'),
      ['20'],
    ],
    [
      'of which only the total is stated',
      [
        ['Debit', '100'],
        ['Credit', '120'],
      ],
      { TotalTax: 20 },
      ['20'],
    ],
    [
      'that cancels out, as on a reverse charge',
      [
        ['Debit', '100'],
        ['Credit', '100'],
      ],
      taxLines('20', '20'),
      ['20', '-20'],
    ],
    [
      'in lines that balance already is in them',
      [
        ['Debit', '120'],
        ['Credit', '120'],
      ],
      taxLines('20'),
      [],
    ],
    [
      'of nothing is none',
      [
        ['Debit', '100', '0'],
        ['Credit', '100'],
      ],
      taxLines('0', null),
      [],
    ],
    [
      'is not made up where none is stated',
      [
        ['Debit', '100'],
        ['Credit', '120'],
      ],
      {},
      [],
    ],
  ])('%s', (_title, lines, detail, expected) => {
    expect(taxesOf(lines, detail)).toEqual(expected);
  });

  test('stands behind its line, in the words of that line', () => {
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

  test('makes any journal balance that has some', () => {
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
