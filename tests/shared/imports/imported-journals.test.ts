import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ImportedJournal } from '#shared/entries/journal-entry.ts';
import {
  type ImportRejection,
  type JournalToImport,
  makeImportedJournal,
} from '#shared/imports/imported-journals.ts';
import { formatAmount, parseAmount, sumOf } from '#shared/money/amounts.ts';
import {
  credit,
  debit,
  entryOf,
  journalToImport,
} from '../../support/builders/platforms/platform-journal.ts';

const context = {
  tenantCurrency: 'EUR',
  createdAt: '2026-03-23T23:59:59.999Z',
};
const judge = (changes: Partial<JournalToImport>, tenantCurrency = 'EUR') =>
  makeImportedJournal(journalToImport(changes), { ...context, tenantCurrency });
const make = (...given: Parameters<typeof judge>) => entryOf(judge(...given));

const inDollars = (exchangeRate: string | null) => ({
  currency: 'USD',
  exchangeRate: exchangeRate === null ? null : new Big(exchangeRate),
});
const bothSides = (amount: string) => ({ lines: [debit(amount), credit(amount)] });
const linesOf = (count: number) => ({
  lines: Array.from({ length: count / 2 }, () => bothSides('1').lines).flat(),
});

describe('a journal is refused', () => {
  test.each<[string, ImportRejection, Partial<JournalToImport>]>([
    ['with a date that does not exist', 'date_not_valid', { date: '2026-02-29' }],
    ['with a date in another form', 'date_not_valid', { date: '20.03.2026' }],
    ['without a date', 'date_not_valid', { date: '' }],
    ['in an unknown currency', 'currency_unknown', { ...inDollars('1'), currency: 'XXX' }],
    ['in a currency in lower case', 'currency_unknown', { currency: 'eur' }],
    ['without lines', 'too_few_lines', { lines: [] }],
    ['with one line', 'too_few_lines', { lines: [debit('0')] }],
    ['with more lines than the maximum', 'too_many_lines', linesOf(1_502)],
    ['with a third decimal', 'amount_too_precise', bothSides('0.001')],
    [
      'with a fourth decimal in a currency with three',
      'amount_too_precise',
      { ...bothSides('0.0001'), currency: 'KWD' },
    ],
    [
      'with a third decimal that the total does not have',
      'amount_too_precise',
      { lines: [debit('1'), credit('0.995'), credit('0.005')] },
    ],
    [
      'that is unbalanced by a cent',
      'debits_must_equal_credits',
      { lines: [debit('100.01'), credit('100')] },
    ],
    ['that has debits only', 'debits_must_equal_credits', { lines: [debit('100'), debit('100')] }],
    ['in another currency without a rate', 'exchange_rate_missing', inDollars(null)],
    ['with a rate of zero', 'exchange_rate_missing', inDollars('0')],
    ['with a rate below zero', 'exchange_rate_missing', inDollars('-1.1')],
    ['with a rate that is zero to eleven decimals', 'exchange_rate_missing', inDollars('5e-12')],
    ['with an amount over the maximum', 'amount_too_large', bothSides('1000000000000000')],
    [
      'with a total over the maximum',
      'amount_too_large',
      { lines: [...bothSides('999999999999999.99').lines, ...bothSides('0.01').lines] },
    ],
    [
      "with a total over the maximum in the tenant's currency",
      'amount_too_large',
      { ...bothSides('500000000000000'), ...inDollars('2') },
    ],
  ])('%s: %s', (_, refusal, changes) => {
    expect(judge(changes)).toEqual({ rejected: refusal });
  });
});

describe('a journal is accepted', () => {
  test.each<[string, Partial<JournalToImport>]>([
    ['on the first possible date', { date: '0001-01-01' }],
    ['with the maximum amount', bothSides('999999999999999.99')],
    [
      "with the maximum amount in the tenant's currency",
      { ...bothSides('499999999999999.99'), ...inDollars('2') },
    ],
    ['with a rate of one hundred-thousand-millionth', inDollars('0.00000000001')],
    ['with a rate that rounds to it', inDollars('0.000000000005000000001')],
    ['with decimals that are zero', bothSides('1.5000')],
    ['with only zeros', bothSides('0')],
    ['with the maximum number of lines', linesOf(1_500)],
  ])('%s', (_, changes) => {
    expect(judge(changes)).toHaveProperty('entry');
  });
});

