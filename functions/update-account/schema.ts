// What update-account accepts and returns.

import * as z from 'zod/mini';
import { AccountView, accountStatus, accountSubtype } from '#shared/accounts/account.view.ts';
import {
  cashFlowClasses,
  maximumAccountCodeLength,
  maximumAccountNameLength,
} from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { calendarDate, domainUrl, nonBlankText, oneLine, rule } from '#shared/fields.ts';
import { amountPattern } from '#shared/money/amounts.ts';

const changes = {
  name: z.optional(
    nonBlankText(maximumAccountNameLength, { kind: 'name' }).check(
      oneLine,
      z.describe('New name. Existing entries keep the old name.'),
    ),
  ),
  status: z.optional(
    accountStatus.check(
      z.describe(
        '`archived`: nothing can be posted to the account. `active`: it can be posted ' + 'to.',
      ),
    ),
  ),
  subtype: z.optional(accountSubtype),
  cash_flow: z.optional(
    z
      .enum(cashFlowClasses)
      .check(
        z.describe(
          'Section of the statement of cash flows for cash that moves against this ' +
            'account: `operating`, `investing` or `financing`. Only an archived account without ' +
            'entries can change to or from `cash`.',
        ),
      ),
  ),
  current_part: z.optional(
    z.string().check(
      rule<string>('amount_not_valid', (value) => amountPattern.test(value)),
      z.meta({ pattern: amountPattern.source }),
      z.describe(
        'The part of the balance that is due within a year, for example of a loan. `0.00`: none. ' +
          'Only for subtypes `debt`, `investment`, `non_current_asset`, ' +
          '`non_current_liability` and `non_current_intercompany`.',
      ),
    ),
  ),
  effective_from: z.optional(
    calendarDate.check(
      z.describe(
        'First date of the new classification and part: after the locked period, and not after ' +
          'today (UTC). Defaults to the day after the lock, or to the beginning without a lock.',
      ),
    ),
  ),
};

export const Request = z.strictObject({
  domain_url: domainUrl,
  code: nonBlankText(maximumAccountCodeLength, { kind: 'id' }).check(
    z.describe('Code of the account.'),
  ),
  ...changes,
});
export type Request = z.output<typeof Request>;

export const Data = AccountView;

export const documentation: EndpointDocumentation = {
  summary: 'Update account',
  description: `Changes the fields of an account that the request contains. Simultaneous requests
that change different fields all take effect. The code and the type never change.

A balance sheet shows the \`current_part\` of a loan as \`current_debt\`, and the rest as
\`debt\`; at most the balance is current. Change it once a year, with the first date on which it
counts.

A new \`subtype\`, \`cash_flow\` or \`current_part\` counts from \`effective_from\` on. A statement
uses the classification on its last date, so the statements of a locked period stay as they are.
\`earlier_classifications\` in the reply lists the previous ones. list-changes shows who made each
change, and when.

Entries record which of their lines moved cash. So an account can become cash, or stop being cash,
only while it has no entries: archive it, wait a minute, and send the change together with
\`status: active\`. Before that, the change is refused as \`account_not_at_rest\`; if there are
entries, as \`cash_flow_is_fixed\`. An account of a platform can never change to or from cash.

Archiving an account only prevents new entries. Posted entries stay in every report, scheduled
entries still post, and the account can become \`active\` again.

For an account from a platform, the platform decides the name and the status
(\`account_kept_by_platform\`): change them there, then import. The first import derives \`subtype\`
and \`cash_flow\` from the platform's type. Later imports keep the values that you set here.`,
  errors: ['tenant_not_found', 'contention'],
  examples: [
    {
      name: 'An account that is archived',
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
      name: 'A loan that the platform reports as a current liability',
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
