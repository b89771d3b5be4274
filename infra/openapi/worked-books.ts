// A year of a small company's books as requests, in their order. What they come to was worked out
// by hand, in tests/data/worked-books.md, and a test compares the replies with that page.

import type { SampleRequest } from './samples.ts';
import { entryRequestOf, externalIdOf, type WorkedEntry } from './worked-entry.ts';
import { firstQuarter, insurance, mistake, opening, secondQuarter } from './worked-first-half.ts';
import { fourthQuarter, january, thirdQuarter } from './worked-second-half.ts';

export type WorkedStep = { heading: string; text: string; requests: readonly SampleRequest[] };

/** The tenant, in a variable of the shell. */
const domain_url = '$BAKERY';

const post = (path: string, body: object): SampleRequest => ({
  method: 'POST',
  pathAndQuery: `/external/v1/${path}/`,
  body: { domain_url, ...body },
});

const get = (path: string, query: string): SampleRequest => ({
  method: 'GET',
  pathAndQuery: `/external/v1/${path}/?domain_url=${domain_url}&${query}`,
});

const postAll = (entries: readonly WorkedEntry[]): SampleRequest =>
  post('journal_entries/create_many', { journal_entries: entries.map(entryRequestOf) });

const [endOfYear, endOfJanuary] = ['2025-12-31', '2026-01-31'];
const year = `from=2025-01-01&to=${endOfYear}`;

/** The company, whose reply has the tenant. */
export const harbourBakery = {
  company_name: 'Harbour Bakery',
  platform: 'manual',
  currency: 'EUR',
  cash_flow_method: 'indirect',
};

export const yearOfBooks: readonly WorkedStep[] = [
  {
    heading: 'The chart',
    text: `Two accounts that the default chart does not have: money in dollars, and what is owed for
machines. The second is of class \`investing\`, so that the statement of cash flows shows a machine
that was bought on credit when it is paid.`,
    requests: [
      post('accounts/create', {
        code: '1015',
        name: 'Dollar Account',
        type: 'asset',
        cash_flow: 'cash',
      }),
      post('accounts/create', {
        code: '2020',
        name: 'Payables for Equipment',
        type: 'liability',
        subtype: 'payable',
        cash_flow: 'investing',
      }),
    ],
  },
  {
    heading: 'The beginning',
    text: `Share capital, a loan to which the bank adds its fee, an oven on credit, a van, insurance
for the year, and the first flour. The entries of a request are posted together or not at all.`,
    requests: [postAll(opening)],
  },
  {
    heading: 'What was paid in advance',
    text: `The insurance becomes an expense month by month. All twelve entries are dated on the day
of its payment; each counts on its \`accrual_date\`. One that is still to come would wait for it.`,
    requests: [postAll(insurance)],
  },
  {
    heading: 'The first quarter',
    text: 'The flour is paid, rent and half of the oven too; sales with VAT, and wages.',
    requests: [postAll(firstQuarter)],
  },
  {
    heading: 'A mistake',
    text: `A bill of 360.00 is posted as 630.00, and to the wrong account. Nothing that is posted is
edited: the entry is reversed, and in the next quarter's request posted again as it should be.`,
    requests: [
      postAll(mistake),
      post('journal_entries/reverse', {
        original_external_id: externalIdOf(25),
        date: '2025-05-14',
        memo: 'Reversal: electricity of 12 May',
        external_id: externalIdOf(26),
      }),
    ],
  },
  {
    heading: 'The second quarter',
    text: `With depreciation, the cost of what was sold, an invoice in dollars at the rate of its
date, a repayment of the loan with interest, and the return of VAT: its two accounts are set off.`,
    requests: [postAll(secondQuarter)],
  },
  {
    heading: 'The third quarter',
    text: `The tax office refunds VAT. The van is sold: its cost and its accumulated depreciation
leave the books, and what it brought less than its book value is a loss.`,
    requests: [postAll(thirdQuarter)],
  },
  {
    heading: 'The fourth quarter',
    text: `The dollars come in at another rate, and the difference is an exchange gain. A dividend
is declared and paid. At the end of the year the dollar account is brought to the rate of that day,
and income tax is provided for.`,
    requests: [postAll(fourthQuarter)],
  },
  {
    heading: 'The end of the year',
    text: 'The year is locked: nothing more can be posted to it. There are no closing entries.',
    requests: [post('tenants/update', { lock_date: endOfYear, financial_year_end: '12-31' })],
  },
  {
    heading: 'The next January',
    text: 'VAT is settled, and the rest of the oven paid; first sales and wages of the new year.',
    requests: [postAll(january)],
  },
  {
    heading: 'What it comes to',
    text: `The trial balance of the year, with its dollars:`,
    requests: [get('reports/trial_balance', `as_of=${endOfYear}&by_currency=true`)],
  },
  {
    heading: 'Profit and loss',
    text: 'A profit before tax of 23,480.00, and a profit of 17,610.00:',
    requests: [get('reports/profit_and_loss', year)],
  },
  {
    heading: 'Balance sheets',
    text: `On the last day of the year that profit is \`current_year_earnings\`; a month later it is
\`retained_earnings_computed\`, though nothing was posted.`,
    requests: [
      get('reports/balance_sheet', `as_of=${endOfYear}`),
      get('reports/balance_sheet', `as_of=${endOfJanuary}`),
    ],
  },
  {
    heading: 'Cash flows',
    text: `By both methods: 35,914.63 from operations, 12,000.00 invested, 42,800.00 financed, and
34.63 lost on dollars in the bank, which makes 66,680.00, the two cash accounts.`,
    requests: [
      get('reports/cash_flow', `${year}&method=direct`),
      get('reports/cash_flow', `${year}&method=indirect`),
    ],
  },
  {
    heading: 'The VAT accounts',
    text: 'Line by line, what was charged to customers and what was paid to suppliers:',
    requests: ['2200', '1350'].map((account) =>
      get('reports/account_ledger', `account=${account}&from=2025-01-01&to=${endOfJanuary}`),
    ),
  },
];
