// Entry point of get-trial-balance.

import { openReportsApi } from '#shared/reports/reports.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openReportsApi('get-trial-balance'));
