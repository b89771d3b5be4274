// Shows one journal entry.

import type { NamedEntries } from '#shared/ledger/named-entries.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { createApiHandler } from '#shared/triggers/api.ts';
import { validFieldsOf } from '#shared/triggers/validation.ts';
import { viewOf } from '#shared/views/journal-entry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = { namedEntries: NamedEntries; log: Log; metrics: Metrics };

export const createHandler = ({ namedEntries, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input: { domain_url: domainUrl, ...named } }) => {
        const { entry, stuck } = await namedEntries.get({ applicationId, domainUrl }, named);
        return { data: viewOf(entry, { stuck }) };
      },
      storeProblems: ({ caller: { applicationId }, input }) => {
        const { domain_url: domainUrl } = validFieldsOf(Request, input);
        return namedEntries.problemsOf({ applicationId, domainUrl });
      },
    },
    { log, metrics },
  );
