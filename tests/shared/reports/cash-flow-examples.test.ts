import { expect, test } from 'vitest';
import type { Account } from '#shared/accounts/accounts.ts';
import { formatThousandths } from '#shared/money/thousandths.ts';
import { type CashFlow, cashFlowOf, type FlowSection } from '#shared/reports/cash-flow.ts';
import type { AccountAmounts } from '#shared/reports/statement-sums.ts';
import {
  accountsIn,
  chartOf,
  entryOn,
  ofOneColumn,
  shown,
} from '../../support/builders/statement-books.ts';

const liability = (code: string, cashFlow: 'investing' | 'cash'): Account => ({
  code,
  name: `Account ${code}`,
  type: 'liability',
  cashFlow,
  status: 'active',
});
const machineSuppliers = liability('2010', 'investing');
const overdraft = liability('2410', 'cash');
/** A bank account that its platform changed to an expense account. */
const formerBank: Account = { ...overdraft, code: '6010', type: 'expense' };
const chart = chartOf(machineSuppliers, overdraft, formerBank);

const amountsText = (name: string, amounts: AccountAmounts): string[] =>
  Object.entries(shown(amounts)).map(([account, amount]) => `${name} ${account} ${amount}`);

const figureText = (name: string, amount: bigint): string[] =>
  amount === 0n ? [] : [`${name} ${formatThousandths(amount)}`];

const sectionText = (name: string, { separate, ...amounts }: FlowSection): string[] => [
  ...amountsText(name, amounts),
  ...separateText(name, separate),
];
const separateText = (name: string, separate: FlowSection['separate']): string[] =>
  separate.flatMap(({ item, ...ofItem }) => amountsText(`${name} ${item}`, ofItem));

/** The figures of a statement that are not zero, as text. */
const textsOf = ({ operating, ...flows }: CashFlow): string[] => [
  ...(operating.method === 'direct'
    ? sectionText('direct', operating)
    : [
        ...figureText('profit', operating.profit),
        ...amountsText('item', operating.itemsOfOtherSections),
        ...amountsText('movement', operating.movements),
        ...figureText('without cash', operating.withoutCash),
        ...separateText('indirect', operating.separate),
      ]),
  ...sectionText('investing', flows.investing),
  ...sectionText('financing', flows.financing),
  ...amountsText('transfer', flows.transfers),
  ...amountsText('unclassified', flows.unclassified),
  ...figureText('rates', flows.effectOfExchangeRates),
  ...flows.cashAccounts.map(({ account: { code }, opening, closing }) =>
    ['cash', code, formatThousandths(opening), formatThousandths(closing)].join(' '),
  ),
  ...amountsText('listed', flows.nonCash),
];

