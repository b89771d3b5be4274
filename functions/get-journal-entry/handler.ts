// Shows one journal entry.

import type { EntryQueries } from '#shared/ledger/entry-queries.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { createApiHandler } from '#shared/triggers/api.ts';
import { validFieldsOf } from '#shared/triggers/validation.ts';
import { viewOf } from '#shared/views/journal-entry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = { entryQueries: EntryQueries; log: Log; metrics: Metrics };

export const createHandler = ({ entryQueries, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input: { domain_url: domainUrl, ...named } }) => {
        const { entry, stuck } = await entryQueries.get({ applicationId, domainUrl }, named);
        return { data: viewOf(entry, { stuck }) };
      },
      storeProblems: ({ caller: { applicationId }, input }) => {
        const { domain_url: domainUrl } = validFieldsOf(Request, input);
        return entryQueries.problemsOf({ applicationId, domainUrl });
      },
    },
    { log, metrics },
  );
