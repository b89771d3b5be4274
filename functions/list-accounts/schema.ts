// What list-accounts accepts and returns.

import * as z from 'zod/mini';
import { AccountView, accountStatus, accountType } from '#shared/accounts/account.view.ts';
import { maximumAccountCodeLength } from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors, pageLimit } from '#shared/endpoint/page.view.ts';
import { domainUrl, nonBlankText, queryBoolean } from '#shared/fields.ts';
import { dateText, signedAmount } from '#shared/reports/report.view.ts';

/** The last code of the previous page. It becomes part of a key, limited to 1,024 bytes. */
const Position = z.strictObject({ code: z.string().check(z.maxLength(maximumAccountCodeLength)) });

export const cursors = openCursors('list-accounts', Position);

export const Request = z.strictObject({
  domain_url: domainUrl,
  status: z.optional(accountStatus.check(z.describe('Only accounts with this status.'))),
  type: z.optional(accountType.check(z.describe('Only accounts of this type.'))),
  code: z.optional(
    nonBlankText(maximumAccountCodeLength, { kind: 'id' }).check(
      z.describe('Only the account with this code.'),
    ),
  ),
  balances: z
    ._default(queryBoolean, false)
    .check(z.describe('Whether each account has its balance.')),
  limit: pageLimit,
  cursor: cursors.field,
});

const ListedAccount = z.extend(AccountView, {
  balance: z.optional(
    signedAmount(
      "Balance in the tenant's book currency, positive for a debit: all entries with a posting " +
        'date up to `balances_as_of`. Only with `balances=true`.',
    ),
  ),
});
z.globalRegistry.add(ListedAccount, {
  id: 'ListedAccount',
  description: "An account in a tenant's chart of accounts, with its balance if requested.",
});

export const Data = z.object({
  accounts: z.array(ListedAccount).check(z.describe('The accounts, ordered by code.')),
  balances_as_of: z.optional(
    dateText('Last posting date of the balances: today (UTC). Only with `balances=true`.'),
  ),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, { id: 'AccountPage', description: 'A page of a chart of accounts.' });

const cash = {
  type: 'asset',
  subtype: 'cash',
  normal_balance: 'debit',
  cash_flow: 'cash',
  status: 'active',
  platform_account_id: null,
} as const;

export const documentation: EndpointDocumentation = {
  summary: 'List accounts',
  description: `Returns a tenant's chart of accounts. Codes are ordered as text, so \`10\` comes
before \`9\`. Archived accounts are included, because older entries refer to them. To find one
account, send its \`code\`. To list the accounts that you can post to, send \`status=active\`.

Continue with \`cursor\` until \`next_cursor\` is null. A page ends after \`status\` or \`type\` has
excluded about 500 accounts, so it can be short or empty although more accounts follow. An account
that existed at the beginning is never omitted or repeated.

With \`balances=true\`, each account has its current \`balance\`: the closing balance of a trial
balance as of today. It includes every entry that was posted before the request. Each page has the
balances at its own time.`,
  errors: ['tenant_not_found'],
  examples: [
    {
      name: 'The first assets of the default chart',
      request: { domain_url: 'analytical-engines-k7m2xq', type: 'asset', limit: '2' },
      data: {
        accounts: [
          {
            code: '1000',
            name: 'Cash on Hand',
            ...cash,
          },
          {
            code: '1010',
            name: 'Bank Current Account',
            ...cash,
          },
        ],
        next_cursor: cursors.next(
          { domain_url: 'analytical-engines-k7m2xq', type: 'asset', limit: 2 },
          { code: '1010' },
        ),
      },
    },
    {
      name: 'The balance of one account',
      request: { domain_url: 'analytical-engines-k7m2xq', code: '1010', balances: 'true' },
      data: {
        accounts: [{ code: '1010', name: 'Bank Current Account', ...cash, balance: '1159.60' }],
        balances_as_of: '2026-03-24',
        next_cursor: null,
      },
    },
  ],
};
