import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount, sumOf } from '#shared/domain/amounts.ts';
import { accountProblems, draftLine, lineProblems } from '#shared/domain/entries/draft.ts';
import { journalNumber } from '#shared/domain/entries/journal-entry.ts';
import { makeEntry } from '#shared/domain/entries/make-entry.ts';
import {
  accounts,
  context,
  draft,
  expectedEntry,
} from '../../../support/builders/journal-entry.ts';

/** Lines of `[debit, credit]`. */
const linesOf = (...sides: [string, string][]) =>
  sides.map(([debit, credit]) => draftLine({ account: '1010', debit, credit }));

const withoutMessages = (problems: { code: string; pointer: string; params?: unknown }[]) =>
  problems.map(({ code, pointer, params }) => [code, pointer, params]);

describe('the rules of lines', () => {
  const unbalanced = (debits: string, credits: string, difference: string) => [
    'debits_must_equal_credits',
    '/entries',
    { total_debits: debits, total_credits: credits, difference },
  ];
  const notOneSide = (line: number, debit: string, credit: string) => [
    'line_must_have_one_side',
    `/entries/${line}`,
    { debit, credit },
  ];
  const tooPrecise = (line: number, side: string, currency: string, decimals: number) => [
    'amount_too_precise',
    `/entries/${line}/${side}`,
    { currency, decimals },
  ];

  test.each([
    {
      title: 'a debit and a credit of the same amount balance',
      lines: linesOf(['10.00', ''], ['', '10.00']),
      expected: [],
    },
    {
      title: 'one debit may be balanced by several credits',
      lines: linesOf(['0.30', ''], ['', '0.10'], ['', '0.20']),
      expected: [],
    },
    {
      title: 'the same amount written otherwise balances',
      lines: linesOf(['010.5', '0'], ['0.00', '10.50']),
      expected: [],
    },
    {
      title: 'the largest amounts balance to the cent',
      lines: linesOf(['999999999999999.99', ''], ['', '999999999999999.99']),
      expected: [],
    },
    {
      title: 'debits of a cent too much are refused',
      lines: linesOf(['10.01', ''], ['', '10.00']),
      expected: [unbalanced('10.01', '10.00', '0.01')],
    },
    {
      title: 'debits of a cent too little are refused, with a negative difference',
      lines: linesOf(['999999999999999.98', ''], ['', '999999999999999.99']),
      expected: [unbalanced('999999999999999.98', '999999999999999.99', '-0.01')],
    },
    {
      title: 'two debits without a credit are refused',
      lines: linesOf(['1.00', ''], ['1.00', '']),
      expected: [unbalanced('2.00', '0.00', '2.00')],
    },
    {
      title: 'a line with both sides is refused, and nothing is said of the balance',
      lines: linesOf(['5.00', '5.00'], ['', '7.00']),
      expected: [notOneSide(0, '5.00', '5.00')],
    },
    {
      title: 'a line without a side is refused, and so is one of zeros',
      lines: linesOf(['', ''], ['0', '0.00'], ['1.00', '']),
      expected: [notOneSide(0, '0.00', '0.00'), notOneSide(1, '0.00', '0.00')],
    },
    {
      title: 'cents are refused in a currency that has none, on whichever side they are',
      lines: linesOf(['100.50', ''], ['', '100.50'], ['100', ''], ['', '100.00']),
      currency: 'JPY',
      expected: [tooPrecise(0, 'debit', 'JPY', 0), tooPrecise(1, 'credit', 'JPY', 0)],
    },
    {
      title: 'a currency of three decimals may use the two that the contract has',
      lines: linesOf(['1.25', ''], ['', '1.25']),
      currency: 'KWD',
      expected: [],
    },
    {
      title: 'a third decimal is refused even in a currency that has it',
      lines: linesOf(['1.255', ''], ['', '1.255']),
      currency: 'KWD',
      expected: [tooPrecise(0, 'debit', 'KWD', 2), tooPrecise(1, 'credit', 'KWD', 2)],
    },
    {
      title: 'without a readable currency nothing is said of decimals, but the balance is checked',
      lines: linesOf(['100.50', ''], ['', '100.00']),
      currency: undefined,
      expected: [unbalanced('100.50', '100.00', '0.50')],
    },
    {
      title: 'with a line that cannot be read nothing is said of the balance',
      lines: [...linesOf(['100.00', '']), undefined],
      expected: [],
    },
    {
      title: 'lines beside one that cannot be read are still checked, under their own numbers',
      lines: [undefined, ...linesOf(['1.00', '1.00'])],
      expected: [notOneSide(1, '1.00', '1.00')],
    },
    { title: 'no lines have no problems of their own', lines: [], expected: [] },
  ])('$title', ({ lines, expected, ...given }) => {
    const currency = 'currency' in given ? given.currency : 'EUR';
    expect(withoutMessages(lineProblems(lines, currency))).toEqual(expected);
  });
});

