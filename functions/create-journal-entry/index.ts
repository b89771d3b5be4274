// Entry point of create-journal-entry.

import { openPostingApi } from '#shared/entries/posting.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openPostingApi('create-journal-entry'));
