// What create-account accepts and returns.

import * as z from 'zod/mini';
import { AccountView, accountSubtype, accountType } from '#shared/accounts/account.view.ts';
import { ruleBrokenByNewCode } from '#shared/accounts/account-rules.ts';
import {
  cashFlowClasses,
  maximumAccountCodeLength,
  maximumAccountNameLength,
  sides,
  subtypesByType,
} from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl, namedRule, nonBlankText, oneLine } from '#shared/fields.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
  code: nonBlankText(maximumAccountCodeLength, { kind: 'id' }).check(
    oneLine,
    namedRule('account_code_not_valid', ruleBrokenByNewCode),
    z.describe('Code of the account, unique within the tenant. It never changes.'),
  ),
  name: nonBlankText(maximumAccountNameLength, { kind: 'name' }).check(
    oneLine,
    z.describe('Name of the account.'),
  ),
  type: accountType.check(z.describe('Type of the account. It never changes.')),
  subtype: z.optional(accountSubtype),
  normal_balance: z.optional(
    z
      .enum(sides)
      .check(
        z.describe(
          'Side that increases the balance. Defaults to `debit` for assets and expenses, ' +
            'and to `credit` for other types. A contra account, like accumulated ' +
            'depreciation, has the opposite side.',
        ),
      ),
  ),
  cash_flow: z.optional(
    z
      .enum(cashFlowClasses)
      .check(
        z.describe(
          'Section of the statement of cash flows for cash that moves against this ' +
            'account, or `cash`. Defaults to the usual class of its type and subtype.',
        ),
      ),
  ),
});
export type Request = z.output<typeof Request>;

export const Data = z.extend(AccountView, {
  created: z
    .boolean()
    .check(z.describe('Whether this request created the account; false if it existed.')),
});
z.globalRegistry.add(Data, {
  id: 'CreatedAccount',
  description: 'An account, and whether the request created it.',
});

const subtypeList = Object.entries(subtypesByType)
  .map(([type, subtypes]) => `- \`${type}\`: ${subtypes.map((it) => `\`${it}\``).join(', ')}`)
  .join('\n');

export const documentation: EndpointDocumentation = {
  summary: 'Create account',
  description: `Adds an account to a tenant's chart. You can post to it at once.

The \`type\` decides the statement that shows the account: assets, liabilities and equity are on the
balance sheet, revenue and expenses are in profit or loss. The \`subtype\` is the line of the
statement:

${subtypeList}

Without a subtype, revenue is \`operating_revenue\` and an expense is \`operating_expense\`. Assets,
liabilities and equity without a subtype come last in their section.

\`cash_flow\` is the section of the statement of cash flows for cash that moves against the account:
\`operating\` for daily business, \`investing\` for long-term assets, \`financing\` for lenders and
owners. Accounts of the class \`cash\` are the cash itself. Only assets of the subtype \`cash\` and
liabilities (for example, an overdraft) can have this class. **An account with
entries cannot become cash or stop being cash**: every entry records which of its lines moved cash,
and entries never change.

If the account exists and has every value of the request, the reply has \`created: false\`. If a
value differs, the request is refused as \`account_code_taken\`, with the names of the fields. A
code has at most 64 bytes of UTF-8 and does not start or end with a blank. Codes that start with
\`ID-\` are reserved for accounts of a platform. A connected tenant can have its own accounts in
addition to the platform's.`,
  errors: ['tenant_not_found', 'contention'],
  examples: [
    {
      name: 'A second bank account',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        code: '1015',
        name: 'Dollar Account',
        type: 'asset',
        cash_flow: 'cash',
      },
      data: {
        code: '1015',
        name: 'Dollar Account',
        type: 'asset',
        subtype: 'cash',
        normal_balance: 'debit',
        cash_flow: 'cash',
        status: 'active',
        platform_account_id: null,
        created: true,
      },
    },
    {
      name: 'A contra account with all fields',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        code: '1595',
        name: 'Accumulated Depreciation of Vehicles',
        type: 'asset',
        subtype: 'fixed_asset',
        normal_balance: 'credit',
        cash_flow: 'operating',
      },
      data: {
        code: '1595',
        name: 'Accumulated Depreciation of Vehicles',
        type: 'asset',
        subtype: 'fixed_asset',
        normal_balance: 'credit',
        cash_flow: 'operating',
        status: 'active',
        platform_account_id: null,
        created: true,
      },
    },
  ],
};
