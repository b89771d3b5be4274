import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account } from '#shared/domain/accounts.ts';
import { parseAmount, sumOf } from '#shared/domain/amounts.ts';
import {
  accountProblems,
  differences,
  draftLine,
  type EntryContext,
  type EntryDraft,
  type JournalEntry,
  journalNumber,
  lineProblems,
  makeEntry,
  pointerList,
} from '#shared/domain/journal-entries.ts';

const account = (code: string, more: Partial<Account> = {}): [string, Account] => [
  code,
  { code, name: `Account ${code}`, type: 'asset', status: 'active', ...more },
];
const accounts = new Map([
  account('1010', { name: 'Bank' }),
  account('4010', { name: 'Service Revenue', type: 'revenue' }),
  account('9999', { status: 'archived' }),
]);

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
  ['2026-01-31', 1, 'MJ-20260131-0001'],
  ['2026-01-31', 9_999, 'MJ-20260131-9999'],
  ['2026-01-31', 10_000, 'MJ-20260131-10000'],
  ['0001-01-01', 123_456, 'MJ-00010101-123456'],
])('the number of %s, sequence %d, is %s', (date, sequence, expected) => {
  expect(journalNumber(date, sequence)).toBe(expected);
});

const draft: EntryDraft = {
  date: '2026-03-20',
  memo: 'March consulting',
  transactionCurrency: 'EUR',
  reportingCurrency: 'USD',
  lines: [
    draftLine({ account: '1010', debit: '66.67', credit: '', description: 'Received' }),
    draftLine({ account: '1010', debit: 33.33 }),
    draftLine({ account: '4010', credit: '100' }),
  ],
  accrualDate: null,
  externalId: 'invoice-42',
};

const context: EntryContext = {
  accounts,
  exchangeRate: { rate: '1.15960000000', date: '2026-03-20', source: 'ecb_published' },
  entryId: 'entry-1',
  createdAt: '2026-03-23T23:59:59.999Z',
  createdWithKey: 'key-1',
};

const expectedEntry: Omit<JournalEntry, 'journalNumber'> = {
  entryId: 'entry-1',
  date: '2026-03-20',
  memo: 'March consulting',
  entryType: 'Manual Journal',
  status: 'posted',
  accrualDate: null,
  externalId: 'invoice-42',
  transactionCurrency: 'EUR',
  transactionAmount: '100.00',
  reportingCurrency: 'USD',
  reportingAmount: '115.96',
  exchangeRate: '1.15960000000',
  exchangeRateDate: '2026-03-20',
  exchangeRateSource: 'ecb_published',
  lines: [
    {
      lineNumber: 1,
      account: '1010',
      accountName: 'Bank',
      description: 'Received',
      debit: '66.67',
      credit: '0.00',
      reportingDebit: '77.31',
      reportingCredit: '0.00',
    },
    {
      lineNumber: 2,
      account: '1010',
      accountName: 'Bank',
      description: '',
      debit: '33.33',
      credit: '0.00',
      reportingDebit: '38.65',
      reportingCredit: '0.00',
    },
    {
      lineNumber: 3,
      account: '4010',
      accountName: 'Service Revenue',
      description: '',
      debit: '0.00',
      credit: '100.00',
      reportingDebit: '0.00',
      reportingCredit: '115.96',
    },
  ],
  createdAt: '2026-03-23T23:59:59.999Z',
  createdWithKey: 'key-1',
  postedAt: '2026-03-23T23:59:59.999Z',
};

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

describe('where a repeated request differs', () => {
  const original: JournalEntry = { ...expectedEntry, journalNumber: 'MJ-20260320-0001' };
  const [first, second, third] = draft.lines as [
    EntryDraft['lines'][0],
    EntryDraft['lines'][0],
    EntryDraft['lines'][0],
  ];

  test.each<[string, Partial<EntryDraft>, string[]]>([
    ['nowhere', {}, []],
    ['in its date', { date: '2026-03-21' }, ['/date']],
    ['in its memo, even by a blank', { memo: 'March consulting ' }, ['/memo']],
    ['in its transaction currency', { transactionCurrency: 'USD' }, ['/transactionCurrency']],
    ['in its reporting currency', { reportingCurrency: 'EUR' }, ['/reportingCurrency']],
    [
      'in an accrual date that the original has not',
      { accrualDate: '2026-04-01' },
      ['/accrual_date'],
    ],
    [
      'nowhere, where amounts are only written otherwise',
      {
        lines: [
          { ...first, debit: parseAmount('066.670') },
          { ...second, debit: parseAmount('33.33') },
          third,
        ],
      },
      [],
    ],
    [
      'in every field of a line',
      {
        lines: [
          first,
          draftLine({ account: '4010', credit: '33.33', description: 'Other' }),
          third,
        ],
      },
      ['account', 'description', 'debit', 'credit'].map((field) => `/entries/1/${field}`),
    ],
    ['in a line that is missing', { lines: [first, second] }, ['/entries/2']],
    ['in a line more', { lines: [first, second, third, third] }, ['/entries/3']],
    [
      'in the order of its lines',
      { lines: [second, first, third] },
      ['/entries/0/description', '/entries/0/debit', '/entries/1/description', '/entries/1/debit'],
    ],
    [
      'everywhere',
      {
        date: '2026-03-21',
        memo: 'Other',
        transactionCurrency: 'USD',
        reportingCurrency: 'EUR',
        accrualDate: '2026-04-01',
        lines: [],
      },
      [
        '/date',
        '/memo',
        '/transactionCurrency',
        '/reportingCurrency',
        '/accrual_date',
        '/entries/0',
        '/entries/1',
        '/entries/2',
      ],
    ],
  ])('%s', (_title, changed, expected) => {
    expect(differences({ ...draft, ...changed }, original)).toEqual(expected);
  });
});

describe('pointers in a header', () => {
  const pointers = ['/memo', '/entries/0/debit', '/entries/0/credit', '/entries/12/account'];
  const inFull = '/memo, /entries/0/debit, /entries/0/credit, /entries/12/account';
  const byLine = '/memo, /entries/0, /entries/12';
  const byField = '/memo, /entries';

  test.each([
    ['name every field where they fit exactly', inFull.length, inFull],
    ['name whole lines where fields do not fit', inFull.length - 1, byLine],
    ['name whole lines where those fit exactly', byLine.length, byLine],
    ['name all lines at once where each does not fit', byLine.length - 1, byField],
  ])('%s', (_title, longest, expected) => {
    expect(pointerList(pointers, longest)).toBe(expected);
  });

  test('always fit a header of 4,096 characters, and name a parent of every pointer', () => {
    const pointer = fc.oneof(
      fc.constantFrom(
        '/date',
        '/memo',
        '/transactionCurrency',
        '/reportingCurrency',
        '/accrual_date',
      ),
      fc
        .tuple(fc.nat(499), fc.constantFrom('', '/account', '/description', '/debit', '/credit'))
        .map(([line, field]) => `/entries/${line}${field}`),
    );
    fc.assert(
      fc.property(fc.uniqueArray(pointer, { maxLength: 2_000, size: 'max' }), (differing) => {
        const list = pointerList(differing, 4_096);
        expect(list.length).toBeLessThanOrEqual(4_096);
        const named = list.split(', ');
        for (const it of differing) {
          expect(named.some((parent) => it === parent || it.startsWith(`${parent}/`))).toBe(true);
        }
      }),
    );
  });
});
