import { expect, test } from 'vitest';
import type { Account } from '#shared/accounts/accounts.ts';
import { formatThousandths } from '#shared/money/thousandths.ts';
import { type CashFlow, cashFlowOf } from '#shared/reports/cash-flow.ts';
import type { AccountAmounts } from '#shared/reports/statement-sums.ts';
import { accountsIn, chartOf, entryOn, shown } from '../../support/builders/statement-books.ts';

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

/** The figures of a statement that are not zero, as text. */
const textsOf = ({ operating, ...flows }: CashFlow): string[] => [
  ...(operating.method === 'direct'
    ? amountsText('direct', operating)
    : [
        ...figureText('profit', operating.profit),
        ...amountsText('item', operating.itemsOfOtherSections),
        ...amountsText('movement', operating.movements),
        ...figureText('non-cash', operating.nonCashInvestingAndFinancing),
      ]),
  ...amountsText('investing', flows.investing),
  ...amountsText('financing', flows.financing),
  ...amountsText('unclassified', flows.unclassified),
  ...figureText('rates', flows.effectOfExchangeRates),
  ...flows.cashAccounts.map(({ account: { code }, opening, closing }) =>
    ['cash', code, formatThousandths(opening), formatThousandths(closing)].join(' '),
  ),
];

/** `0: ` marks an entry before the period, `direct: ` or `indirect: ` a figure of one method. */
test.each<[title: string, entries: string[], figures: string[]]>([
  [
    'a machine bought on credit has no flow',
    ['1510 1000, 2000 -1000'],
    ['indirect: movement 2000 1000.00', 'indirect: non-cash -1000.00'],
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
    'a disposal for cash shows the proceeds by account',
    ['1010 300, 1590 750, 1510 -1000, 7200 -50'],
    [
      ...['indirect: profit 50.00', 'indirect: item 7200 -50.00', 'investing 1510 1000.00'],
      ...['investing 1590 -750.00', 'investing 7200 50.00', 'cash 1010 0.00 300.00'],
    ],
  ],
  [
    'a disposal on credit has no flow',
    ['1100 300, 1590 750, 1510 -1000, 7200 -50'],
    [
      ...['indirect: profit 50.00', 'indirect: item 7200 -50.00'],
      ...['indirect: movement 1100 -300.00', 'indirect: movement 1590 -750.00'],
      'indirect: non-cash 1050.00',
    ],
  ],
  [
    'the sale of a licence includes its amortisation',
    ['1010 30, 1690 70, 1600 -100'],
    ['investing 1600 100.00', 'investing 1690 -70.00', 'cash 1010 0.00 30.00'],
  ],
  [
    'a revalued receivable has no flow',
    ['1100 5, 7100 -5'],
    ['indirect: profit 5.00', 'indirect: movement 1100 -5.00'],
  ],
  [
    'a receivable paid at another rate shows the difference separately',
    ['1010 103, 1100 -100, 7100 -3'],
    [
      ...['direct: direct 1100 100.00', 'indirect: profit 3.00', 'indirect: item 7100 -3.00'],
      ...['indirect: movement 1100 100.00', 'rates 3.00', 'cash 1010 0.00 103.00'],
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
      ...['direct: direct 7000 -4.00', 'indirect: profit -4.00'],
      ...['financing 2500 494.00', 'cash 1010 0.00 490.00'],
    ],
  ],
  [
    'a dividend counts when it is paid',
    ['3100 90, 2450 -90', '2450 40, 1010 -40'],
    ['financing 2450 -40.00', 'cash 1010 0.00 -40.00'],
  ],
  [
    'opening balances show accounts without a class separately',
    ['1010 1000, 1100 500, 2000 -200, 3900 -1300'],
    [
      ...['direct: direct 1100 -500.00', 'direct: direct 2000 200.00'],
      ...['indirect: movement 1100 -500.00', 'indirect: movement 2000 200.00'],
      ...['unclassified 3900 1300.00', 'cash 1010 0.00 1000.00'],
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
    expect(textsOf(cashFlowOf(accounts, method))).toEqual(expected);
  }
});
