// What get-cash-flow accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { cashFlowMethod, domainUrl, fromNotAfterTo } from '#shared/fields.ts';
import { booksFields, dateText, signedAmount } from '#shared/reports/report.view.ts';
import {
  AccountAmountsView,
  amountsFields,
  namedAccountFields,
  periodFields,
} from '#shared/reports/statement.view.ts';
import {
  figureRow,
  sectionRows,
  statementCsv,
  totalRow,
} from '#shared/reports/statement-csv.view.ts';

export const Request = z
  .strictObject({
    domain_url: domainUrl.check(
      z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
    ),
    ...periodFields,
    method: z.optional(
      cashFlowMethod.check(
        z.describe("How operating cash flows are shown; the tenant's `cash_flow_method` without."),
      ),
    ),
  })
  .check(fromNotAfterTo);
export type Request = z.output<typeof Request>;

const section = (description: string) => AccountAmountsView.check(z.describe(description));

const Direct = z.object({ method: z.literal('direct'), ...amountsFields });
z.globalRegistry.add(Direct, {
  id: 'DirectOperatingCashFlows',
  description: 'Operating cash flows by the account that stands against cash.',
});

const Indirect = z.object({
  method: z.literal('indirect'),
  profit: signedAmount('Profit of the period, as in its profit and loss.'),
  items_of_other_sections: section(
    'What takes those parts of profit out that are no operating cash flows: accounts of revenue ' +
      'and expenses of another class, and exchange differences on cash.',
  ),
  movements: section(
    'Movements of the operating accounts of the balance sheet, and of accumulated depreciation ' +
      'and amortisation where they did not touch cash. What adds to profit in cash is positive: ' +
      'receivables that fall, payables that grow.',
  ),
  non_cash_investing_and_financing: signedAmount(
    'What was invested and financed without cash, such as a machine that is not yet paid for: it ' +
      'takes out of `movements` what stands there against it.',
  ),
  total: signedAmount('The sum of all of these: the same as by the direct method.'),
});
z.globalRegistry.add(Indirect, {
  id: 'IndirectOperatingCashFlows',
  description: 'Operating cash flows as profit and what it differs from them by.',
});

const Operating = z.discriminatedUnion('method', [Direct, Indirect]);
z.globalRegistry.add(Operating, {
  id: 'OperatingCashFlows',
  description: 'What it has depends on `method`; the total does not.',
  // For generated clients (OpenAPI 3.1, 4.8.25); these references are rewritten like all others.
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
  description: 'An account that is part of cash; an overdraft is a negative part of it.',
});

