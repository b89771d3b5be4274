import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Account, isCash } from '#shared/domain/accounts.ts';
import { formatHundredths } from '#shared/domain/hundredths.ts';
import { type CashFlow, cashFlowOf } from '#shared/domain/reports/cash-flow.ts';
import { profitAndLossOf } from '#shared/domain/reports/profit-and-loss.ts';
import { sumStatementSheets, withAccounts } from '#shared/domain/reports/statement-sums.ts';
import {
  accountsIn,
  anyBooks,
  chartOf,
  dates,
  debitedTo,
  shown,
  type TestEntry,
} from '../../../support/builders/statement-books.ts';

describe('a statement of cash flows', () => {
  test('comes to the cash accounts, by both methods, whatever the accounts are', () => {
    const two = fc.shuffledSubarray(dates, { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(anyBooks, two, (books, period) => {
        const [from, to] = period.toSorted() as [string, string];
        const accounts = accountsIn(books, { from, to });
        const direct = cashFlowOf(accounts, 'direct');
        const indirect = cashFlowOf(accounts, 'indirect');
        const { operating: _direct, ...sections } = direct;
        const { operating, ...same } = indirect;
        expect(same).toEqual(sections);
        expect(operating).toMatchObject({
          ...{ total: direct.operating.total, profit: profitAndLossOf(accounts).profit },
        });
        const cashAt = (isCounted: (entry: TestEntry) => boolean) =>
          debitedTo(books, isCash, isCounted);
        expect([direct.openingCash, direct.closingCash]).toEqual([
          ...[cashAt(({ date }) => date < from), cashAt(({ date }) => date <= to)],
        ]);
        expect(direct.openingCash + direct.netChange).toBe(direct.closingCash);
        const sumOf = (end: 'opening' | 'closing') =>
          direct.cashAccounts.reduce((total, account) => total + account[end], 0n);
        expect([sumOf('opening'), sumOf('closing')]).toEqual([
          ...[direct.openingCash, direct.closingCash],
        ]);
      }),
      { numRuns: 200 },
    );
  });

  test('has of each account what it did in entries that touch cash, in one place', () => {
    fc.assert(
      fc.property(anyBooks, (books) => {
        const period = { from: '2024-01-01', to: '2025-01-01' };
        const flows = cashFlowOf(accountsIn(books, period), 'direct');
        if (flows.operating.method !== 'direct') throw new Error('another method');
        const { operating, investing, financing, unclassified } = flows;
        const all = [operating, investing, financing, unclassified].flatMap((it) => it.accounts);
        const isCounted = ({ date, lines }: TestEntry) =>
          date >= period.from &&
          date <= period.to &&
          lines.some(([code]) => isCash(books.chart.get(code) ?? {}));
        const isExchange = ({ type, role }: Account) =>
          role === 'fx_gain_loss' && (type === 'revenue' || type === 'expense');
        const effects = [...books.chart.values()]
          .filter((account) => !isCash(account) && !isExchange(account))
          .map(
            ({ code }) => [code, -debitedTo(books, (it) => it.code === code, isCounted)] as const,
          )
          .filter(([, effect]) => effect !== 0n);
        const found = all.map(({ account, amount }) => [account.code, amount]);
        expect(found.toSorted()).toEqual(effects.toSorted());
        expect(flows.effectOfExchangeRates).toBe(-debitedTo(books, isExchange, isCounted));
      }),
    );
  });
});

type Shown = Record<string, string>;
type Expected = {
  direct?: Shown;
  indirect?: { profit?: string; items?: Shown; movements?: Shown; nonCash?: string };
  investing?: Shown;
  financing?: Shown;
  exchangeRates?: string;
  unclassified?: Shown;
  cash?: Record<string, [opening: string, closing: string]>;
};

const shownOf = ({ operating, ...flows }: CashFlow): Expected => ({
  ...(operating.method === 'direct' && { direct: shown(operating) }),
  ...(operating.method === 'indirect' && {
    indirect: {
      profit: formatHundredths(operating.profit),
      items: shown(operating.itemsOfOtherSections),
      movements: shown(operating.movements),
      nonCash: formatHundredths(operating.nonCashInvestingAndFinancing),
    },
  }),
  ...{ investing: shown(flows.investing), financing: shown(flows.financing) },
  exchangeRates: formatHundredths(flows.effectOfExchangeRates),
  unclassified: shown(flows.unclassified),
  cash: Object.fromEntries(
    flows.cashAccounts.map(({ account, opening, closing }) => [
      account.code,
      [formatHundredths(opening), formatHundredths(closing)],
    ]),
  ),
});

const chart = chartOf(
  {
    code: '2010',
    name: 'Suppliers of machines',
    type: 'liability',
    cashFlow: 'investing',
    status: 'active',
  },
  { code: '2410', name: 'Overdraft', type: 'liability', cashFlow: 'cash', status: 'active' },
);
const before = '2026-01-15';
const within = '2026-02-15';
const machineOnCredit = {
  date: before,
  lines: [
    ['1510', 100_000],
    ['2000', -100_000],
  ],
} as const;

describe('a period', () => {
  test.each<[string, readonly TestEntry[], Expected]>([
    [
      'in which a machine is bought on credit has no flow',
      [{ ...machineOnCredit, date: within }],
      { indirect: { movements: { 2000: '1000.00' }, nonCash: '-1000.00' } },
    ],
    [
      'in which it is paid for has a flow of the payable',
      [
        machineOnCredit,
        {
          date: within,
          lines: [
            ['2000', 100_000],
            ['1010', -100_000],
          ],
        },
      ],
      {
        direct: { 2000: '-1000.00' },
        indirect: { movements: { 2000: '-1000.00' } },
        cash: { 1010: ['0.00', '-1000.00'] },
      },
    ],
    [
      'in which one is paid for by a payable for machines has an investing outflow',
      [
        {
          date: before,
          lines: [
            ['1510', 100_000],
            ['2010', -100_000],
          ],
        },
        {
          date: within,
          lines: [
            ['2010', 100_000],
            ['1010', -100_000],
          ],
        },
      ],
      { investing: { 2010: '-1000.00' }, cash: { 1010: ['0.00', '-1000.00'] } },
    ],
    [
      'of depreciation adds it to profit',
      [
        {
          date: within,
          lines: [
            ['6600', 20_000],
            ['1590', -20_000],
          ],
        },
      ],
      { indirect: { profit: '-200.00', movements: { 1590: '200.00' } } },
    ],
    [
      'in which a licence is sold has its amortisation as part of that',
      [
        {
          date: within,
          lines: [['1010', 3_000], ['1690', 7_000], ['1600', -10_000]],
        },
      ],
      { investing: { 1600: '100.00', 1690: '-70.00' }, cash: { 1010: ['0.00', '30.00'] } },
    ],
    [
        {
          date: within,
          lines: [
            ['6600', 300],
            ['1690', -300],
          ],
        },
      ],
      { indirect: { profit: '-3.00', movements: { 1690: '3.00' } } },
    ],
    [
      'of a disposal for cash has the proceeds, made of all that it changed',
      [
        {
          date: within,
          lines: [
            ['1010', 30_000],
            ['1590', 75_000],
            ['1510', -100_000],
            ['7200', -5_000],
          ],
        },
      ],
      {
        investing: { 1510: '1000.00', 1590: '-750.00', 7200: '50.00' },
        indirect: { profit: '50.00', items: { 7200: '-50.00' } },
        cash: { 1010: ['0.00', '300.00'] },
      },
    ],
    [
      'of a disposal on credit has no flow',
      [
        {
          date: within,
          lines: [
            ['1100', 30_000],
            ['1590', 75_000],
            ['1510', -100_000],
            ['7200', -5_000],
          ],
        },
      ],
      {
        indirect: {
          ...{ profit: '50.00', items: { 7200: '-50.00' }, nonCash: '1050.00' },
          movements: { 1100: '-300.00', 1590: '-750.00' },
        },
      },
    ],
    [
      'in which a receivable is worth more has no flow',
      [
        {
          date: within,
          lines: [
            ['1100', 500],
            ['7100', -500],
          ],
        },
      ],
      { indirect: { profit: '5.00', movements: { 1100: '-5.00' } } },
    ],
    [
      'in which one is paid at another rate has the difference apart',
      [
        {
          date: within,
          lines: [
            ['1010', 10_300],
            ['1100', -10_000],
            ['7100', -300],
          ],
        },
      ],
      {
        direct: { 1100: '100.00' },
        indirect: { profit: '3.00', items: { 7100: '-3.00' }, movements: { 1100: '100.00' } },
        ...{ exchangeRates: '3.00', cash: { 1010: ['0.00', '103.00'] } },
      },
    ],
    [
      'in which cash is worth less has that as an effect of exchange rates',
      [
        {
          date: within,
          lines: [
            ['7100', 200],
            ['1010', -200],
          ],
        },
      ],
      {
        indirect: { profit: '-2.00', items: { 7100: '2.00' } },
        ...{ exchangeRates: '-2.00', cash: { 1010: ['0.00', '-2.00'] } },
      },
    ],
    [
      'of a loan has it as financing, and its interest as operating',
      [
        {
          date: within,
          lines: [
            ['1010', 50_000],
            ['2500', -50_000],
          ],
        },
        {
          date: within,
          lines: [
            ['7000', 400],
            ['2500', 600],
            ['1010', -1_000],
          ],
        },
      ],
      {
        direct: { 7000: '-4.00' },
        indirect: { profit: '-4.00' },
        ...{ financing: { 2500: '494.00' }, cash: { 1010: ['0.00', '490.00'] } },
      },
    ],
    [
      'in which a dividend is declared has no flow, and one in which it is paid has',
      [
        {
          date: within,
          lines: [
            ['3100', 9_000],
            ['2450', -9_000],
          ],
        },
        {
          date: within,
          lines: [
            ['2450', 4_000],
            ['1010', -4_000],
          ],
        },
      ],
      { financing: { 2450: '-40.00' }, cash: { 1010: ['0.00', '-40.00'] } },
    ],
    [
      'of opening balances has what has no class apart',
      [
        {
          date: within,
          lines: [
            ['1010', 100_000],
            ['1100', 50_000],
            ['2000', -20_000],
            ['3900', -130_000],
          ],
        },
      ],
      {
        direct: { 1100: '-500.00', 2000: '200.00' },
        indirect: { movements: { 1100: '-500.00', 2000: '200.00' } },
        ...{ unclassified: { 3900: '1300.00' }, cash: { 1010: ['0.00', '1000.00'] } },
      },
    ],
    [
      'after opening balances begins with their cash',
      [
        {
          date: before,
          lines: [
            ['1010', 100_000],
            ['3900', -100_000],
          ],
        },
      ],
      { cash: { 1010: ['1000.00', '1000.00'] } },
    ],
    [
      'in which a bank account is emptied shows what it was',
      [
        {
          date: before,
          lines: [
            ['1010', 400],
            ['3000', -400],
          ],
        },
        {
          date: within,
          lines: [
            ['1000', 400],
            ['1010', -400],
          ],
        },
      ],
      { cash: { 1000: ['0.00', '4.00'], 1010: ['4.00', '0.00'] } },
    ],
    [
      'in which cash is moved has no flow, and an overdraft is less cash',
      [
        {
          date: before,
          lines: [
            ['6000', 700],
            ['2410', -700],
          ],
        },
        {
          date: within,
          lines: [
            ['2410', 200],
            ['1000', -200],
          ],
        },
      ],
      { cash: { 1000: ['0.00', '-2.00'], 2410: ['-7.00', '-5.00'] } },
    ],
  ])('%s', (_title, entries, expected) => {
    const accounts = accountsIn({ entries, chart }, { from: '2026-02-01', to: '2026-02-28' });
    const { indirect, direct = {}, ...sections } = expected;
    const nothing = { investing: {}, financing: {}, unclassified: {}, cash: {} };
    const flows = { ...nothing, exchangeRates: '0.00', ...sections };
    const none = { profit: '0.00', items: {}, movements: {}, nonCash: '0.00' };
    expect(shownOf(cashFlowOf(accounts, 'direct'))).toEqual({ ...flows, direct });
    expect(shownOf(cashFlowOf(accounts, 'indirect'))).toEqual({
      ...{ ...flows, indirect: { ...none, ...indirect } },
    });
  });
});

test.each([
  ['direct', 'closing cash by flows and by accounts: 4.00 and 5.00'],
  ['indirect', 'operating cash flows by both methods: 4.00 and 5.00'],
] as const)('%s cash flows that are not what cash moved by are refused', (method, message) => {
  const sheets = [{ date: '2026-01-01', rows: '1010\t\t5\n4010\t\t\t5\t4' }];
  const accounts = withAccounts(sumStatementSheets(sheets, '2026-01-01'), chart);
  expect(() => cashFlowOf(accounts, method)).toThrow(message);
});
