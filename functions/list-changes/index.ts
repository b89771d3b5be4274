// Entry point of list-changes.

import { openEntryQueriesApi } from '#shared/entries/lists/entry-queries.container.ts';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { createHandler } from './handler.ts';

const api = openEntryQueriesApi('list-changes');

export const handler = createHandler({ ...api, history: openTenantHistory(api.table) });
