// What get-tenant-balances accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { calendarDate, domainUrl } from '#shared/fields.ts';
import { currencyText, dateText, signedAmount } from '#shared/reports/report.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
  as_of: z.optional(
    calendarDate.check(
      z.describe('The end of a month, or the last day that was read, which is the default.'),
    ),
  ),
});

const reasons = `Why the balances do not agree, or why nothing can be compared; null if they agree:

- \`period_locked\`: the day is in the locked period, so nothing was posted. The end of the first
  month after the lock has the difference.
- \`books_moved\`: the books of the platform changed while they were read. The next import reads
  them again.
- \`report_refused\`: the platform has no trial balance, or it contradicts itself.
- \`reports_not_permitted\`: the consent does not cover reports. The user must connect the company
  again.
- \`reports_unavailable\`: the platform did not answer with reports, several times. The next import
  asks again.
- \`amount_too_precise\`: a balance has more decimals than the currency.
- \`account_quota_reached\`: the tenant has no room for an account of the report.
- \`retained_earnings_not_found\`: no account of the platform has the subtype
  \`retained_earnings\`.
- \`import_under_way\`: journals were imported after the day was compared. The import compares it
  again at its end.
- \`not_checked\`: nothing was compared yet.`;

const CheckedAccount = z.object({
  account: z.nullable(z.string()).check(z.describe('Account code; null if the chart lacks it.')),
  account_name: z.string().check(z.describe('Name of the account.')),
  platform: signedAmount('Balance at the platform, positive for a debit.'),
  ours: signedAmount('Balance here, with the entries posted here.'),
  posted_here: signedAmount('Balance of the entries that were posted here, not imported.'),
  difference: signedAmount('`platform` less `ours` without `posted_here`.'),
});
z.globalRegistry.add(CheckedAccount, {
  id: 'CheckedAccount',
  description: 'An account with a balance at the platform or here.',
});

const ComparedDay = z.object({
  date: dateText('The end of a month, or the last day that was read.'),
  reason: z.nullable(z.string()).check(z.describe('Why the day did not agree; null if it did.')),
});
z.globalRegistry.add(ComparedDay, { id: 'ComparedDay', description: 'A day that was compared.' });

const total = (side: string) =>
  z.nullable(signedAmount(`Total ${side} of the trial balance of the platform.`));

export const Data = z.object({
  tenant_domain_url: z.string().check(z.describe('Subdomain prefix of the tenant.')),
  currency: currencyText("The tenant's book currency."),
  as_of: z.nullable(dateText('The day of the check; null if nothing was compared yet.')),
  agrees: z
    .boolean()
    .check(z.describe('Whether the difference of every account is zero, without `posted_here`.')),
  reason: z.nullable(z.string()).check(z.describe(reasons)),
  checked_at: z
    .nullable(z.string())
    .check(z.meta({ format: 'date-time', description: 'When the report was read (UTC).' })),
  platform_total_debits: total('debits'),
  platform_total_credits: total('credits'),
  accounts: z.array(CheckedAccount).check(z.describe('The accounts, ordered by code.')),
  days: z.array(ComparedDay).check(z.describe('The days that can be checked, in order.')),
});

export const documentation: EndpointDocumentation = {
  summary: 'Check tenant balances',
  description: `Compares the balances of a connected tenant with the trial balance of its
platform. An import reads the trial balances of the last 24 months and posts what the imported
journals lack, as one entry of type \`Platform Balance\` for each month.

In a trial balance, accounts of profit and loss start with the fiscal year, and retained earnings
include the profit of all earlier years. The amounts here follow the platform's.`,
  errors: ['tenant_not_found', 'tenant_not_connected'],
  examples: [
    {
      name: 'A month in the locked period',
      request: { domain_url: 'difference-works-p3vh8d', as_of: '2026-02-28' },
      data: {
        tenant_domain_url: 'difference-works-p3vh8d',
        currency: 'EUR',
        as_of: '2026-02-28',
        agrees: false,
        reason: 'period_locked',
        checked_at: '2026-03-23T09:31:12.000Z',
        platform_total_debits: '8120.00',
        platform_total_credits: '8120.00',
        accounts: [
          {
            account: '1200',
            account_name: 'Inventory',
            platform: '8120.00',
            ours: '8050.00',
            posted_here: '50.00',
            difference: '120.00',
          },
          {
            account: '3000',
            account_name: 'Share capital',
            platform: '-8120.00',
            ours: '-8050.00',
            posted_here: '-50.00',
            difference: '-120.00',
          },
        ],
        days: [
          { date: '2026-02-28', reason: 'period_locked' },
          { date: '2026-03-23', reason: null },
        ],
      },
    },
  ],
};
