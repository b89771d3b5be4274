// Entry point of get-profit-and-loss.

import { openReportsApi } from '#shared/reports/reports.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openReportsApi('get-profit-and-loss'));
