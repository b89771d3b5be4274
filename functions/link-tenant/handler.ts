// Links a user to a tenant.

import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import type { Linking } from '#shared/tenants/tenant-links.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { linking: Pick<Linking, 'link' | 'problemsOf'> };

export const createHandler = ({ linking, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { keyId }, tenant, input }) => ({
        data: await linking.link(tenant, { userId: input.user_id, keyId }),
      }),
      storeProblems: ({ caller: { applicationId }, tenant, input }) =>
        linking.problemsOf(applicationId, {
          tenant,
          userId: validFieldsOf(Request, input).user_id,
        }),
    },
    tools,
  );
