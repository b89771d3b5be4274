// Entry point of create-account.

import { openChartsApi } from '#shared/accounts/charts.container.ts';
import { Quotas } from '#shared/applications/quotas.ts';
import { createHandler } from './handler.ts';

const api = openChartsApi('create-account', { QUOTAS: Quotas });

export const handler = createHandler({ ...api, quotas: api.environment.QUOTAS });
