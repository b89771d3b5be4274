// Changes a tenant: its name, fiscal year, cash-flow method and locked period.

import { changesIn } from '#shared/changes.ts';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import type { Slots } from '#shared/platforms/slots.ts';
import { summaryOf } from '#shared/tenants/tenant.view.ts';
import type { TenantUpdates } from '#shared/tenants/tenant-updates.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { tenantUpdates: TenantUpdates; slots: Slots };

const changesOf = (input: Partial<Request>) =>
  changesIn({
    companyName: input.company_name,
    cashFlowMethod: input.cash_flow_method,
    profitLayout: input.profit_layout,
    financialYearEnd: input.financial_year_end,
    entryYearsBack: input.entry_years_back,
    entryYearsAhead: input.entry_years_ahead,
    lockDate: input.lock_date,
    indexedKeys: input.indexed_metadata,
    followPlatformEdits: input.follow_platform_edits,
  });

export const createHandler = ({ tenantUpdates, slots, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { keyId }, tenant, input }) => {
        const update = { changes: changesOf(input), keyId };
        return { data: summaryOf(await tenantUpdates.update(tenant, update), slots) };
      },
      storeProblems: ({ tenant, input }) => {
        const readable = validFieldsOf(Request, input);
        const changesInBody = changesOf(Object(input) as Partial<Request>);
        return tenantUpdates.problemsOfUpdate(tenant, {
          changes: changesOf(readable),
          changesInBody,
        });
      },
    },
    tools,
  );
