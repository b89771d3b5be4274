// Entry point of list-changes.

import { openTenantApi } from '#shared/endpoint/tenant-api.container.ts';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { createHandler } from './handler.ts';

const api = openTenantApi('list-changes', {});

export const handler = createHandler({ ...api, history: openTenantHistory(api.table) });
