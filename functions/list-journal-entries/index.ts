// Entry point of list-journal-entries.

import { openEntryQueriesApi } from '#shared/entries/lists/entry-queries.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openEntryQueriesApi('list-journal-entries'));
