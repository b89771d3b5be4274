// Lists who changed what in a tenant, and what happened to its entries.

import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { cursorPositionOf, listPositionOf } from '#shared/entries/lists/entry-position.view.ts';
import type { EntryQueries } from '#shared/entries/lists/entry-queries.service.ts';
import { ApiError } from '#shared/errors.ts';
import type { TenantHistory } from '#shared/history/tenant-history.store.ts';
import { contentOfChange } from '#shared/history/tenant-history.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { changeOfEntry } from './entry-changes.ts';
import { type ChangeView, cursors, Data, type Position, type Query, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & {
  history: Pick<TenantHistory, 'listPage'>;
  entryQueries: Pick<EntryQueries, 'list'>;
};

/** `next` is `undefined` after the last change of a kind. */
type Page = { changes: ChangeView[]; next: Position | undefined };

const changeOfKind = {
  entries: 'creation',
  postings: 'posting',
  cancellations: 'cancellation',
} as const;

/** The kinds follow each other in one list, unless the request names one. */
const following = {
  settings: 'entries',
  entries: 'postings',
  postings: 'cancellations',
  cancellations: undefined,
} as const;

export const createHandler = ({ history, entryQueries, ...tools }: Dependencies) => {
  const listSettings = async (
    tenant: TenantName,
    { recorded_from: from = '', order, limit }: Query,
    after: number | undefined,
  ): Promise<Page> => {
    const isDescending = order === 'desc';
    const [found, { changes, next }] = await Promise.all([
      tools.tenants.findMany([tenant]),
      history.listPage(tenant, { limit, after, isDescending }),
    ]);
    if (found.length === 0) throw new ApiError('tenant_not_found');
    const isFrom = ({ at }: { at: string }) => Date.parse(at) >= Date.parse(from || '1970-01-01');
    const last = changes.at(-1);
    const isOver = next === undefined || (isDescending && last !== undefined && !isFrom(last));
    return {
      changes: changes
        .filter(isFrom)
        .map((change) => ({ ...contentOfChange(change), hash: change.hash })),
      next: isOver ? undefined : { kind: 'settings', sequence: next },
    };
  };

  const listEntries = async (
    tenant: TenantName,
    { recorded_from: from, order, limit }: Query,
    { kind, after }: { kind: keyof typeof changeOfKind; after: Position['entry'] },
  ): Promise<Page> => {
    const change = changeOfKind[kind];
    const recordedFrom = from === undefined ? undefined : Date.parse(from);
    const query = { change, recordedFrom, order, limit, after: listPositionOf(after) };
    const { entries, next } = await entryQueries.list(tenant, query);
    return {
      changes: entries.map(({ entry }) => changeOfEntry(entry, change)),
      next: next && { kind, entry: cursorPositionOf(next) },
    };
  };

  return createTenantApiHandler(
    {
      from: 'query',
      isReadOnly: true,
      request: Request,
      data: Data,
      handle: async ({ tenant, input }) => {
        const position = cursors.positionOf(input);
        const kind = position?.kind ?? input.kind ?? 'settings';
        const { changes, next } =
          kind === 'settings'
            ? await listSettings(tenant, input, position?.sequence)
            : await listEntries(tenant, input, { kind, after: position?.entry });
        const nextKind = input.kind === undefined ? following[kind] : undefined;
        const further = next ?? (nextKind && { kind: nextKind });
        return { data: { changes, next_cursor: cursors.next(input, further) } };
      },
    },
    tools,
  );
};
