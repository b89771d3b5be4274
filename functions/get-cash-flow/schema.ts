// What get-cash-flow accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { fromNotAfterTo } from '#shared/field-relations.ts';
import { cashFlowMethod } from '#shared/fields.ts';
import { cashFlowFields } from '#shared/reports/cash-flow.view.ts';
import { booksFields, periodView } from '#shared/reports/report.view.ts';
import { exampleAmounts, exampleBooks } from '#shared/reports/report-example.view.ts';
import { periodStatementFields, statementFields } from '#shared/reports/statement.view.ts';
import {
  figureRow,
  flowRows,
  sectionRows,
  separateRows,
  statementCsv,
  totalRow,
} from '#shared/reports/statement-csv.view.ts';

export const Request = z
  .strictObject({
    ...periodStatementFields,
    method: z.optional(
      cashFlowMethod.check(
        z.describe("Method of the operating section. Defaults to the tenant's `cash_flow_method`."),
      ),
    ),
  })
  .check(fromNotAfterTo);

const figures = { ...periodView, ...cashFlowFields };

export const Data = z.object({
  ...booksFields,
  ...statementFields(figures, { id: 'CashFlowColumn' }),
});
z.globalRegistry.add(Data, {
  id: 'CashFlow',
  description: 'The cash flows of a company in a period. Inflows are positive.',
});
export type Data = z.output<typeof Data>;

type Figures = NonNullable<Data['comparison']>;

const operatingRows = (operating: Data['operating']) => {
  if (operating.method === 'direct') return flowRows('operating', operating);
  return [
    figureRow('operating.profit', operating.profit),
    ...sectionRows('operating.items_of_other_sections', operating.items_of_other_sections),
    ...sectionRows('operating.movements', operating.movements),
    figureRow('operating.without_cash', operating.without_cash),
    ...separateRows('operating', operating.separate_items),
    totalRow('operating', operating.total),
  ];
};

/** Both balances of cash have a row for each cash account. */
const cashRows = (side: 'opening' | 'closing', figures: Figures) => {
  const accounts = figures.cash_accounts.map((it) => ({ ...it, amount: it[side] }));
  return sectionRows(`${side}_cash`, { accounts, total: figures[`${side}_cash`] });
};

const rowsOf = (figures: Figures) => [
  ...cashRows('opening', figures),
  ...operatingRows(figures.operating),
  ...flowRows('investing', figures.investing),
  ...flowRows('financing', figures.financing),
  ...sectionRows('transfers', figures.transfers),
  figureRow('effect_of_exchange_rates', figures.effect_of_exchange_rates),
  ...sectionRows('unclassified', figures.unclassified),
  figureRow('net_change', figures.net_change),
  ...cashRows('closing', figures),
  ...sectionRows('non_cash_transactions', figures.non_cash_transactions),
];

export const csv = (report: Data): string => {
  const { from, to, operating } = report;
  return statementCsv<Figures>(
    report,
    {
      from: () => from,
      to: () => to,
      method: () => operating.method,
      section: ({ section }) => section,
    },
    rowsOf,
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
  investing: {
    ...exampleAmounts('-2400.00', ['1520', 'Computers, Furniture and Vehicles', '-2400.00']),
    separate_items: {},
  },
  financing: {
    ...exampleAmounts('2000.00', ['2500', 'Long-term Loans', '5000.00']),
    separate_items: {
      dividends_paid: exampleAmounts('-3000.00', [
        '3100',
        'Dividends and Owner Drawings',
        '-3000.00',
      ]),
    },
  },
  transfers: exampleAmounts('0.00'),
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
  non_cash_transactions: exampleAmounts('0.00'),
});

const interestPaid = {
  interest_paid: exampleAmounts('-50.00', ['7000', 'Interest Expense', '-50.00']),
};

export const documentation: EndpointDocumentation = {
  summary: 'Get cash flow',
  description: `Returns the company's cash flows in a period: \`operating\`, \`investing\`,
\`financing\`, the effect of exchange rates, and \`unclassified\`. Inflows are positive. \`from\`
defaults to the first day of the fiscal year that contains \`to\`.

**The statement always reconciles with the cash accounts**: \`opening_cash\` plus all flows equals
\`closing_cash\`, to the cent. \`cash_accounts\` lists these accounts. If the books contradict this,
the reply is \`internal_error\` and the operator is alerted.

**Flows follow the cash.** In an entry that moves cash, every other line has an effect: credit minus
debit. Effects of the sign opposite to the movement of cash are no flows. They are set off against
the others, first within their section, then across sections in proportion to the amounts. What
remains is the flow of the account, in the section of its \`cash_flow\`, and adds up to the movement
of cash. A car of 30,000 for 10,000 in cash and a loan of 20,000 is an investing outflow of 10,000.
Wages of 4,500 with 900 withheld are an operating outflow of 3,600. An entry that does not
move cash has no flows. The class of each account on the posting date, as it is when the entry is
made, decides what is set off. In entries of versions before 1.3.0, every effect is a flow.

\`non_cash_transactions\` lists the investing and financing that needed no cash, by account, as far
as it is no flow: the other 20,000 of the car, and the loan; a machine bought on credit; a loan that
becomes share capital. Depreciation, distributions that are not paid yet, opening balances and
valuations are not listed.

The methods differ only in the operating section, and both have the same total. \`direct\` lists the
flows by account. \`indirect\` starts with profit, removes what is shown elsewhere, and adds the
movements of the operating accounts of the balance sheet. Both show interest, dividends and income
taxes as \`separate_items\`, by the subtypes of their accounts.

- The payment of a machine bought on credit is a flow of the account that it debits, so give
  suppliers of machines a payable of class \`investing\`.
- A disposal shows its proceeds as a flow of the asset that was sold. Accumulated depreciation and
  amortisation (a fixed or intangible asset with a credit normal balance) is part of it, and so is
  the gain or loss (subtype \`disposal_result\`).
- Exchange differences (subtype \`exchange_difference\`) are \`effect_of_exchange_rates\` if they
  alone changed cash. If cash was received or paid at another rate, the whole amount is a flow of
  the other accounts. Other differences, for example on a receivable at the end of a month, are no
  flow.
- Money that passes through an account of class \`transfer\` on its way from one cash account to
  another is in \`transfers\`.
- Each account has one net figure: receipts minus payments. For a loan account, this is the amount
  borrowed minus the amount repaid. To show receipts and payments separately (IAS 7.21), use
  separate accounts.
- If one entry posts opening balances and cash, the opening balances are flows. Start the first
  period on the day after.

Accounts with nothing to show are omitted; archived accounts are included. The classification that
an account has on \`to\` applies. Entries count on their posting date; scheduled entries do not
count.

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
        items_of_other_sections: exampleAmounts(
          '1710.00',
          ['7000', 'Interest Expense', '50.00'],
          ['7100', 'Foreign Exchange Gain or Loss', '-40.00'],
          ['8000', 'Income Tax Expense', '1700.00'],
        ),
        movements: exampleAmounts(
          '-1900.00',
          ['1100', 'Trade Receivables', '-3000.00'],
          ['1590', 'Accumulated Depreciation', '200.00'],
          ['2000', 'Trade Payables', '900.00'],
        ),
        without_cash: '0.00',
        separate_items: interestPaid,
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
        ),
        separate_items: interestPaid,
      }),
    },
  ],
};
