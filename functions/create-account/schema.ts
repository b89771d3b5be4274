// What create-account accepts and returns.

import * as z from 'zod/mini';
import { AccountView, accountType } from '#shared/accounts/account.view.ts';
import { ruleBrokenByNewCode } from '#shared/accounts/account-rules.ts';
import {
  accountSubtypes,
  cashFlowClasses,
  maximumAccountCodeLength,
  maximumAccountNameLength,
  sides,
  subtypesByType,
} from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl, namedRule, nonBlankText, oneLine } from '#shared/fields.ts';

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
  code: nonBlankText(maximumAccountCodeLength, { kind: 'id' }).check(
    oneLine,
    namedRule('account_code_not_valid', ruleBrokenByNewCode),
    z.describe('Its code, which no other account of the tenant has. It never changes.'),
  ),
  name: nonBlankText(maximumAccountNameLength, { kind: 'name' }).check(
    oneLine,
    z.describe('What it is called.'),
  ),
  type: accountType.check(z.describe('What it is. It never changes.')),
  subtype: z.optional(
    z
      .enum(accountSubtypes)
      .check(z.describe('The line of a statement that shows it, one of those of its type.')),
  ),
  normal_balance: z.optional(
    z
      .enum(sides)
      .check(
        z.describe(
          'The side on which it grows. Without it, `debit` for assets and expenses and `credit` ' +
            'for the others. Contra accounts have the other one: accumulated depreciation, say.',
        ),
      ),
  ),
  cash_flow: z.optional(
    z
      .enum(cashFlowClasses)
      .check(
        z.describe(
          'The section of the statement of cash flows that shows what moves cash against it, or ' +
            '`cash`. Without it, what is usual for its type and subtype.',
        ),
      ),
  ),
});
export type Request = z.output<typeof Request>;

export const Data = z.extend(AccountView, {
  created: z
    .boolean()
    .check(z.describe('Whether this request made the account; false where it was there.')),
});
z.globalRegistry.add(Data, {
  id: 'CreatedAccount',
  description: 'An account, and whether it was made just now.',
});
export type Data = z.output<typeof Data>;

const subtypeList = Object.entries(subtypesByType)
  .map(([type, subtypes]) => `- \`${type}\`: ${subtypes.map((it) => `\`${it}\``).join(', ')}`)
  .join('\n');

export const documentation: EndpointDocumentation = {
  summary: 'Create account',
  description: `Adds an account to a tenant's chart, to which entries can be posted at once.

An account collects what happened of one kind, and its \`type\` says where it ends up: assets,
liabilities and equity on the balance sheet, revenue and expenses in profit or loss. The
\`subtype\` is the line of the statement, one of

${subtypeList}

Without one, revenue is \`operating_revenue\` and an expense \`operating_expense\`; of assets,
liabilities and equity it stays unknown, and statements list the account last in its section.

\`cash_flow\` says which section of the statement of cash flows shows the money that comes and goes
against the account: \`operating\` for daily business, \`investing\` for what is bought to be kept,
\`financing\` for what lenders and owners put in and take out. Accounts of the class \`cash\` are
the money itself, whose movement that statement explains; only assets of the subtype \`cash\` and
liabilities (an overdraft, say) can be. **Whether an account is cash is decided here, and never
changes**: every entry keeps which of its lines moved cash, and entries never change.

The same account again is answered with \`created: false\`: every field that the request has is as
it asks for. Where one is not, the code is another account's, and the request is refused as
\`account_code_taken\`, which names the fields. A code has no blanks at its ends
and at most 64 bytes of UTF-8.
Codes that begin with \`ID-\` belong to accounts of a platform. A connected tenant can have accounts
of its own beside those of its platform.`,
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
      name: 'A contra account, with all that can be said of it',
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
