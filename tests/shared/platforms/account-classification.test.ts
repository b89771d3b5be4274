// How the statements show an account of each platform, when it is imported first.

import { describe, expect, test } from 'vitest';
import {
  QuickBooksAccount,
  accountFrom as quickBooksAccountFrom,
} from '#shared/platforms/quickbooks/quickbooks-accounts.ts';
import {
  XeroAccount,
  accountFrom as xeroAccountFrom,
} from '#shared/platforms/xero/xero-accounts.ts';
import { readAccounts } from '#shared/platforms/zoho/zoho-accounts.ts';

type Classified = { subtype: unknown; cashFlow: unknown } | undefined;

/** Rows of what the platform says and, behind it, the subtype and the class that follow. */
const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((part) => part.trim()));

const describeRows = (title: string, text: string, read: (...said: string[]) => Classified) =>
  describe(title, () => {
    test.each(rowsOf(text))('%s %s is %s', (...row) => {
      const [subtype, cashFlow] = row.splice(-2);
      const found = read(...row);
      expect([found?.subtype ?? '-', found?.cashFlow]).toEqual([subtype, cashFlow]);
    });
  });

describeRows(
  'an account of Xero: type, system account or kind of bank account',
  `
    BANK                    |                  | cash                  | cash
    BANK                    | PAYPAL           | cash                  | cash
    BANK                    | CREDITCARD       | -                     | operating
    CURRENT                 |                  | current_asset         | operating
    CURRENT                 | DEBTORS          | receivable            | operating
    PREPAYMENT              |                  | current_asset         | operating
    INVENTORY               |                  | inventory             | operating
    FIXED                   |                  | fixed_asset           | investing
    NONCURRENT              |                  | non_current_asset     | investing
    CURRLIAB                |                  | current_liability     | operating
    CURRLIAB                | GST              | tax_liability         | operating
    CURRLIAB                | CREDITORS        | payable               | operating
    LIABILITY               |                  | -                     | operating
    PAYGLIABILITY           |                  | tax_liability         | operating
    SUPERANNUATIONLIABILITY |                  | current_liability     | operating
    TERMLIAB                |                  | non_current_liability | financing
    EQUITY                  |                  | -                     | financing
    EQUITY                  | RETAINEDEARNINGS | retained_earnings     | financing
    SALES                   |                  | operating_revenue     | operating
    OTHERINCOME             |                  | other_income          | operating
    DIRECTCOSTS             |                  | cost_of_sales         | operating
    DEPRECIATN              |                  | operating_expense     | operating
    EXPENSE                 | BANKCURRENCYGAIN | other_expense         | operating
  `,
  (Type = '', kind = '') =>
    xeroAccountFrom(
      XeroAccount.parse({
        ...{ AccountID: '99cb8353-ce73-4a5d-8e0d-000000000001', Name: 'Account', Type },
        ...(Type === 'BANK' ? { BankAccountType: kind } : { SystemAccount: kind }),
      }),
    )?.account,
);

describe('an account of Xero whose class is not that of its type', () => {
  test('is classified by its class', () => {
    const overdraft = { Name: 'Overdraft', Type: 'BANK', Class: 'LIABILITY' };
    const AccountID = '99cb8353-ce73-4a5d-8e0d-000000000001';
    const found = xeroAccountFrom(XeroAccount.parse({ ...overdraft, AccountID }));
    const classified = { type: 'liability', subtype: null, cashFlow: 'operating' };
    expect(found?.account).toMatchObject(classified);
  });
});

describeRows(
  'an account of QuickBooks: type, type of detail',
  `
    Bank                    | Checking                | cash                  | cash
    Accounts Receivable     | AccountsReceivable      | receivable            | operating
    Other Current Asset     | PrepaidExpenses         | current_asset         | operating
    Other Current Asset     | Inventory               | inventory             | operating
    Other Current Asset     | UndepositedFunds        | cash                  | cash
    Fixed Asset             | Vehicles                | fixed_asset           | investing
    Fixed Asset             | AccumulatedDepreciation | fixed_asset           | operating
    Other Asset             | SecurityDeposits        | non_current_asset     | investing
    Other Asset             | AccumulatedAmortizationOfOtherAssets | non_current_asset | operating
    Accounts Payable        | AccountsPayable         | payable               | operating
    Credit Card             | CreditCard              | credit_card           | operating
    Other Current Liability | SalesTaxPayable         | current_liability     | operating
    Long Term Liability     | NotesPayable            | non_current_liability | financing
    Equity                  | OwnersEquity            | -                     | financing
    Equity                  | RetainedEarnings        | retained_earnings     | financing
    Income                  | SalesOfProductIncome    | operating_revenue     | operating
    Other Income            | InterestEarned          | other_income          | operating
    Cost of Goods Sold      | CostOfLaborCos          | cost_of_sales         | operating
    Expense                 | Travel                  | operating_expense     | operating
    Other Expense           | Depreciation            | other_expense         | operating
  `,
  (AccountType = '', AccountSubType = '') =>
    quickBooksAccountFrom(
      QuickBooksAccount.parse({ Id: '35', Name: 'Account', AccountType, AccountSubType }),
    )?.account,
);

describeRows(
  'an account of Zoho: type, group',
  `
    cash                       |           | cash                  | cash
    bank                       |           | cash                  | cash
    accounts_receivable        |           | receivable            | operating
    stock                      |           | inventory             | operating
    other_current_asset        |           | current_asset         | operating
    payment_clearing           |           | current_asset         | operating
    input_tax                  |           | tax_asset             | operating
    contingent_asset           |           | -                     | operating
    financial_asset            |           | investment            | investing
    fixed_asset                |           | fixed_asset           | investing
    capital_work_in_progress   |           | fixed_asset           | investing
    intangible_asset           |           | intangible_asset      | investing
    other_asset                |           | non_current_asset     | investing
    accounts_payable           |           | payable               | operating
    credit_card                |           | credit_card           | operating
    other_current_liability    |           | current_liability     | operating
    employee_benefit_liability |           | -                     | operating
    output_tax                 |           | tax_liability         | operating
    lease_liability            |           | debt                  | financing
    loans_and_borrowing        |           | debt                  | financing
    long_term_liability        |           | non_current_liability | financing
    equity                     |           | -                     | financing
    income                     |           | operating_revenue     | operating
    other_income               |           | other_income          | operating
    cost_of_goods_sold         |           | cost_of_sales         | operating
    expense                    |           | operating_expense     | operating
    finance_expense            |           | finance_cost          | operating
    tax_expense                |           | income_tax            | operating
    goodwill                   | asset     | -                     | operating
    reserves                   | equity    | -                     | financing
  `,
  (account_type = '', account_group = '') => {
    const given = { account_id: '1', account_name: 'Account', account_type, account_group };
    return readAccounts([given], 1).accounts[0];
  },
);
