// Shows one journal entry.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import type { EntryQueries } from '#shared/entries/lists/entry-queries.service.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
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
