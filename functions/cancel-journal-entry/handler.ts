// Cancels a scheduled journal entry.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import type { Cancellations } from '#shared/entries/schedule/cancellations.service.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  cancellations: Cancellations;
  log: Log;
  metrics: Metrics;
};

export const createHandler = ({ cancellations, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input: { domain_url: domainUrl, ...named } }) => {
        const { entry, replayed } = await cancellations.cancel({ applicationId, domainUrl }, named);
        if (!replayed) return { data: viewOf(entry) };
        metrics.replayed();
        return { data: viewOf(entry), headers: { 'Idempotent-Replayed': 'true' } };
      },
      storeProblems: ({ caller: { applicationId }, input }) => {
        const { domain_url: domainUrl } = validFieldsOf(Request, input);
        return cancellations.problemsOf({ applicationId, domainUrl });
      },
    },
    { log, metrics },
  );
