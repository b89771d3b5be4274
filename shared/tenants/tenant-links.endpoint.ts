// The endpoints that link users to tenants, and unlink them.

import * as z from 'zod/mini';
import { createTenantApiHandler, type TenantEndpointTools } from '../endpoint/tenant-api.ts';
import { validFieldsOf } from '../endpoint/validation.ts';
import { domainUrl, userId } from '../fields.ts';
import { TenantLinkView } from './tenant.view.ts';
import type { Linking } from './tenant-links.service.ts';

export const TenantLinkRequest = z.strictObject({
  user_id: userId,
  domain_url: domainUrl,
});

export type LinkingDependencies = TenantEndpointTools & { linking: Linking };

export const createLinkingHandler = (
  change: 'link' | 'unlink',
  { linking, ...tools }: LinkingDependencies,
) =>
  createTenantApiHandler(
    {
      from: 'body',
      request: TenantLinkRequest,
      data: TenantLinkView,
      handle: async ({ caller: { keyId }, tenant, input }) => ({
        data: await linking[change](tenant, { userId: input.user_id, keyId }),
      }),
      storeProblems: ({ caller: { applicationId }, tenant, input }) =>
        linking.problemsOf(applicationId, {
          tenant,
          userId: validFieldsOf(TenantLinkRequest, input).user_id,
        }),
    },
    tools,
  );
