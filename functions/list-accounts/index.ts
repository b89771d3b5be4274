// Entry point of list-accounts.

import { openChartsApi } from '#shared/accounts/charts.container.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openChartsApi('list-accounts', {}));
