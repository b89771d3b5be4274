// Links a user to a tenant, so that it is shown it and may connect it again.

import { createApiHandler } from '#shared/endpoint/api.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import type { Linking } from '#shared/tenants/tenant-links.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  linking: Pick<Linking, 'link' | 'problemsOf'>;
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
        const { userId, prefix } = await linking.link(applicationId, asked);
        return { data: { user_id: userId, tenant_domain_url: prefix, linked: true } };
      },
      storeProblems: ({ caller: { applicationId }, input }) =>
        linking.problemsOf(applicationId, input),
    },
    { log, metrics },
  );
