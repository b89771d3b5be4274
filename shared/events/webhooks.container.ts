// The dependencies of the endpoints of webhooks.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { openTenantApi } from '../endpoint/api.container.ts';
import { webhookTargets } from './webhook-targets.service.ts';
import { openWebhooks } from './webhooks.store.ts';

export const sendingSettings = { WEBHOOK_TARGETS: z.enum(webhookTargets) };

/** @param settings the further settings of the function */
export const openWebhooksApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const api = openTenantApi(functionName, settings);
  return { ...api, webhooks: openWebhooks(api.table), random: randomBytes };
};
