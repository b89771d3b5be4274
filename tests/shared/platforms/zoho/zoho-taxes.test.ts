import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlatformJournalLine } from '#shared/platforms/platform.ts';
import { type TaxedJournal, taxLinesOf, type ZohoTax } from '#shared/platforms/zoho/zoho-taxes.ts';

type Side = 'debit' | 'credit';
type Given = {
  lines: { side: Side; amount: string; tax?: string }[];
  taxes?: { amount: string; side?: string; name?: string }[];
};

const taxes: ZohoTax[] = ['VAT', 'GST'].map((name, index) => ({
  tax_id: String(index),
  tax_name: name,
  tax_account_id: `${name} out`,
  purchase_tax_account_id: `${name} in`,
}));

const ownLineOf = ({ side, amount }: Given['lines'][number]): PlatformJournalLine => ({
  account: { id: '1' },
  description: '',
  debit: new Big(side === 'debit' ? amount : 0),
  credit: new Big(side === 'credit' ? amount : 0),
  reportingAmount: null,
});

/** The lines of tax as text, and all lines. */
const linesOf = (given: Given) => {
  const journal: TaxedJournal = {
    line_items: given.lines.map(({ side, tax }) => ({
      debit_or_credit: side,
      tax_id: null,
      tax_percentage: null,
      tax_name: tax ?? null,
    })),
    taxes: (given.taxes ?? []).map(({ amount, side, name = 'VAT' }) => ({
      tax_name: name,
      tax_amount: amount,
      debit_or_credit: side,
      tax_account: true,
    })),
  };
  const own = given.lines.map(ownLineOf);
  const added = taxLinesOf(journal, { lines: own, taxes });
  const texts = added.map(({ account, debit, credit }) => {
    const of = account === 'tax' ? account : Object.values(account)[0];
    return `${of}: ${debit.gt(0) ? debit.toFixed() : `-${credit.toFixed()}`}`;
  });
  return { texts, all: [...own, ...added] };
};

const pair = (debit: string, credit: string, tax?: { debit?: string; credit?: string }) => [
  { side: 'debit' as const, amount: debit, ...(tax?.debit && { tax: tax.debit }) },
  { side: 'credit' as const, amount: credit, ...(tax?.credit && { tax: tax.credit }) },
];
const vat = (amount: string, side?: string) => ({ amount, ...(side && { side }) });

test.each<[string, Given, string[]]>([
  ['nothing', { lines: pair('100', '100') }, []],
  ['nothing, though it does not balance', { lines: pair('100', '90') }, []],
  ['its side', { lines: pair('100', '105'), taxes: [vat('5', 'debit')] }, ['VAT in: 5']],
  ['its other side', { lines: pair('105', '100'), taxes: [vat('5', 'credit')] }, ['VAT out: -5']],
  [
    'an amount below zero',
    { lines: pair('105', '100'), taxes: [vat('-5', 'debit')] },
    ['VAT out: -5'],
  ],
  ['the wrong side', { lines: pair('105', '100'), taxes: [vat('5', 'debit')] }, ['VAT out: -5']],
  [
    'the side of its line',
    {
      lines: pair('100', '203', { debit: 'VAT', credit: 'GST' }),
      taxes: [vat('105'), { amount: '2', name: 'GST' }],
    },
    ['VAT in: 105', 'GST out: -2'],
  ],
  ['no side', { lines: pair('100', '105'), taxes: [vat('5', 'both')] }, ['VAT in: 5']],
  [
    'two taxes that cancel out',
    { lines: pair('100', '100'), taxes: [vat('5', 'debit'), vat('5', 'credit')] },
    ['VAT in: 5', 'VAT out: -5'],
  ],
  ['a tax within its amounts', { lines: pair('105', '105'), taxes: [vat('5', 'debit')] }, []],
  ['a cent too many', { lines: pair('100', '105'), taxes: [vat('5.01', 'debit')] }, ['VAT in: 5']],
  [
    'two that do not fit',
    { lines: pair('100', '107'), taxes: [vat('5', 'debit'), { amount: '1', name: 'GST' }] },
    ['tax: 7'],
  ],
  ['a tax of nothing', { lines: pair('100', '90'), taxes: [vat('0')] }, []],
  ['no amount, but a taxed line', { lines: pair('100', '105', { debit: 'VAT' }) }, ['tax: 5']],
])('a journal with %s has these lines of tax', (_title, given, expected) => {
  expect(linesOf(given).texts).toEqual(expected);
});

const amount = fc.integer({ min: -99_999, max: 99_999 }).map((cents) => (cents / 100).toFixed(2));
const side = fc.constantFrom<Side>('debit', 'credit');
const name = fc.constantFrom('VAT', 'GST', 'Other');
const Line = fc.record({ side, amount: amount.map((it) => it.replace('-', '')), tax: name });
const Tax = fc.record(
  { amount, side: fc.oneof(side, fc.constant('')), name },
  { requiredKeys: ['amount'] },
);

test('any taxed journal balances', () => {
  const given = fc.record({ lines: fc.array(Line, { minLength: 1 }), taxes: fc.array(Tax) });
  fc.assert(
    fc.property(given, (journal) => {
      const { all } = linesOf(journal as Given);
      const sum = all.reduce((left, { debit, credit }) => left.plus(debit).minus(credit), Big(0));
      expect(sum.toFixed()).toBe('0');
      expect(all.every(({ debit, credit }) => debit.gte(0) && credit.gte(0))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
