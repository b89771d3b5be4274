// What get-cash-flow accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { cashFlowMethod, domainUrl, fromNotAfterTo } from '#shared/fields.ts';
import { booksFields, periodView, signedAmount } from '#shared/reports/report.view.ts';
import { exampleAmounts, exampleBooks } from '#shared/reports/report-example.view.ts';
import {
  amountsFields,
  namedAccountFields,
  periodFields,
  sectionOf,
} from '#shared/reports/statement.view.ts';
import {
  figureRow,
  sectionRows,
  statementCsv,
  totalRow,
} from '#shared/reports/statement-csv.view.ts';

export const Request = z
  .strictObject({
    domain_url: domainUrl,
    ...periodFields,
    method: z.optional(
      cashFlowMethod.check(
        z.describe("Method of the operating section. Defaults to the tenant's `cash_flow_method`."),
      ),
    ),
  })
  .check(fromNotAfterTo);

const Direct = z.object({ method: z.literal('direct'), ...amountsFields });
z.globalRegistry.add(Direct, {
  id: 'DirectOperatingCashFlows',
  description: 'Operating cash flows by account.',
});

const Indirect = z.object({
  method: z.literal('indirect'),
  profit: signedAmount('Profit of the period, as in its profit and loss.'),
  items_of_other_sections: sectionOf(
    'Removes the parts of profit that are not operating cash flows: revenue and ' +
      'expense accounts of another class, and exchange differences on cash.',
  ),
  movements: sectionOf(
    'Movements of the operating accounts of the balance sheet, and of accumulated ' +
      'depreciation and amortisation in entries that do not move cash. Movements that ' +
      'increase cash are positive: falling receivables, growing payables.',
  ),
  non_cash_investing_and_financing: signedAmount(
    'Investing and financing without cash, like a machine that is not paid yet. It ' +
      'offsets the corresponding amounts in `movements`.',
  ),
  total: signedAmount('Sum of the figures above; the same total as with the direct method.'),
});
z.globalRegistry.add(Indirect, {
  id: 'IndirectOperatingCashFlows',
  description: 'Operating cash flows, calculated from profit.',
});

const Operating = z.discriminatedUnion('method', [Direct, Indirect]);
z.globalRegistry.add(Operating, {
  id: 'OperatingCashFlows',
  description: 'The fields depend on `method`; the total does not.',
  // For generated clients (OpenAPI 3.1, 4.8.25). The reference generator rewrites these paths.
  discriminator: {
    propertyName: 'method',
    mapping: {
      direct: '#/$defs/DirectOperatingCashFlows',
      indirect: '#/$defs/IndirectOperatingCashFlows',
    },
  },
});

const CashAccount = z.object({
  ...namedAccountFields,
  opening: signedAmount('Balance before `from`, debit positive.'),
  closing: signedAmount('Balance at the end of `to`, debit positive.'),
});
z.globalRegistry.add(CashAccount, {
  id: 'CashAccount',
  description: 'An account that is part of cash. An overdraft is a negative part.',
});

export const Data = z.object({
  ...booksFields,
  ...periodView,
  operating: Operating,
  investing: sectionOf(
    'Accounts of class `investing`, and accumulated depreciation and amortisation ' +
      'in entries that move cash.',
  ),
  financing: sectionOf('Accounts of class `financing`.'),
  effect_of_exchange_rates: signedAmount('Exchange differences in entries that move cash.'),
  unclassified: sectionOf('Accounts without a class.'),
  net_change: signedAmount('Sum of the five figures above.'),
  opening_cash: signedAmount('Balance of all cash accounts before `from`.'),
  closing_cash: signedAmount('`opening_cash` plus `net_change`: the balance at the end of `to`.'),
  cash_accounts: z
    .array(CashAccount)
    .check(z.describe('The accounts of class `cash`, ordered by code.')),
});
z.globalRegistry.add(Data, {
  id: 'CashFlow',
  description: 'The cash flows of a company in a period. Inflows are positive.',
});
export type Data = z.output<typeof Data>;

const operatingRows = (operating: Data['operating']) => {
  if (operating.method === 'direct') return sectionRows('operating', operating);
  const nonCash = operating.non_cash_investing_and_financing;
  return [
    figureRow('operating.profit', operating.profit),
    ...sectionRows('operating.items_of_other_sections', operating.items_of_other_sections),
    ...sectionRows('operating.movements', operating.movements),
    figureRow('operating.non_cash_investing_and_financing', nonCash),
    totalRow('operating', operating.total),
  ];
};

/** Both balances of cash have a row for each cash account. */
const cashRows = (side: 'opening' | 'closing', report: Data) => {
  const accounts = report.cash_accounts.map((it) => ({ ...it, amount: it[side] }));
  return sectionRows(`${side}_cash`, { accounts, total: report[`${side}_cash`] });
};

