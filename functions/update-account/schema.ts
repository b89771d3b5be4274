// What update-account accepts and returns.

import * as z from 'zod/mini';
import { AccountView, accountStatus } from '#shared/accounts/account.view.ts';
import {
  accountSubtypes,
  cashFlowClasses,
  maximumAccountCodeLength,
  maximumAccountNameLength,
} from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl, nonBlankText, oneLine } from '#shared/fields.ts';

/** What can be changed. */
const changes = {
  name: z.optional(
    nonBlankText(maximumAccountNameLength, { kind: 'name' }).check(
      oneLine,
      z.describe('What it is called from now on. Entries keep the name that it had.'),
    ),
  ),
  status: z.optional(
    accountStatus.check(z.describe('`archived`: nothing more can be posted to it; or `active`.')),
  ),
  subtype: z.optional(
    z
      .enum(accountSubtypes)
      .check(z.describe('The line of a statement that shows it, one of those of its type.')),
  ),
  cash_flow: z.optional(
    z
      .enum(cashFlowClasses)
      .check(
        z.describe(
          'The section of the statement of cash flows that shows what moves cash against it: ' +
            '`operating`, `investing` or `financing`. What is `cash` stays so; nothing becomes it.',
        ),
      ),
  ),
};

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
  code: nonBlankText(maximumAccountCodeLength, { kind: 'id' }).check(
    z.describe('The code of the account.'),
  ),
  ...changes,
});
export type Request = z.output<typeof Request>;

export const Data = AccountView;
export type Data = AccountView;

export const documentation: EndpointDocumentation = {
  summary: 'Update account',
  description: `Changes what the request names of an account, and nothing else: two requests that
change different fields at the same time both count. The code and the type never change, nor does
whether an account is cash, since entries keep which of their lines moved cash
(\`cash_flow_is_fixed\`). What is changed holds for reports of every period.

To archive an account stops posts to it, and nothing else: what is posted stays in every report,
what is scheduled still posts, and it can be \`active\` again.

Of an account that comes from a platform, the platform decides the name and the status
(\`account_kept_by_platform\`): change them there, and import. \`subtype\` and \`cash_flow\`
follow from the platform's type when the account is first imported, and imports keep what is set
here.`,
  errors: ['tenant_not_found', 'contention'],
  examples: [
    {
      name: 'An account that is used no longer',
      request: { domain_url: 'analytical-engines-k7m2xq', code: '1020', status: 'archived' },
      data: {
        code: '1020',
        name: 'Savings and Term Deposits',
        type: 'asset',
        subtype: 'cash',
        normal_balance: 'debit',
        cash_flow: 'cash',
        status: 'archived',
        platform_account_id: null,
      },
    },
    {
      name: 'A loan that its platform has as a current liability',
      request: {
        domain_url: 'difference-works-p3vh8d',
        code: '2500',
        subtype: 'debt',
        cash_flow: 'financing',
      },
      data: {
        code: '2500',
        name: 'Bank loan',
        type: 'liability',
        subtype: 'debt',
        normal_balance: 'credit',
        cash_flow: 'financing',
        status: 'active',
        platform_account_id: '6f9e9a1e-3e0b-4e57-8c4d-0a1b2c3d4e5f',
      },
    },
  ],
};
