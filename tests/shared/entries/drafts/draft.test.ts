import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draftLine, lineProblems } from '#shared/entries/drafts/draft.ts';
import { makeEntry } from '#shared/entries/make-entry.ts';
import { parseAmount, sumOf } from '#shared/money/amounts.ts';
import { context, draft, expectedEntry } from '../../../support/builders/journal-entry.ts';

/** Lines as `debit/credit`, separated by blanks. `?` is an unreadable line. */
const linesOf = (text: string) =>
  (text === '' ? [] : text.split(' ')).map((line) => {
    const [debit, credit] = line.split('/');
    return line === '?' ? undefined : draftLine({ account: '1010', debit, credit });
  });

const withoutMessages = (problems: { code: string; pointer: string; params?: unknown }[]) =>
  problems.map(({ code, pointer, params }) => [code, pointer, params]);

describe('the rules of lines', () => {
  const unbalanced = (total_debits: string, total_credits: string, difference: string) => [
    'debits_must_equal_credits',
    '/entries',
    { total_debits, total_credits, difference },
  ];
  const notOneSide = (line: number, debit: string, credit = debit) => [
    'line_must_have_one_side',
    `/entries/${line}`,
    { debit, credit },
  ];
  const tooPrecise = (currency: string, decimals: number) =>
    ['/entries/0/debit', '/entries/1/credit'].map((pointer) => [
      'amount_too_precise',
      pointer,
      { currency, decimals },
    ]);
  const [most, lessThanMost] = ['999999999999999.99', '999999999999999.98'];

  test.each<[title: string, lines: string, currency: string | undefined, problems: unknown[]]>([
    ['a debit and a credit of the same amount balance', '10.00/ /10.00', 'EUR', []],
    ['several credits can balance one debit', '0.30/ /0.10 /0.20', 'EUR', []],
    ['the same amount in another form balances', '010.5/0 0.00/10.50', 'EUR', []],
    ['the largest amounts balance to the cent', `${most}/ /${most}`, 'EUR', []],
    ['a cent too much', '10.01/ /10.00', 'EUR', [unbalanced('10.01', '10.00', '0.01')]],
    [
      'a cent too little is refused with a negative difference',
      `${lessThanMost}/ /${most}`,
      'EUR',
      [unbalanced(lessThanMost, most, '-0.01')],
    ],
    ['two debits without a credit', '1.00/ 1.00/', 'EUR', [unbalanced('2.00', '0.00', '2.00')]],
    [
      'both sides on a line do not hide the balance',
      '5/5 /7',
      'EUR',
      [notOneSide(0, '5.00'), unbalanced('5.00', '12.00', '-7.00')],
    ],
    [
      'lines without a side or with two zeros are refused',
      '/ 0/0.00 1.00/ /1.00',
      'EUR',
      [notOneSide(0, '0.00'), notOneSide(1, '0.00')],
    ],
    [
      'cents in a currency without decimals, on either side',
      '100.50/ /100.50 100/ /100.00',
      'JPY',
      tooPrecise('JPY', 0),
    ],
    ['a currency with three decimals can use them', '1.255/ /1.25 /0.005', 'KWD', []],
    ['a third decimal in a currency with two', '1.255/ /1.255', 'EUR', tooPrecise('EUR', 2)],
    [
      'a thousandth too much in a currency with three decimals',
      '1.255/ /1.25',
      'KWD',
      [unbalanced('1.255', '1.250', '0.005')],
    ],
    [
      'without a readable currency only the balance is checked, not the decimals',
      '100.50/ /100.00',
      undefined,
      [unbalanced('100.50', '100.00', '0.50')],
    ],
    ['an unreadable line disables the check of the balance', '100.00/ ?', 'EUR', []],
    ['the other lines are still checked', '? 1/1', 'EUR', [notOneSide(1, '1.00')]],
    ['an empty list has no problems of lines', '', 'EUR', []],
  ])('%s', (_title, lines, currency, problems) => {
    expect(withoutMessages(lineProblems(linesOf(lines), currency))).toEqual(problems);
  });
});

describe('making an entry', () => {
  /** Makes an entry from the draft in this reporting currency at this rate. */
  const makeIn = (reportingCurrency: string, rate: string, lines = draft.lines) =>
    makeEntry(
      { ...draft, reportingCurrency, lines },
      { ...context, exchangeRate: { ...context.exchangeRate, rate } },
    );

  test('across currencies, with shares that add up to the reporting amount', () => {
    expect(makeEntry(draft, context)).toEqual(expectedEntry);
  });

  test.each([
    ['without an accrual date', null, 'posted'],
    ['accruing today', '2026-03-23', 'posted'],
    ['accruing tomorrow', '2026-03-24', 'scheduled'],
  ])('%s', (_title, accrualDate, status) => {
    const postedAt = status === 'posted' ? context.createdAt : null;
    const postingDate = accrualDate ?? draft.date;
    const expected = { ...expectedEntry, accrualDate, postingDate, status, postedAt };
    expect(makeEntry({ ...draft, accrualDate }, context)).toEqual(expected);
  });

  test('reporting debits and reporting credits each add up to the reporting amount', () => {
    const side = fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 30 });
    const rate = fc.integer({ min: 1, max: 2_000_000_000 });
    const currency = fc.constantFrom('USD', 'JPY', 'KWD');
    const sum = (units: number[]) => units.reduce((total, it) => total + it, 0);
    const amount = (units: number) => new Big(units).div(100).toFixed(2);
    const linesIn = (field: 'debit' | 'credit', units: number[]) =>
      units.map((it) => draftLine({ account: '1010', [field]: amount(it) }));
    fc.assert(
      fc.property(side, side, rate, currency, (debits, credits, rate, reportingCurrency) => {
        const difference = sum(debits) - sum(credits);
        const balancing = linesIn(difference > 0 ? 'credit' : 'debit', [Math.abs(difference)]);
        const lines = [...linesIn('debit', debits), ...linesIn('credit', credits), ...balancing];
        const entry = makeIn(reportingCurrency, new Big(rate).div(10 ** 6).toFixed(11), lines);
        for (const field of ['reportingDebit', 'reportingCredit'] as const) {
          const shares = entry.lines.map((line) => parseAmount(line[field]));
          const decimals = reportingCurrency === 'KWD' ? 3 : 2;
          expect(sumOf(shares).toFixed(decimals)).toBe(entry.reportingAmount);
        }
      }),
    );
  });
});
