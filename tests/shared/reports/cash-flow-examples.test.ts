import { describe, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/accounts.ts';
import { formatHundredths } from '#shared/money/hundredths.ts';
import { type CashFlow, cashFlowOf } from '#shared/reports/cash-flow.ts';
import {
  accountsIn,
  chartOf,
  shown,
  type TestEntry,
} from '../../support/builders/statement-books.ts';

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

const liability = (code: string, cashFlow: 'investing' | 'cash'): Account => ({
  ...{ code, name: `Account ${code}`, type: 'liability', cashFlow, status: 'active' },
});
const [suppliersOfMachines, overdraft] = [
  liability('2010', 'investing'),
  liability('2410', 'cash'),
];
/** A bank account that its platform changed to an expense account. */
const formerBank: Account = { ...overdraft, code: '6010', type: 'expense' };
const chart = chartOf(suppliersOfMachines, overdraft, formerBank);

/** An entry as text: accounts and their debits. */
const entryOn =
  (date: string) =>
  (text: string): TestEntry => ({
    date,
    lines: text.split(', ').map((line) => {
      const [account = '', debit] = line.split(' ');
      return [account, 100 * Number(debit)];
    }),
  });
const [earlier, within] = [entryOn('2026-01-15'), entryOn('2026-02-15')];

describe('a period', () => {
  test.each<[string, TestEntry[], Expected]>([
    [
      'with a machine bought on credit has no flow',
      [within('1510 1000, 2000 -1000')],
      { indirect: { movements: { 2000: '1000.00' }, nonCash: '-1000.00' } },
    ],
    [
      'with the payment of the machine has a flow of the payable',
      [earlier('1510 1000, 2000 -1000'), within('2000 1000, 1010 -1000')],
      {
        direct: { 2000: '-1000.00' },
        indirect: { movements: { 2000: '-1000.00' } },
        cash: { 1010: ['0.00', '-1000.00'] },
      },
    ],
    [
      'with a payment on a payable for machines has an investing outflow',
      [earlier('1510 1000, 2010 -1000'), within('2010 1000, 1010 -1000')],
      { investing: { 2010: '-1000.00' }, cash: { 1010: ['0.00', '-1000.00'] } },
    ],
    [
      'with depreciation adds it to profit',
      [within('6600 200, 1590 -200')],
      { indirect: { profit: '-200.00', movements: { 1590: '200.00' } } },
    ],
    [
      'with a disposal for cash shows the proceeds by account',
      [within('1010 300, 1590 750, 1510 -1000, 7200 -50')],
      {
        investing: { 1510: '1000.00', 1590: '-750.00', 7200: '50.00' },
        indirect: { profit: '50.00', items: { 7200: '-50.00' } },
        cash: { 1010: ['0.00', '300.00'] },
      },
    ],
    [
      'with a disposal on credit has no flow',
      [within('1100 300, 1590 750, 1510 -1000, 7200 -50')],
      {
        indirect: {
          ...{ profit: '50.00', items: { 7200: '-50.00' }, nonCash: '1050.00' },
          movements: { 1100: '-300.00', 1590: '-750.00' },
        },
      },
    ],
    [
      'with the sale of a licence includes its amortisation in the sale',
      [within('1010 30, 1690 70, 1600 -100')],
      { investing: { 1600: '100.00', 1690: '-70.00' }, cash: { 1010: ['0.00', '30.00'] } },
    ],
    [
      'with a revalued receivable has no flow',
      [within('1100 5, 7100 -5')],
      { indirect: { profit: '5.00', movements: { 1100: '-5.00' } } },
    ],
    [
      'with a receivable paid at another rate shows the difference separately',
      [within('1010 103, 1100 -100, 7100 -3')],
      {
        direct: { 1100: '100.00' },
        indirect: { profit: '3.00', items: { 7100: '-3.00' }, movements: { 1100: '100.00' } },
        ...{ exchangeRates: '3.00', cash: { 1010: ['0.00', '103.00'] } },
      },
    ],
    [
      'with a loss on cash shows an effect of exchange rates',
      [within('7100 2, 1010 -2')],
      {
        indirect: { profit: '-2.00', items: { 7100: '2.00' } },
        ...{ exchangeRates: '-2.00', cash: { 1010: ['0.00', '-2.00'] } },
      },
    ],
    [
      'with a loan shows it as financing and its interest as operating',
      [within('1010 500, 2500 -500'), within('7000 4, 2500 6, 1010 -10')],
      {
        direct: { 7000: '-4.00' },
        indirect: { profit: '-4.00' },
        ...{ financing: { 2500: '494.00' }, cash: { 1010: ['0.00', '490.00'] } },
      },
    ],
    [
      'shows the paid dividend, not the declared one',
      [within('3100 90, 2450 -90'), within('2450 40, 1010 -40')],
      { financing: { 2450: '-40.00' }, cash: { 1010: ['0.00', '-40.00'] } },
    ],
    [
      'with opening balances shows accounts without a class separately',
      [within('1010 1000, 1100 500, 2000 -200, 3900 -1300')],
      {
        direct: { 1100: '-500.00', 2000: '200.00' },
        indirect: { movements: { 1100: '-500.00', 2000: '200.00' } },
        ...{ unclassified: { 3900: '1300.00' }, cash: { 1010: ['0.00', '1000.00'] } },
      },
    ],
    [
      'after opening balances starts with their cash',
      [earlier('1010 1000, 3900 -1000')],
      { cash: { 1010: ['1000.00', '1000.00'] } },
    ],
    [
      'with an emptied bank account shows its opening balance',
      [earlier('1010 4, 3000 -4'), within('1000 4, 1010 -4')],
      { cash: { 1000: ['0.00', '4.00'], 1010: ['4.00', '0.00'] } },
    ],
    [
      'with a transfer of cash has no flow, and an overdraft reduces cash',
      [earlier('6000 7, 2410 -7'), within('2410 2, 1000 -2')],
      { cash: { 1000: ['0.00', '-2.00'], 2410: ['-7.00', '-5.00'] } },
    ],
    [
      'with a cash account that the platform made an expense keeps it as cash',
      [within('6010 9, 4000 -9')],
      {
        direct: { 4000: '9.00' },
        indirect: { items: { 6010: '9.00' } },
        cash: { 6010: ['0.00', '9.00'] },
      },
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
