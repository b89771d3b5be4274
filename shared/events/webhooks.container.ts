// The dependencies of the functions of webhooks.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { openTenantApi } from '../endpoint/api.container.ts';
import { openSealing } from '../sealing.ts';
import { openSecretsManager, openVersionedKeys } from '../secrets.ts';
import type { Table } from '../table/table.ts';
import { openDeliveries } from './deliveries.service.ts';
import { openFeed } from './feed.store.ts';
import { openWebhookSending, webhookTargets } from './webhook-sending.service.ts';
import { openWebhooks } from './webhooks.store.ts';

export const sealingSettings = { WEBHOOK_SEALING_SECRET: z.string() };
export const sendingSettings = { WEBHOOK_TARGETS: z.enum(webhookTargets) };

export const openWebhookSealing = ({
  WEBHOOK_SEALING_SECRET,
}: {
  WEBHOOK_SEALING_SECRET: string;
}) => openSealing(openVersionedKeys(openSecretsManager(), WEBHOOK_SEALING_SECRET));

/** @param settings the further settings of the function */
export const openWebhooksApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const api = openTenantApi(functionName, settings);
  return { ...api, webhooks: openWebhooks(api.table), random: randomBytes };
};

export const openDeliveriesOf = (
  table: Table,
  settings: {
    WEBHOOK_SEALING_SECRET: string;
    WEBHOOK_TARGETS: (typeof webhookTargets)[number];
  },
  clock: () => Date,
) =>
  openDeliveries({
    webhooks: openWebhooks(table),
    feed: openFeed(table, { clock }),
    sealing: openWebhookSealing(settings),
    sending: openWebhookSending({ targets: settings.WEBHOOK_TARGETS }),
    clock,
    newLeaseId: () => randomBytes(9).toString('base64url'),
  });
