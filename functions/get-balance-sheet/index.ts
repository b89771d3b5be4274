// Entry point of get-balance-sheet.

import { openReportsApi } from '#shared/reports/reports.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openReportsApi('get-balance-sheet'));
