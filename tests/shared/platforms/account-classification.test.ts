// The type, subtype and cash-flow class of each platform's accounts.

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

const xeroAccount = (fields: object) => {
  const AccountID = '99cb8353-ce73-4a5d-8e0d-000000000001';
  return xeroAccountFrom(XeroAccount.parse({ AccountID, Name: 'Account', ...fields }))?.account;
};
const quickBooksAccount = (AccountType: string, AccountSubType: string) =>
  quickBooksAccountFrom(
    QuickBooksAccount.parse({ Id: '35', Name: 'Account', AccountType, AccountSubType }),
  )?.account;
const zohoAccount = (account_type: string, account_group: string) => {
  const record = { account_id: '1', account_name: 'Account', account_type, account_group };
  return readAccounts([record], 1).accounts[0];
};

describe.each([
  {
    platform: 'Xero (type, system account or kind of bank account)',
    read: (Type: string, kind: string) =>
      xeroAccount({
        Type,
        ...(Type === 'BANK' ? { BankAccountType: kind } : { SystemAccount: kind }),
      }),
    rows: `
    BANK                    |                  | asset     | cash                  | cash
    BANK                    | PAYPAL           | asset     | cash                  | cash
    BANK                    | CREDITCARD       | asset     | -                     | operating
    CURRENT                 |                  | asset     | current_asset         | operating
    CURRENT                 | DEBTORS          | asset     | receivable            | operating
    PREPAYMENT              |                  | asset     | current_asset         | operating
    INVENTORY               |                  | asset     | inventory             | operating
    FIXED                   |                  | asset     | fixed_asset           | investing
    NONCURRENT              |                  | asset     | non_current_asset     | investing
    CURRLIAB                |                  | liability | current_liability     | operating
    CURRLIAB                | GST              | liability | tax_liability         | operating
    CURRLIAB                | CREDITORS        | liability | payable               | operating
    LIABILITY               |                  | liability | -                     | operating
    PAYGLIABILITY           |                  | liability | tax_liability         | operating
    SUPERANNUATIONLIABILITY |                  | liability | current_liability     | operating
    TERMLIAB                |                  | liability | non_current_liability | financing
    EQUITY                  |                  | equity    | -                     | financing
    EQUITY                  | RETAINEDEARNINGS | equity    | retained_earnings     | financing
    SALES                   |                  | revenue   | operating_revenue     | operating
    OTHERINCOME             |                  | revenue   | other_income          | operating
    DIRECTCOSTS             |                  | expense   | cost_of_sales         | operating
    DEPRECIATN              |                  | expense   | operating_expense     | operating
    EXPENSE                 | BANKCURRENCYGAIN | expense   | other_expense         | operating`,
  },
  {
    platform: 'QuickBooks (type, detail type)',
    read: quickBooksAccount,
    rows: `
  Bank                    | Checking                | asset     | cash                  | cash
  Accounts Receivable     | AccountsReceivable      | asset     | receivable            | operating
  Other Current Asset     | PrepaidExpenses         | asset     | current_asset         | operating
  Other Current Asset     | Inventory               | asset     | inventory             | operating
  Other Current Asset     | UndepositedFunds        | asset     | cash                  | cash
  Fixed Asset             | Vehicles                | asset     | fixed_asset           | investing
  Fixed Asset             | AccumulatedDepreciation | asset     | fixed_asset           | operating
  Other Asset             | SecurityDeposits        | asset     | non_current_asset     | investing
  Other Asset             | AccumulatedDepletion    | asset     | non_current_asset     | operating
  Accounts Payable        | AccountsPayable         | liability | payable               | operating
  Credit Card             | CreditCard              | liability | credit_card           | operating
  Other Current Liability | SalesTaxPayable         | liability | current_liability     | operating
  Long Term Liability     | NotesPayable            | liability | non_current_liability | financing
  Equity                  | OwnersEquity            | equity    | -                     | financing
  Equity                  | RetainedEarnings        | equity    | retained_earnings     | financing
  Income                  | SalesOfProductIncome    | revenue   | operating_revenue     | operating
  Other Income            | InterestEarned          | revenue   | other_income          | operating
  Cost of Goods Sold      | CostOfLaborCos          | expense   | cost_of_sales         | operating
  Expense                 | Travel                  | expense   | operating_expense     | operating
  Other Expense           | Depreciation           | expense   | other_expense         | operating`,
  },
  {
    platform: 'Zoho (type, group)',
    read: zohoAccount,
    rows: `
    other_asset                         |        | asset     | non_current_asset     | investing
    other_current_asset                 |        | asset     | current_asset         | operating
    intangible_asset                    |        | asset     | intangible_asset      | investing
    right_to_use_asset                  |        | asset     | fixed_asset           | investing
    financial_asset                     |        | asset     | investment            | investing
    contingent_asset                    |        | asset     | -                     | operating
    contract_asset                      |        | asset     | current_asset         | operating
    cash                                |        | asset     | cash                  | cash
    bank                                |        | asset     | cash                  | cash
    fixed_asset                         |        | asset     | fixed_asset           | investing
    accounts_receivable                 |        | asset     | receivable            | operating
    other_current_liability             |        | liability | current_liability     | operating
    contract_liability                  |        | liability | current_liability     | operating
    refund_liability                    |        | liability | current_liability     | operating
    credit_card                         |        | liability | credit_card           | operating
    long_term_liability                 |        | liability | non_current_liability | financing
    loans_and_borrowing                 |        | liability | debt                  | financing
    lease_liability                     |        | liability | debt                  | financing
    employee_benefit_liability          |        | liability | -                     | operating
    contingent_liability                |        | liability | -                     | operating
    financial_liability                 |        | liability | debt                  | financing
    other_liability                     |        | liability | -                     | operating
    accounts_payable                    |        | liability | payable               | operating
    equity                              |        | equity    | -                     | financing
    income                              |        | revenue   | operating_revenue     | operating
    finance_income                      |        | revenue   | other_income          | operating
    other_comprehensive_income          |        | revenue   | other_income          | operating
    other_income                        |        | revenue   | other_income          | operating
    expense                             |        | expense   | operating_expense     | operating
    manufacturing_expense               |        | expense   | cost_of_sales         | operating
    impairment_expense                  |        | expense   | operating_expense     | operating
    depreciation_expense                |        | expense   | operating_expense     | operating
    employee_benefit_expense            |        | expense   | operating_expense     | operating
    lease_expense                       |        | expense   | operating_expense     | operating
    finance_expense                     |        | expense   | finance_cost          | operating
    tax_expense                         |        | expense   | income_tax            | operating
    cost_of_goods_sold                  |        | expense   | cost_of_sales         | operating
    other_expense                       |        | expense   | other_expense         | operating
    stock                               |        | asset     | inventory             | operating
    payment_clearing                    |        | asset     | current_asset         | operating
    long_term_asset                     |        | asset     | non_current_asset     | investing
    deferred_tax_asset                  |        | asset     | tax_asset             | operating
    capital_work_in_progress            |        | asset     | fixed_asset           | investing
    intangible_assets_under_development |        | asset     | intangible_asset      | investing
    input_tax                           |        | asset     | tax_asset             | operating
    overseas_tax_payable                |        | liability | tax_liability         | operating
    deferred_tax_liability              |        | liability | tax_liability         | operating
    output_tax                          |        | liability | tax_liability         | operating
    goodwill                            | asset  | asset     | -                     | operating
    reserves                            | equity | equity    | -                     | financing`,
  },
])('an account of $platform', ({ read, rows }) => {
  const cases = rows
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((part) => part.trim()));

  test.each(cases)('%s %s is %s, %s, %s', (platformType, detail, ...expected) => {
    const { type, subtype, cashFlow } = read(platformType as string, detail as string) ?? {};
    expect([type, subtype ?? '-', cashFlow]).toEqual(expected);
  });
});

test('the class of a Xero account takes precedence over its type', () => {
  const classified = { type: 'liability', subtype: null, cashFlow: 'operating' };
  expect(xeroAccount({ Type: 'BANK', Class: 'LIABILITY' })).toMatchObject(classified);
});
