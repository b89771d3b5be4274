// Entry point of get-cash-flow.

import { openReportsApi } from '#shared/reports/reports.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openReportsApi('get-cash-flow'));
