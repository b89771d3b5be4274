// Entry point of get-changes-in-equity.

import { openReportsApi } from '#shared/reports/reports.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openReportsApi('get-changes-in-equity'));
