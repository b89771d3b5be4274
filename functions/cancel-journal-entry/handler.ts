// Cancels a scheduled journal entry.

import type { Cancelling } from '#shared/ledger/cancelling.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { createApiHandler } from '#shared/triggers/api.ts';
import { validFieldsOf } from '#shared/triggers/validation.ts';
import { viewOf } from '#shared/views/journal-entry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  cancelling: Cancelling;
  log: Log;
  metrics: Metrics;
};

export const createHandler = ({ cancelling, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input: { domain_url: domainUrl, ...named } }) => {
        const { entry, replayed } = await cancelling.cancel({ applicationId, domainUrl }, named);
        if (!replayed) return { data: viewOf(entry) };
        metrics.replayed();
        return { data: viewOf(entry), headers: { 'Idempotent-Replayed': 'true' } };
      },
      storeProblems: ({ caller: { applicationId }, input }) => {
        const { domain_url: domainUrl } = validFieldsOf(Request, input);
        return cancelling.problemsOf({ applicationId, domainUrl });
      },
    },
    { log, metrics },
  );
