// Entry point of get-journal-entry.

import { openEntryQueriesApi } from '#shared/entries/lists/entry-queries.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openEntryQueriesApi('get-journal-entry'));
