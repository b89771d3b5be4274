// Changes an account of a tenant's chart.

import { viewOf } from '#shared/accounts/account.view.ts';
import type { TenantCharts } from '#shared/accounts/charts.service.ts';
import { changesIn } from '#shared/changes.ts';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & {
  tenantCharts: Pick<TenantCharts, 'update' | 'problemsOfUpdate'>;
};

const changesOf = ({
  name,
  status,
  subtype,
  cash_flow: cashFlow,
  current_part: currentPart,
}: Partial<Request>) => changesIn({ name, status, subtype, cashFlow, currentPart });

export const createHandler = ({ tenantCharts, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { keyId }, tenant, input }) => {
        const { code, effective_from: effectiveFrom } = input;
        const update = { code, changes: changesOf(input), effectiveFrom, keyId };
        return { data: viewOf(await tenantCharts.update(tenant, update)) };
      },
      storeProblems: ({ tenant, input }) => {
        const readable = validFieldsOf(Request, input);
        const { code, effective_from: effectiveFrom } = readable;
        const changesInBody = changesOf(Object(input) as Partial<Request>);
        return tenantCharts.problemsOfUpdate(tenant, {
          code,
          changes: changesOf(readable),
          effectiveFrom,
          changesInBody,
        });
      },
    },
    tools,
  );
