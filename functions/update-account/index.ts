// Entry point of update-account.

import { openChartsApi } from '#shared/accounts/charts.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openChartsApi('update-account', {}));
