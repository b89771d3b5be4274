// Ends a user's link to a tenant, whose books stay as they are.

import { createApiHandler } from '#shared/endpoint/api.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import type { Linking } from '#shared/tenants/tenant-links.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  linking: Pick<Linking, 'unlink' | 'problemsOf'>;
  log: Log;
  metrics: Metrics;
};

export const createHandler = ({ linking, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const { user_id, domain_url } = input;
        const asked = { userId: user_id, domainUrl: domain_url };
        const { userId, prefix } = await linking.unlink(applicationId, asked);
        return { data: { user_id: userId, tenant_domain_url: prefix, linked: false } };
      },
      storeProblems: ({ caller: { applicationId }, input }) =>
        linking.problemsOf(applicationId, input),
    },
    { log, metrics },
  );
