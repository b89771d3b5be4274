// The requests that keep a small company's books for a year, in order. Their results were worked
// out by hand in tests/data/worked-books.md, and a test compares the replies with that page.

import type { SampleRequest } from './samples.ts';
import { entryRequestOf, externalIdOf, type WorkedEntry } from './worked-entry.ts';
import { firstQuarter, insurance, mistake, opening, secondQuarter } from './worked-first-half.ts';
import { fourthQuarter, january, thirdQuarter } from './worked-second-half.ts';

export type WorkedStep = { heading: string; text: string; requests: readonly SampleRequest[] };

/** A shell variable with the tenant. */
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

/** The request that creates the company. */
export const harbourBakery = {
  company_name: 'Harbour Bakery',
  platform: 'manual',
  currency: 'EUR',
  cash_flow_method: 'indirect',
};

export const yearOfBooks: readonly WorkedStep[] = [
  {
    heading: 'The chart',
    text: `The default chart lacks two accounts: a bank account in dollars, and payables for
machines. The second has class \`investing\`, so that a machine bought on credit appears in the cash
flow statement when it is paid.`,
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
    text: `Share capital, a loan with the bank's fee added, an oven on credit, a van, insurance for
the year, and the first flour. The entries of a request are posted together or not at all.`,
    requests: [postAll(opening)],
  },
  {
    heading: 'The prepayment',
    text: `The insurance becomes an expense month by month. All twelve entries have the date of the
payment and count on their \`accrual_date\`. An entry with a future \`accrual_date\` would be
scheduled.`,
    requests: [postAll(insurance)],
  },
  {
    heading: 'The first quarter',
    text: 'Payments for the flour, the rent and half of the oven; sales with VAT; wages.',
    requests: [postAll(firstQuarter)],
  },
  {
    heading: 'A mistake',
    text: `A bill of 360.00 is posted as 630.00 and to the wrong account. Posted entries cannot be
edited, so the entry is reversed. The next quarter's request posts the correct one.`,
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
    text: `Depreciation, the cost of goods sold, an invoice in dollars at the rate of its date, a
loan repayment with interest, and the VAT return, which offsets the two VAT accounts.`,
    requests: [postAll(secondQuarter)],
  },
  {
    heading: 'The third quarter',
    text: `The tax office refunds VAT. The van is sold: its cost and its accumulated depreciation
leave the books, and the shortfall against its book value is a loss.`,
    requests: [postAll(thirdQuarter)],
  },
  {
    heading: 'The fourth quarter',
    text: `The dollars arrive at a different rate, and the difference is an exchange gain. A
dividend is declared and paid. At the end of the year the dollar account is revalued at the closing
rate, and income tax is accrued.`,
    requests: [postAll(fourthQuarter)],
  },
  {
    heading: 'The end of the year',
    text: 'Locking the year refuses further posts to it. There are no closing entries.',
    requests: [post('tenants/update', { lock_date: endOfYear, financial_year_end: '12-31' })],
  },
  {
    heading: 'The next January',
    text: 'Payments of VAT and of the rest of the oven; first sales and wages of the new year.',
    requests: [postAll(january)],
  },
  {
    heading: 'The trial balance',
    text: 'The trial balance at the end of the year, including the dollars:',
    requests: [get('reports/trial_balance', `as_of=${endOfYear}&by_currency=true`)],
  },
  {
    heading: 'Profit and loss',
    text: 'A profit before tax of 23,480.00, and a profit of 17,610.00:',
    requests: [get('reports/profit_and_loss', year)],
  },
  {
    heading: 'Balance sheets',
    text: `On the last day of the year, the profit is in \`current_year_earnings\`. A month later it
is in \`retained_earnings_computed\`, without any closing entry.`,
    requests: [
      get('reports/balance_sheet', `as_of=${endOfYear}`),
      get('reports/balance_sheet', `as_of=${endOfJanuary}`),
    ],
  },
  {
    heading: 'Cash flows',
    text: `Both methods show 35,914.63 from operations, -12,000.00 from investing, 42,800.00 from
financing, and an exchange loss of 34.63 on the dollars in the bank. The sum, 66,680.00, is in the
two cash accounts.`,
    requests: [
      get('reports/cash_flow', `${year}&method=direct`),
      get('reports/cash_flow', `${year}&method=indirect`),
    ],
  },
  {
    heading: 'The VAT accounts',
    text: 'VAT charged to customers and VAT paid to suppliers, line by line:',
    requests: ['2200', '1350'].map((account) =>
      get('reports/account_ledger', `account=${account}&from=2025-01-01&to=${endOfJanuary}`),
    ),
  },
];
