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
  clock: () => Date;
};

/**
 * A change has the time at which its function began to write it. A function ends after 15 minutes
 * (AWS Lambda Developer Guide, "Lambda quotas").
 */
const longestRecordingMilliseconds = 15 * 60_000;

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

export const createHandler = ({ history, entryQueries, clock, ...tools }: Dependencies) => {
  const listSettings = async (
    tenant: TenantName,
    { recorded_from, order, limit }: Query,
    after: number | undefined,
  ): Promise<Page> => {
    const isDescending = order === 'desc';
    const from = Date.parse(recorded_from ?? '1970-01-01');
    const [found, { changes, next }] = await Promise.all([
      tools.tenants.findMany([tenant]),
      history.listPage(tenant, { limit, after, isDescending }),
    ]);
    if (found.length === 0) throw new ApiError('tenant_not_found');
    const last = Date.parse(changes.at(-1)?.at ?? '');
    // An earlier change can have a later time, because both were written at the same time.
    const isBefore = isDescending && last < from - longestRecordingMilliseconds;
    const isOver = next === undefined || isBefore;
    return {
      changes: changes
        .filter(({ at }) => Date.parse(at) >= from)
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
        const now = clock().getTime();
        const until = position?.until ?? new Date(now - longestRecordingMilliseconds).toISOString();
        const kind = position?.kind ?? input.kind ?? 'settings';
        const { changes, next } =
          kind === 'settings'
            ? await listSettings(tenant, input, position?.sequence)
            : await listEntries(tenant, input, { kind, after: position?.entry });
        const nextKind = input.kind === undefined ? following[kind] : undefined;
        const further = next ?? (nextKind && { kind: nextKind });
        const next_cursor = cursors.next(input, further && { ...further, until });
        return { data: { changes, recorded_until: until, next_cursor } };
      },
    },
    tools,
  );
};
