// What update-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { indexedMetadata } from '#shared/entries/drafts/metadata.ts';
import {
  calendarDate,
  cashFlowMethod,
  companyName,
  domainUrl,
  financialYearEnd,
} from '#shared/fields.ts';
import { entryYearsFields } from '#shared/tenants/entry-years.ts';
import { followPlatformEdits } from '#shared/tenants/follow-platform-edits.ts';
import { lockDelaySeconds } from '#shared/tenants/period-lock.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';
import { exampleLockedTenant, exampleTenant } from '#shared/tenants/tenant-example.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl,
  lock_date: z.optional(
    calendarDate.check(
      z.describe(
        'Last day of the locked period. Nothing is posted on or before it. It must be ' +
          'in the past (UTC).',
      ),
    ),
  ),
  financial_year_end: z.optional(
    financialYearEnd.check(
      z.describe('Last day of the fiscal year, MM-DD. `02-29` is the last day of February.'),
    ),
  ),
  cash_flow_method: z.optional(
    cashFlowMethod.check(z.describe('Method of the statement of cash flows.')),
  ),
  profit_layout: z.optional(TenantSummary.shape.profit_layout),
  company_name: z.optional(
    companyName.check(z.describe('Name of the company. The prefix does not change.')),
  ),
  ...entryYearsFields,
  indexed_metadata: indexedMetadata,
  follow_platform_edits: followPlatformEdits,
});
export type Request = z.output<typeof Request>;

export const Data = TenantSummary;

export const documentation: EndpointDocumentation = {
  summary: 'Update tenant',
  description: `Changes the fields of a tenant that the request contains. Repeating the same values
changes nothing.

**To lock a period**, set \`lock_date\`. From then on, entries with a posting date on or before it
are refused as \`period_locked\`, so reports of the period stay the same. The posting date is the
\`accrual_date\` if an entry has one, otherwise its \`date\`. Posts that started just before the
lock can still be recorded; the lock is certain from \`locked_from\`, ${lockDelaySeconds} seconds
after it was set. While the lock remains, the \`digest\` of a report of the locked period then does
not change. Platform journals dated in the locked period are not imported; get-tenant-import lists
them as \`period_locked\`.

If an entry is scheduled for the period and not posted yet, the lock is refused with 409
\`scheduled_entries_due\`; \`params\` name the first of these entries. Send the request again after
it is posted or cancelled.

You can move a lock back to an earlier date, which takes effect with the next post, and forward
again. To remove a lock, move it to a date before all entries, for example \`0001-01-01\`. Every
change is recorded with the API key that made it. The operator of this service can show the record.

\`entry_years_back\` and \`entry_years_ahead\` change which dates new entries can have. Entries
with other dates are refused as \`date_out_of_range\`.

\`indexed_metadata\` replaces the metadata keys by which list-journal-entries can look entries up.
The index of a new key has the entries with a \`created_at\` at or after its \`from\`,
${lockDelaySeconds} seconds after this request. Earlier entries are not in it. If create-tenant sets
the keys, the index has all entries. Each key of an entry is one of the hundred writes that a batch
can have.

\`follow_platform_edits\` counts from the next import on. If you switch it on, the next import also
follows the edits that were only reported until then. Tenants with manual books refuse it.

A new fiscal year, cash-flow method or profit layout changes how reports are calculated, for past
periods too. It does not change any entry.`,
  errors: ['tenant_not_found', 'scheduled_entries_due', 'contention'],
  examples: [
    {
      name: 'A locked year',
      request: { domain_url: 'analytical-engines-k7m2xq', lock_date: '2025-12-31' },
      data: exampleLockedTenant,
    },
    {
      name: 'A new company name, and a fiscal year that ends in June',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        company_name: 'Analytical Engines plc',
        financial_year_end: '06-30',
      },
      data: {
        ...exampleTenant,
        company_name: 'Analytical Engines plc',
        financial_year_end: '06-30',
      },
    },
  ],
};
