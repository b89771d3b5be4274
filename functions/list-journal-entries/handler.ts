// Lists the journal entries of a tenant, page by page.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import type { EntryQueries } from '#shared/entries/lists/entry-queries.service.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { cursorPositionOf, cursors, Data, listPositionOf, Request } from './schema.ts';

export type Dependencies = { entryQueries: EntryQueries; log: Log; metrics: Metrics };

export const createHandler = ({ entryQueries, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId }, input }) => {
        const { domain_url: domainUrl, entry_type: entryType, ...query } = input;
        const after = listPositionOf(cursors.positionOf(input));
        const asked = { ...query, entryType, after };
        const { entries, next } = await entryQueries.list({ applicationId, domainUrl }, asked);
        return {
          data: {
            journal_entries: entries.map(({ entry, stuck }) => viewOf(entry, { stuck })),
            next_cursor: cursors.next(input, next && cursorPositionOf(next)),
          },
        };
      },
      storeProblems: ({ caller: { applicationId }, input }) => {
        const { domain_url: domainUrl, account } = validFieldsOf(Request, input);
        return entryQueries.problemsOf({ applicationId, domainUrl }, { account });
      },
    },
    { log, metrics },
  );
