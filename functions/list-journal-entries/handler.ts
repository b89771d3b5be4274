// Lists the journal entries of a tenant, page by page.

import type * as z from 'zod/mini';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import { cursorPositionOf, listPositionOf } from '#shared/entries/lists/entry-position.view.ts';
import type { EntryQueries } from '#shared/entries/lists/entry-queries.service.ts';
import { cursors, Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & {
  entryQueries: Pick<EntryQueries, 'list' | 'problemsOf'>;
};

/** The parts of the filter that are checked against the tenant. */
const checkedOf = ({
  account,
  recorded_from,
  metadata_key: key,
  metadata_value: value,
}: Partial<z.output<typeof Request>>) => ({
  account,
  recordedFrom: recorded_from === undefined ? undefined : Date.parse(recorded_from),
  metadata: key === undefined || value === undefined ? undefined : { key, value },
});

export const createHandler = ({ entryQueries, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant, input }) => {
        const { from, to, order, limit, status, entry_type: entryType } = input;
        const after = listPositionOf(cursors.positionOf(input));
        const query = { from, to, order, limit, status, entryType, after, ...checkedOf(input) };
        const { entries, next } = await entryQueries.list(tenant, query);
        return {
          data: {
            journal_entries: entries.map(({ entry, stuck }) => viewOf(entry, { stuck })),
            next_cursor: cursors.next(input, next && cursorPositionOf(next)),
          },
        };
      },
      storeProblems: ({ tenant, input }) =>
        entryQueries.problemsOf(tenant, checkedOf(validFieldsOf(Request, input))),
    },
    tools,
  );