describe('the entry of a journal', () => {
  const common = {
    date: '2026-03-20',
    postingDate: '2026-03-20',
    memo: 'March consulting',
    entryType: 'Imported Journal',
    status: 'posted',
    accrualDate: null,
    externalId: null,
    platformReference: 'journal-1',
    reportingCurrency: 'EUR',
    bookCurrency: 'EUR',
    exchangeRateDate: '2026-03-20',
    metadata: {},
    reverses: null,
    reversedBy: null,
    cancelledAt: null,
    createdAt: context.createdAt,
    createdWithKey: null,
    userId: null,
    postedAt: context.createdAt,
  };

  test("in the tenant's currency keeps all amounts and ignores the rate", () => {
    const entry = make({ exchangeRate: new Big('1.1') });
    expect(entry).toEqual({
      ...common,
      transactionCurrency: 'EUR',
      transactionAmount: '100.00',
      reportingAmount: '100.00',
      bookAmount: '100.00',
      exchangeRate: '1.00000000000',
      bookExchangeRate: '1.00000000000',
      exchangeRateSource: 'same_currency',
      lines: [
        {
          lineNumber: 1,
          account: '1010',
          accountName: 'Bank',
          description: '',
          debit: '100.00',
          credit: '0.00',
          reportingDebit: '100.00',
          reportingCredit: '0.00',
          bookDebit: '100.00',
          bookCredit: '0.00',
          lineClass: 'cash',
        },
        {
          lineNumber: 2,
          account: 'ID-4f1c',
          accountName: 'Service Revenue',
          description: '',
          debit: '0.00',
          credit: '100.00',
          reportingDebit: '0.00',
          reportingCredit: '100.00',
          bookDebit: '0.00',
          bookCredit: '100.00',
          lineClass: 'profit',
        },
      ],
    });
    const recorded = {
      ...entry,
      entryId: 'entry-1',
      journalNumber: 'IJ-20260320-0001',
      postingSequence: 1,
      hash: 'a',
      hashVersion: 2,
    };
    expect(ImportedJournal.parse(recorded)).toEqual(recorded);
  });

  test('in another currency has shares that add up, at the rate of the platform', () => {
    const entry = make({
      ...inDollars('0.8623663332'),
      lines: [debit('66.67'), debit('33.33'), credit('100')],
    });
    expect(entry).toMatchObject({
      ...common,
      transactionCurrency: 'USD',
      transactionAmount: '100.00',
      reportingAmount: '86.24',
      bookAmount: '86.24',
      exchangeRate: '0.86236633320',
      bookExchangeRate: '0.86236633320',
      exchangeRateSource: 'platform',
    });
    const shares = [
      ['57.50', '0.00'],
      ['28.74', '0.00'],
      ['0.00', '86.24'],
    ];
    expect(entry.lines.map((it) => [it.reportingDebit, it.reportingCredit])).toEqual(shares);
    expect(entry.lines.map((it) => [it.bookDebit, it.bookCredit])).toEqual(shares);
  });

  test.each<[string, (string | null)[], string | null]>([
    ['as stated', ['57.49', '28.75', '86.24'], null],
    ['as stated, even with another total', ['57.00', '28.00', '85'], null],
    ['computed if one is not stated', ['57.49', null, '86.24'], '57.50'],
    ['computed if they do not balance', ['57.49', '28.74', '86.24'], '57.50'],
    ['computed if one is negative', ['100.24', '-14', '86.24'], '57.50'],
    ['computed if one has a third decimal', ['57.491', '28.749', '86.24'], '57.50'],
    [
      'computed if they exceed the maximum',
      ['999999999999999.99', '1', '1000000000000000.99'],
      '57.50',
    ],
  ])('in another currency has reporting amounts %s', (_, stated, computed) => {
    const sides = [debit('66.67'), debit('33.33'), credit('100')];
    const lines = sides.map((line, index) => {
      const amount = stated[index];
      return { ...line, reportingAmount: amount == null ? null : new Big(amount) };
    });
    const entry = make({ ...inDollars('0.8623663332'), lines });
    const total = parseAmount(computed ? '86.24' : (stated[2] ?? '')).toFixed(2);
    expect(entry).toMatchObject({ reportingAmount: total, exchangeRate: '0.86236633320' });
    const [first] = entry.lines;
    expect(first?.reportingDebit).toBe(computed ?? parseAmount(stated[0] ?? '').toFixed(2));
  });

  test("in the tenant's currency ignores stated amounts", () => {
    const lines = bothSides('100').lines.map((it) => ({ ...it, reportingAmount: new Big('99') }));
    expect(make({ lines }).reportingAmount).toBe('100.00');
  });

  test('keeps its decimals in its own currency, even if ISO 4217 has none', () => {
    const entry = make({ currency: 'JPY', lines: [debit('0.4'), credit('0.4')] }, 'JPY');
    expect([entry.transactionAmount, entry.reportingAmount]).toEqual(['0.40', '0.40']);
    expect(entry.lines.map((it) => [it.reportingDebit, it.reportingCredit])).toEqual([
      ['0.40', '0.00'],
      ['0.00', '0.40'],
    ]);
  });

  test.each([
    ['is shown with eleven decimals', '1.1', '1.10000000000'],
    ['is rounded half down to an even digit', '0.123456789045', '0.12345678904'],
    ['is rounded up beyond the half', '0.1234567890450000000001', '0.12345678905'],
  ])('has a rate that %s', (_, given, shown) => {
    expect(make(inDollars(given)).exchangeRate).toBe(shown);
  });
});

