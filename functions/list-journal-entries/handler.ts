// Lists the journal entries of a tenant, page by page.

import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import type { EntryQueries } from '#shared/entries/lists/entry-queries.service.ts';
import { cursorPositionOf, cursors, Data, listPositionOf, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & {
  entryQueries: Pick<EntryQueries, 'list' | 'problemsOf'>;
};

export const createHandler = ({ entryQueries, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant, input }) => {
        const { domain_url: _, entry_type: entryType, recorded_from, ...query } = input;
        const after = listPositionOf(cursors.positionOf(input));
        const recordedFrom = recorded_from === undefined ? undefined : Date.parse(recorded_from);
        const filtered = { ...query, entryType, recordedFrom, after };
        const { entries, next } = await entryQueries.list(tenant, filtered);
        return {
          data: {
            journal_entries: entries.map(({ entry, stuck }) => viewOf(entry, { stuck })),
            next_cursor: cursors.next(input, next && cursorPositionOf(next)),
          },
        };
      },
      storeProblems: ({ tenant, input }) =>
        entryQueries.problemsOf(tenant, { account: validFieldsOf(Request, input).account }),
    },
    tools,
  );
