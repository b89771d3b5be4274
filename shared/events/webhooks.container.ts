// The dependencies of the endpoints of webhooks.

import { randomBytes } from 'node:crypto';
import type * as z from 'zod/mini';
import { openTenantApi } from '../endpoint/tenant-api.container.ts';
import { openWebhooks } from './webhooks.store.ts';

/** @param settings the further settings of the function */
export const openWebhooksApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const api = openTenantApi(functionName, settings);
  return { ...api, webhooks: openWebhooks(api.table), random: randomBytes };
};
