// Entry point of create-journal-entries.

import { openPostingApi } from '#shared/entries/posting.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openPostingApi('create-journal-entries'));