describe('the rules of accounts', () => {
  test('unknown and archived accounts are named at their lines, each time they occur', () => {
    const codes = ['1010', 'nope', '9999', undefined, 'nope', '__proto__', ''];
    expect(withoutMessages(accountProblems(codes, accounts))).toEqual([
      ['account_not_found', '/entries/1/account', { account: 'nope' }],
      ['account_archived', '/entries/2/account', { account: '9999' }],
      ['account_not_found', '/entries/4/account', { account: 'nope' }],
      ['account_not_found', '/entries/5/account', { account: '__proto__' }],
      ['account_not_found', '/entries/6/account', { account: '' }],
    ]);
  });
});

test.each([
  ['MJ', '2026-01-31', 1, 'MJ-20260131-0001'],
  ['MJ', '2026-01-31', 9_999, 'MJ-20260131-9999'],
  ['MJ', '2026-01-31', 10_000, 'MJ-20260131-10000'],
  ['IJ', '0001-01-01', 123_456, 'IJ-00010101-123456'],
] as const)('in series %s the number of %s, sequence %d, is %s', (...given) => {
  const [series, date, sequence, expected] = given;
  expect(journalNumber({ series, date, sequence })).toBe(expected);
});

describe('making an entry', () => {
  test('across currencies, with shares that add up to the reporting amount', () => {
    expect(makeEntry(draft, context)).toEqual(expectedEntry);
  });

  test('in one currency, with every amount as it was', () => {
    const entry = makeEntry(
      { ...draft, reportingCurrency: 'EUR' },
      {
        ...context,
        exchangeRate: { rate: '1.00000000000', date: '2026-03-20', source: 'same_currency' },
      },
    );
    expect(entry).toEqual({
      ...expectedEntry,
      reportingCurrency: 'EUR',
      reportingAmount: '100.00',
      exchangeRate: '1.00000000000',
      exchangeRateSource: 'same_currency',
      lines: expectedEntry.lines.map((line) => ({
        ...line,
        reportingDebit: line.debit,
        reportingCredit: line.credit,
      })),
    });
  });

  test('into a currency without decimals, in whole units shown with two decimals', () => {
    const { reportingAmount, lines } = makeEntry(
      { ...draft, reportingCurrency: 'JPY' },
      {
        ...context,
        exchangeRate: { rate: '183.46000000000', date: '2026-03-20', source: 'ecb_published' },
      },
    );
    expect([
      reportingAmount,
      lines.map((line) => [line.reportingDebit, line.reportingCredit]),
    ]).toEqual([
      '18346.00',
      [
        ['12231.00', '0.00'],
        ['6115.00', '0.00'],
        ['0.00', '18346.00'],
      ],
    ]);
  });

  test.each([
    ['without an accrual date', null, { status: 'posted', postedAt: context.createdAt }],
    ['accruing before today', '2026-03-22', { status: 'posted', postedAt: context.createdAt }],
    ['accruing today', '2026-03-23', { status: 'posted', postedAt: context.createdAt }],
    ['accruing tomorrow', '2026-03-24', { status: 'scheduled', postedAt: null }],
  ])('%s', (_title, accrualDate, expected) => {
    expect(makeEntry({ ...draft, accrualDate }, context)).toEqual({
      ...expectedEntry,
      accrualDate,
      ...expected,
    });
  });

  test('reporting debits and reporting credits each add up to the reporting amount', () => {
    const cents = fc.integer({ min: 1, max: 10_000_000 });
    const side = fc.array(cents, { minLength: 1, maxLength: 30 });
    const rate = fc.integer({ min: 1, max: 2_000_000_000 });
    const currency = fc.constantFrom('USD', 'JPY', 'KWD');
    fc.assert(
      fc.property(side, side, rate, currency, (debits, credits, rate, reportingCurrency) => {
        const amount = (units: number) => new Big(units).div(100).toFixed(2);
        const sum = (units: number[]) => units.reduce((total, it) => total + it, 0);
        const difference = sum(debits) - sum(credits);
        const balancing = amount(Math.abs(difference));
        const entry = makeEntry(
          {
            ...draft,
            reportingCurrency,
            lines: [
              ...debits.map((it) => draftLine({ account: '1010', debit: amount(it) })),
              ...credits.map((it) => draftLine({ account: '1010', credit: amount(it) })),
              draftLine({ account: '1010', [difference > 0 ? 'credit' : 'debit']: balancing }),
            ],
          },
          {
            ...context,
            exchangeRate: {
              rate: new Big(rate).div(10 ** 6).toFixed(11),
              date: '2026-03-20',
              source: 'ecb_derived',
            },
          },
        );
        const total = (field: 'reportingDebit' | 'reportingCredit') =>
          sumOf(entry.lines.map((line) => parseAmount(line[field]))).toFixed(2);
        expect([total('reportingDebit'), total('reportingCredit')]).toEqual([
          entry.reportingAmount,
          entry.reportingAmount,
        ]);
      }),
    );
  });
});
