// What list-accounts accepts and returns.

import * as z from 'zod/mini';
import { AccountView, accountStatus, accountType } from '#shared/accounts/account.view.ts';
import { maximumAccountCodeLength } from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { nextCursor, openCursors, pageLimit } from '#shared/endpoint/page.view.ts';
import { domainUrl, nonBlankText } from '#shared/fields.ts';

/** After which code a page begins. It ends up in a key, of which 1,024 bytes are the limit. */
const Position = z.strictObject({ code: z.string().check(z.maxLength(maximumAccountCodeLength)) });

export const cursors = openCursors('list-accounts', Position);

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
  status: z.optional(accountStatus.check(z.describe('Only accounts of this status.'))),
  type: z.optional(accountType.check(z.describe('Only accounts of this type.'))),
  code: z.optional(
    nonBlankText(maximumAccountCodeLength, { kind: 'id' }).check(
      z.describe('Only the account of this code.'),
    ),
  ),
  limit: pageLimit,
  cursor: cursors.field,
});
export type Request = z.output<typeof Request>;

export const Data = z.object({
  accounts: z.array(AccountView).check(z.describe('The accounts in the order of their codes.')),
  next_cursor: nextCursor,
});
z.globalRegistry.add(Data, { id: 'AccountPage', description: 'A page of a chart of accounts.' });
export type Data = z.output<typeof Data>;

const active = { status: 'active', platform_account_id: null } as const;

export const documentation: EndpointDocumentation = {
  summary: 'List accounts',
  description: `Returns a tenant's chart of accounts, in the order of their codes as texts: \`10\`
comes before \`9\`. Archived accounts are among them, since older entries name them. To find one
account, ask for its \`code\`; to post, choose among those of \`status=active\`.

Read on with \`cursor\` until \`next_cursor\` is null. A page ends when \`status\` or \`type\` has
left out about 200 accounts; it can be short or empty although there are more. What was there is
never left out or given twice, whatever is added meanwhile.`,
  errors: ['tenant_not_found'],
  examples: [
    {
      name: 'The first assets of the default chart',
      request: { domain_url: 'analytical-engines-k7m2xq', type: 'asset', limit: '2' },
      data: {
        accounts: [
          {
            ...{ code: '1000', name: 'Cash on Hand', type: 'asset', subtype: 'cash' },
            ...{ normal_balance: 'debit', cash_flow: 'cash', ...active },
          },
          {
            ...{ code: '1010', name: 'Bank Current Account', type: 'asset', subtype: 'cash' },
            ...{ normal_balance: 'debit', cash_flow: 'cash', ...active },
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
