// What update-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import {
  calendarDate,
  cashFlowMethod,
  companyName,
  domainUrl,
  financialYearEnd,
} from '#shared/fields.ts';
import { lockDelaySeconds } from '#shared/tenants/period-lock.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The tenant: its subdomain prefix or its full domain, in any case.'),
  ),
  lock_date: z.optional(
    calendarDate.check(
      z.describe(
        'The last day of the locked period: nothing more is posted to it or to a day before it. ' +
          'It must be over (UTC).',
      ),
    ),
  ),
  financial_year_end: z.optional(
    financialYearEnd.check(
      z.describe('The last day of its fiscal year, MM-DD. `02-29` is the last day of February.'),
    ),
  ),
  cash_flow_method: z.optional(
    cashFlowMethod.check(z.describe('Method of its statement of cash flows.')),
  ),
  company_name: z.optional(
    companyName.check(z.describe('Name of the company. The prefix stays as it is.')),
  ),
});
export type Request = z.output<typeof Request>;

export const Data = TenantSummary;
export type Data = TenantSummary;

const analyticalEngines = {
  tenant_domain_url: 'analytical-engines-k7m2xq',
  schema_name: 'analytical_engines_k7m2xq',
  platform: 'manual',
  company_name: 'Analytical Engines',
  currency: 'EUR',
  cash_flow_method: 'indirect',
  financial_year_end: '12-31',
  lock_date: null,
  locked_from: null,
  status: 'active',
  status_reason: null,
  reconnect_by: null,
  created_at: '2026-03-23T09:30:00.000Z',
} as const;

export const documentation: EndpointDocumentation = {
  summary: 'Update tenant',
  description: `Changes what the request names of a tenant, and nothing else. The same values again
change nothing.

**To lock a period**, set \`lock_date\`: from then on, entries whose posting date is on or before it
are refused as \`period_locked\`, so that what was reported stays as it is. The posting date is the
\`accrual_date\` where an entry has one, else its \`date\`. Posts that had begun a moment before may
still come in: the lock is surely in force from \`locked_from\` on, ${lockDelaySeconds} seconds
after it was set. Keep the \`digest\` of a report from then on, and it can be compared for ever.
Journals of a platform that are dated in the locked period are not imported: get-tenant-import names
them, as \`period_locked\`.

While an entry is scheduled for the period and not posted yet, the lock is refused with 409
\`scheduled_entries_due\`; \`params\` name the first such entry. Send the request again once it is
posted or cancelled.

A lock can be moved back to an earlier date, which takes effect with the next post, and forward
again. To take it away, move it back to a date before all entries, such as \`0001-01-01\`. Every
change of it is recorded, with the API key that made it, and the operator of this service can show
the record.

To move the fiscal year or the method of cash flows changes how reports are drawn up, of past
periods too, and no entry.`,
  errors: ['tenant_not_found', 'scheduled_entries_due', 'contention'],
  examples: [
    {
      name: 'A year that is locked',
      request: { domain_url: 'analytical-engines-k7m2xq', lock_date: '2025-12-31' },
      data: {
        ...analyticalEngines,
        lock_date: '2025-12-31',
        locked_from: '2026-03-24T08:00:40.000Z',
      },
    },
    {
      name: 'A company with another name, whose fiscal year ends in June',
      request: {
        domain_url: 'analytical-engines-k7m2xq',
        company_name: 'Analytical Engines plc',
        financial_year_end: '06-30',
      },
      data: {
        ...analyticalEngines,
        company_name: 'Analytical Engines plc',
        financial_year_end: '06-30',
      },
    },
  ],
};