/** `0: ` marks an entry before the period, `direct: ` or `indirect: ` a figure of one method. */
test.each<[title: string, entries: string[], figures: string[]]>([
  [
    'a machine bought on credit has no flow, and is listed',
    ['1510 1000, 2000 -1000'],
    [
      ...['indirect: movement 2000 1000.00', 'indirect: without cash -1000.00'],
      ...['listed 1510 -1000.00', 'listed 2000 1000.00'],
    ],
  ],
  [
    'the payment for the machine is a flow of the payable',
    ['0: 1510 1000, 2000 -1000', '2000 1000, 1010 -1000'],
    [
      ...['direct: direct 2000 -1000.00', 'indirect: movement 2000 -1000.00'],
      'cash 1010 0.00 -1000.00',
    ],
  ],
  [
    'a payment on a payable for machines is an investing outflow',
    ['0: 1510 1000, 2010 -1000', '2010 1000, 1010 -1000'],
    ['investing 2010 -1000.00', 'cash 1010 0.00 -1000.00'],
  ],
  [
    'depreciation is added to profit',
    ['6600 200, 1590 -200'],
    ['indirect: profit -200.00', 'indirect: movement 1590 200.00'],
  ],
  [
    'a car for cash and a loan is an outflow of the cash, and the loan is listed',
    ['1520 30000, 2500 -20000, 1010 -10000'],
    [
      ...['investing 1520 -10000.00', 'cash 1010 0.00 -10000.00'],
      ...['listed 1520 -20000.00', 'listed 2500 20000.00'],
    ],
  ],
  [
    'a machine is listed only as far as it was not paid, and its paid tax is not',
    ['1510 30, 1350 6, 2010 -20, 1010 -16'],
    [
      ...['direct: direct 1350 -6.00', 'indirect: movement 1350 -6.00', 'investing 1510 -10.00'],
      ...['cash 1010 0.00 -16.00', 'listed 1510 -20.00', 'listed 2010 20.00'],
    ],
  ],
  [
    'a car wholly on a loan is listed only',
    ['1520 300, 2500 -300'],
    ['listed 1520 -300.00', 'listed 2500 300.00'],
  ],
  [
    'an asset with works of our own is listed in part',
    ['1510 1000, 6000 50, 2000 -1050'],
    [
      ...['indirect: profit -50.00', 'indirect: movement 2000 1050.00'],
      ...['indirect: without cash -1000.00', 'listed 1510 -1000.00', 'listed 2000 1000.00'],
    ],
  ],
  [
    'wages are an outflow of what is paid',
    ['6000 4500, 2110 -900, 1010 -3600'],
    [
      ...['direct: direct 6000 -3600.00', 'indirect: profit -4500.00'],
      ...['indirect: movement 2110 900.00', 'cash 1010 0.00 -3600.00'],
    ],
  ],
  [
    'the smallest units of a shared payment go to the largest remainders',
    ['6100 0.10, 6200 0.10, 6300 0.10, 2000 -0.10, 1010 -0.20'],
    [
      ...['direct: direct 6100 -0.067', 'direct: direct 6200 -0.067', 'direct: direct 6300 -0.066'],
      ...['indirect: profit -0.30', 'indirect: movement 2000 0.10', 'cash 1010 0.00 -0.20'],
    ],
  ],
  [
    'a loan is paid out less its fee',
    ['1010 19800, 6500 200, 2500 -20000'],
    [
      ...['indirect: profit -200.00', 'indirect: without cash 200.00', 'financing 2500 19800.00'],
      ...['cash 1010 0.00 19800.00', 'listed 2500 200.00', 'listed 6500 -200.00'],
    ],
  ],
  [
    'a loan that becomes share capital is listed',
    ['2500 500, 3000 -500'],
    ['listed 2500 -500.00', 'listed 3000 500.00'],
  ],
  ['the part of a loan that is due within a year is no transaction', ['2500 90, 2420 -90'], []],
  [
    'a disposal shows its proceeds, with a gain and beside its tax',
    ['1010 360, 2200 -60, 1590 750, 1510 -1000, 7200 -50'],
    [
      ...['direct: direct 2200 60.00', 'indirect: profit 50.00', 'indirect: item 7200 -50.00'],
      ...['indirect: movement 2200 60.00', 'investing 1510 300.00', 'cash 1010 0.00 360.00'],
    ],
  ],
  [
    'a disposal shows its proceeds, with a loss',
    ['1010 200, 1590 750, 7200 50, 1510 -1000'],
    [
      ...['indirect: profit -50.00', 'indirect: item 7200 50.00'],
      ...['investing 1510 200.00', 'cash 1010 0.00 200.00'],
    ],
  ],
  [
    'a disposal of what has no value any more shows its proceeds too',
    ['1010 30, 1590 1000, 1510 -1000, 7200 -30'],
    [
      ...['indirect: profit 30.00', 'indirect: item 7200 -30.00'],
      ...['investing 1510 30.00', 'cash 1010 0.00 30.00'],
    ],
  ],
  [
    'a disposal on credit has no flow, and is listed',
    ['1100 300, 1590 750, 1510 -1000, 7200 -50'],
    [
      ...['indirect: profit 50.00', 'indirect: item 7200 -50.00'],
      ...['indirect: movement 1100 -300.00', 'indirect: without cash 300.00'],
      ...['listed 1100 -300.00', 'listed 1510 300.00'],
    ],
  ],
  [
    'the sale of a licence includes its amortisation',
    ['1010 30, 1690 70, 1600 -100'],
    ['investing 1600 30.00', 'cash 1010 0.00 30.00'],
  ],
  [
    'a revalued receivable has no flow',
    ['1100 5, 7100 -5'],
    ['indirect: profit 5.00', 'indirect: movement 1100 -5.00'],
  ],
  [
    'a receivable paid at another rate is an inflow of what is paid',
    ['1010 103, 1100 -100, 7100 -3'],
    [
      ...['direct: direct 1100 103.00', 'indirect: profit 3.00', 'indirect: movement 1100 100.00'],
      'cash 1010 0.00 103.00',
    ],
  ],
  [
    'a loss on cash is an effect of exchange rates',
    ['7100 2, 1010 -2'],
    [
      ...['indirect: profit -2.00', 'indirect: item 7100 2.00'],
      ...['rates -2.00', 'cash 1010 0.00 -2.00'],
    ],
  ],
  [
    'a loan is financing and its interest is operating',
    ['1010 500, 2500 -500', '7000 4, 2500 6, 1010 -10'],
    [
      ...['direct: direct interest_paid 7000 -4.00', 'indirect: profit -4.00'],
      ...['indirect: item 7000 4.00', 'indirect: indirect interest_paid 7000 -4.00'],
      ...['financing 2500 494.00', 'cash 1010 0.00 490.00'],
    ],
  ],
  [
    'interest and income taxes count when they are paid',
    ['7000 5, 2100 -5', '8000 9, 2210 -9', '2210 7, 1010 -7', '1010 2, 4500 -2'],
    [
      ...['direct: direct interest_received 4500 2.00'],
      ...['direct: direct income_taxes_paid 2210 -7.00', 'indirect: profit -12.00'],
      ...['indirect: item 4500 -2.00', 'indirect: item 7000 5.00', 'indirect: item 8000 9.00'],
      ...['indirect: movement 2100 5.00', 'indirect: without cash -5.00'],
      ...['indirect: indirect interest_received 4500 2.00'],
      ...['indirect: indirect income_taxes_paid 2210 -7.00', 'cash 1010 0.00 -5.00'],
    ],
  ],
  [
    'a dividend counts when it is paid, and tax that is withheld with it',
    ['3100 90, 2450 -90', '2450 40, 2110 -10, 1010 -30'],
    [
      ...['indirect: movement 2110 10.00', 'indirect: without cash -10.00'],
      ...['financing dividends_paid 2450 -30.00', 'cash 1010 0.00 -30.00'],
      ...['listed 2110 10.00', 'listed 2450 -10.00'],
    ],
  ],
  [
    'a distribution charged to retained earnings is financing',
    ['3200 25, 1010 -25'],
    ['financing dividends_paid 3200 -25.00', 'cash 1010 0.00 -25.00'],
  ],
  [
    'a transfer that is on its way is neither operating nor cash, and its fee is operating',
    ['1060 100, 1010 -100', '1000 57, 6500 3, 1060 -60'],
    [
      ...['direct: direct 6500 -3.00', 'indirect: profit -3.00', 'transfer 1060 -40.00'],
      ...['cash 1000 0.00 57.00', 'cash 1010 0.00 -100.00'],
    ],
  ],
  [
    'opening balances show what has no class separately',
    ['1010 1000, 1100 500, 2000 -200, 3900 -1300'],
    [
      ...['indirect: movement 1100 -500.00', 'indirect: movement 2000 200.00'],
      ...['indirect: without cash 300.00', 'unclassified 3900 1000.00', 'cash 1010 0.00 1000.00'],
    ],
  ],
  [
    'an emptied bank account shows its opening balance',
    ['0: 1010 4, 3000 -4', '1000 4, 1010 -4'],
    ['cash 1000 0.00 4.00', 'cash 1010 4.00 0.00'],
  ],
  [
    'a transfer of cash has no flow, and an overdraft reduces cash',
    ['0: 6000 7, 2410 -7', '2410 2, 1000 -2'],
    ['cash 1000 0.00 -2.00', 'cash 2410 -7.00 -5.00'],
  ],
  [
    'a cash account that the platform changed to an expense stays cash',
    ['6010 9, 4000 -9'],
    ['direct: direct 4000 9.00', 'indirect: item 6010 9.00', 'cash 6010 0.00 9.00'],
  ],
])('%s', (_title, texts, figures) => {
  const entries = texts.map((text) =>
    text.startsWith('0: ') ? entryOn('2026-01-15', text.slice(3)) : entryOn('2026-02-15', text),
  );
  const accounts = accountsIn({ entries, chart }, { from: '2026-02-01', to: '2026-02-28' });
  for (const method of ['direct', 'indirect'] as const) {
    const expected = figures
      .filter((it) => !/^(in)?direct: /.test(it) || it.startsWith(`${method}: `))
      .map((it) => it.replace(`${method}: `, ''));
    expect(textsOf(ofOneColumn(cashFlowOf(accounts, method)))).toEqual(expected);
  }
});