export const Data = z.object({
  ...booksFields,
  from: dateText('First posting date.'),
  to: dateText('Last posting date.'),
  operating: Operating,
  investing: section(
    'Accounts of class `investing`, and accumulated depreciation and amortisation in entries ' +
      'that touch cash.',
  ),
  financing: section('Accounts of class `financing`.'),
  effect_of_exchange_rates: signedAmount('Exchange differences in entries that touch cash.'),
  unclassified: section('Accounts without a class.'),
  net_change: signedAmount('The sum of the five.'),
  opening_cash: signedAmount('Balance of all cash accounts before `from`.'),
  closing_cash: signedAmount('`opening_cash` and `net_change`: the balance at the end of `to`.'),
  cash_accounts: z
    .array(CashAccount)
    .check(z.describe('The accounts of class `cash`, in the order of their codes.')),
});
z.globalRegistry.add(Data, {
  id: 'CashFlow',
  description: 'What moved the cash of a company in a period; what flows in is positive.',
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

/** The cash accounts are those of the opening and of the closing cash. */
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

const accounts = (total: string, ...rows: [string, string, string][]) => ({
  accounts: rows.map(([account, account_name, amount]) => ({ account, account_name, amount })),
  total,
});

const request = {
  domain_url: 'analytical-engines-k7m2xq',
  from: '2026-01-01',
  to: '2026-03-31',
};
const dataWith = (operating: object) => ({
  tenant_domain_url: 'analytical-engines-k7m2xq',
  currency: 'EUR',
  coverage: 'all_entries',
  digest: '5f0c7c2f6a1d3e9b8c4a7d2e1f0b9a8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a',
  from: '2026-01-01',
  to: '2026-03-31',
  operating,
  investing: accounts('-2400.00', ['1520', 'Computers, Furniture and Vehicles', '-2400.00']),
  financing: accounts(
    '2000.00',
    ['2500', 'Long-term Loans', '5000.00'],
    ['3100', 'Dividends and Owner Drawings', '-3000.00'],
  ),
  effect_of_exchange_rates: '40.00',
  unclassified: accounts('0.00'),
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
  description: `Returns what moved the company's cash in a period: \`operating\`, \`investing\` and
\`financing\` cash flows, the effect of exchange rates, and what is \`unclassified\`. What flows in
is positive. Without \`from\` the period begins with the fiscal year that \`to\` is in.

**The statement always comes to the cash accounts**: \`opening_cash\` and all flows are
\`closing_cash\` to the cent, and \`cash_accounts\` shows of which accounts. Where the books would
say otherwise, the reply is \`internal_error\` and the operator is called. In an entry that touches
cash, credit less debit of every other line is a flow of that line's account, in the section of its
\`cash_flow\`; what touches no cash is in none. So a machine on credit is no outflow until it is
paid for, and the payment is a flow of the account that was debited then: let suppliers of machines
have a payable of class \`investing\`.

The methods differ in the operating section alone, and not in its total. \`direct\` has the flows by
account. \`indirect\` begins with profit, takes out what is of other sections, and adds the
movements of operating accounts of the balance sheet.

- Accumulated depreciation and amortisation (a fixed or intangible asset whose normal balance is
  credit) is investing in an entry that touches cash, as part of a disposal, whatever its class.
  Without cash it is among the \`movements\`: that adds depreciation back to profit.
- Exchange differences (the account of the default chart for them) in an entry that touches cash are
  \`effect_of_exchange_rates\` and in no section. Those of other entries, such as the valuation of a
  receivable at the end of a month, are no flow.
- An account has one figure, of what it received less what it paid: of a loan account what was taken
  up less what was repaid. Keep receipts and payments that have to be shown apart (IAS 7.21) in
  accounts of their own.
- Opening balances that are posted in one entry with cash are flows of that entry's other accounts:
  begin the first period on the day after.

An account of which there is nothing to show has no row; archived accounts are in it like others.
Accounts are classified as the chart has them now, in earlier periods too. Entries count on their
posting date, and what is scheduled does not count.

**Look at \`coverage\` before you show the cash flow of a connected tenant: with
\`journals_only\` it is not the company's.**

As csv it has a row for each account and each figure, the accounts of \`opening_cash\` and
\`closing_cash\` among them. \`section\` is its name in JSON, behind that of what it is in, as in
\`operating.movements\`. \`row_type\` is \`account\`, \`total\` of a section, or \`figure\` for what
is neither.`,
  errors: ['tenant_not_found', 'reply_too_large'],
  examples: [
    {
      name: 'A quarter by the indirect method',
      request: { ...request, method: 'indirect' },
      data: dataWith({
        method: 'indirect',
        profit: '9190.00',
        items_of_other_sections: accounts('-40.00', [
          '7100',
          'Foreign Exchange Gain or Loss',
          '-40.00',
        ]),
        movements: accounts(
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
      name: 'The same by the direct method',
      request: { ...request, method: 'direct' },
      data: dataWith({
        method: 'direct',
        ...accounts(
          '8950.00',
          ['1100', 'Trade Receivables', '15000.00'],
          ['6000', 'Salaries and Benefits', '-6000.00'],
          ['7000', 'Interest Expense', '-50.00'],
        ),
      }),
    },
  ],
};