export const csv = (report: Data): string => {
  const { from, to, operating } = report;
  return statementCsv(
    report,
    {
      from: () => from,
      to: () => to,
      method: () => operating.method,
      section: ({ section }) => section,
    },
    [
      ...cashRows('opening', report),
      ...operatingRows(operating),
      ...sectionRows('investing', report.investing),
      ...sectionRows('financing', report.financing),
      figureRow('effect_of_exchange_rates', report.effect_of_exchange_rates),
      ...sectionRows('unclassified', report.unclassified),
      figureRow('net_change', report.net_change),
      ...cashRows('closing', report),
    ],
  );
};

const request = {
  domain_url: 'analytical-engines-k7m2xq',
  from: '2026-01-01',
  to: '2026-03-31',
};
const dataWith = (operating: object) => ({
  ...exampleBooks,
  from: '2026-01-01',
  to: '2026-03-31',
  operating,
  investing: exampleAmounts('-2400.00', ['1520', 'Computers, Furniture and Vehicles', '-2400.00']),
  financing: exampleAmounts(
    '2000.00',
    ['2500', 'Long-term Loans', '5000.00'],
    ['3100', 'Dividends and Owner Drawings', '-3000.00'],
  ),
  effect_of_exchange_rates: '40.00',
  unclassified: exampleAmounts('0.00'),
  net_change: '8590.00',
  opening_cash: '22000.00',
  closing_cash: '30590.00',
  cash_accounts: [
    {
      account: '1010',
      account_name: 'Bank Current Account',
      opening: '22000.00',
      closing: '30590.00',
    },
  ],
});

export const documentation: EndpointDocumentation = {
  summary: 'Get cash flow',
  description: `Returns the company's cash flows in a period: \`operating\`, \`investing\`,
\`financing\`, the effect of exchange rates, and \`unclassified\`. Inflows are positive. \`from\`
defaults to the first day of the fiscal year that contains \`to\`.

**The statement always reconciles with the cash accounts**: \`opening_cash\` plus all flows equals
\`closing_cash\`, to the cent. \`cash_accounts\` lists these accounts. If the books contradict this,
the reply is \`internal_error\` and the operator is alerted.

In an entry that moves cash, every other line is a flow of its account: credit minus debit, in the
section of the account's \`cash_flow\`. An entry that does not move cash has no flows. For example,
a machine bought on credit causes no outflow until it is paid. The payment is a flow of the account
that it debits, so give suppliers of machines a payable of class \`investing\`.

The methods differ only in the operating section, and both have the same total. \`direct\` lists the
flows by account. \`indirect\` starts with profit, removes items of other sections, and adds the
movements of the operating accounts of the balance sheet.

- Accumulated depreciation and amortisation (a fixed or intangible asset with a credit normal
  balance) is investing in an entry that moves cash, as part of a disposal, whatever its class. In
  other entries it is part of \`movements\`, which adds depreciation back to profit.
- Exchange differences (the account for them in the default chart) are \`effect_of_exchange_rates\`
  in an entry that moves cash, and belong to no section. In other entries, for example the valuation
  of a receivable at the end of a month, they are not a flow.
- Each account has one net figure: receipts minus payments. For a loan account, this is the amount
  borrowed minus the amount repaid. To show receipts and payments separately (IAS 7.21), use
  separate accounts.
- If one entry posts opening balances and cash, the opening balances are flows. Start the first
  period on the day after.

Accounts with nothing to show are omitted; archived accounts are included. The current
classification of an account applies to earlier periods too. Entries count on their posting date;
scheduled entries do not count.

**Check \`coverage\` before you show the cash flow of a connected tenant: with \`journals_only\`, it
is not the company's complete cash flow.**

The CSV has a row for each account and each figure, and rows for the accounts of \`opening_cash\`
and \`closing_cash\`. \`section\` is the path in the JSON reply, for example
\`operating.movements\`. \`row_type\` is \`account\`, \`total\` (of a section) or \`figure\` (any
other amount).`,
  errors: ['tenant_not_found', 'reply_too_large'],
  examples: [
    {
      name: 'A quarter by the indirect method',
      request: { ...request, method: 'indirect' },
      data: dataWith({
        method: 'indirect',
        profit: '9190.00',
        items_of_other_sections: exampleAmounts('-40.00', [
          '7100',
          'Foreign Exchange Gain or Loss',
          '-40.00',
        ]),
        movements: exampleAmounts(
          '-200.00',
          ['1100', 'Trade Receivables', '-3000.00'],
          ['1590', 'Accumulated Depreciation', '200.00'],
          ['2000', 'Trade Payables', '900.00'],
          ['2210', 'Income Tax Payable', '1700.00'],
        ),
        non_cash_investing_and_financing: '0.00',
        total: '8950.00',
      }),
    },
    {
      name: 'The same quarter by the direct method',
      request: { ...request, method: 'direct' },
      data: dataWith({
        method: 'direct',
        ...exampleAmounts(
          '8950.00',
          ['1100', 'Trade Receivables', '15000.00'],
          ['6000', 'Salaries and Benefits', '-6000.00'],
          ['7000', 'Interest Expense', '-50.00'],
        ),
      }),
    },
  ],
};
