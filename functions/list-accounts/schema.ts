// What list-accounts accepts and returns.

import * as z from 'zod/mini';
import { AccountView, accountStatus, accountType } from '#shared/accounts/account.view.ts';
import { maximumAccountCodeLength } from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors, pageLimit } from '#shared/endpoint/page.view.ts';
import { domainUrl, nonBlankText } from '#shared/fields.ts';

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
  limit: pageLimit,
  cursor: cursors.field,
});

export const Data = z.object({
  accounts: z.array(AccountView).check(z.describe('The accounts, ordered by code.')),
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
that existed at the beginning is never omitted or repeated.`,
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
  ],
};