test('a memo and a description are truncated to whole characters', () => {
  const note = (length: number) => '🧾'.repeat(length);
  const lines = [{ ...debit('1'), description: note(256) }, credit('1')];
  const entry = make({ memo: note(1001), lines });
  const descriptions = entry.lines.map((line) => line.description);
  expect([entry.memo, ...descriptions]).toEqual([note(1000), note(255), '']);
});

describe('of any journal', () => {
  const cents = fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 1, max: 10_000_000_000 }),
  );
  const side = fc.array(cents, { minLength: 1, maxLength: 30 });
  const amountOf = (units: number): string => new Big(units).div(100).toFixed(2);
  const sum = (units: number[]): number => units.reduce((total, it) => total + it, 0);
  /** Lines that balance: the last line has the difference. */
  const balanced = fc.tuple(side, side).map(([debits, credits]) => {
    const difference = sum(debits) - sum(credits);
    const last = amountOf(Math.abs(difference));
    return [
      ...debits.map((units) => debit(amountOf(units))),
      ...credits.map((units) => credit(amountOf(units))),
      difference > 0 ? credit(last) : debit(last),
    ];
  });
  const rate = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.integer({ min: 8, max: 20 }))
    .map(([digits, decimals]) => new Big(`${digits}e-${decimals}`))
    .filter((it) => it.gt('1e-11') && it.lt(20_000));
  const totalOf = (
    entry: { lines: ImportedJournal['lines'] },
    field: 'debit' | 'credit' | 'reportingDebit' | 'reportingCredit',
    currency = 'EUR',
  ): string => formatAmount(sumOf(entry.lines.map((line) => parseAmount(line[field]))), currency);

  test('debits and credits both equal the amount, in both currencies', () => {
    fc.assert(
      fc.property(
        balanced,
        rate,
        fc.constantFrom('USD', 'JPY', 'KWD'),
        fc.constantFrom('EUR', 'ISK', 'BHD'),
        (lines, exchangeRate, currency, tenantCurrency) => {
          const entry = make({ lines, currency, exchangeRate }, tenantCurrency);
          const { transactionAmount, reportingAmount } = entry;
          expect({
            debits: totalOf(entry, 'debit', currency),
            credits: totalOf(entry, 'credit', currency),
            reportingDebits: totalOf(entry, 'reportingDebit', tenantCurrency),
            reportingCredits: totalOf(entry, 'reportingCredit', tenantCurrency),
          }).toEqual({
            debits: transactionAmount,
            credits: transactionAmount,
            reportingDebits: reportingAmount,
            reportingCredits: reportingAmount,
          });
          const decimals = { EUR: 2, ISK: 0, BHD: 3 }[tenantCurrency];
          const exact = parseAmount(transactionAmount).times(entry.exchangeRate);
          const rounded = exact.round(decimals, Big.roundHalfUp);
          expect(reportingAmount).toBe(rounded.toFixed(Math.max(decimals, 2)));
        },
      ),
    );
  });

  test('stated amounts for every line that balance are the reporting amounts', () => {
    fc.assert(
      fc.property(balanced, rate, (amounts, exchangeRate) => {
        // Each line is ten times the amount in dollars, regardless of the rate.
        const lines = amounts.map((it) => ({
          ...it,
          debit: it.debit.times(10),
          credit: it.credit.times(10),
          reportingAmount: it.debit.plus(it.credit),
        }));
        const entry = make({ lines, currency: 'USD', exchangeRate });
        expect(entry.lines.map((it) => [it.reportingDebit, it.reportingCredit])).toEqual(
          amounts.map((it) => [it.debit.toFixed(2), it.credit.toFixed(2)]),
        );
        expect(totalOf(entry, 'reportingCredit')).toBe(entry.reportingAmount);
      }),
    );
  });
});
