// The dependencies of functions that sign deliveries.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { openSealing } from '../sealing.ts';
import { openSecretsManager, openVersionedKeys } from '../secrets.ts';
import type { Table } from '../table/table.ts';
import { openDeliveries } from './deliveries.service.ts';
import { openFeed } from './feed.store.ts';
import { openSending, type SendingSettings } from './webhook-sending.container.ts';
import { openWebhooks } from './webhooks.store.ts';

export const sealingSettings = { WEBHOOK_SEALING_SECRET: z.string() };

type SealingSettings = z.output<z.ZodMiniObject<typeof sealingSettings>>;

export const openWebhookSealing = ({ WEBHOOK_SEALING_SECRET }: SealingSettings) =>
  openSealing(openVersionedKeys(openSecretsManager(), WEBHOOK_SEALING_SECRET));

export const openDeliveriesOf = (
  table: Table,
  settings: SealingSettings & SendingSettings,
  clock: () => Date,
) =>
  openDeliveries({
    webhooks: openWebhooks(table),
    feed: openFeed(table, { clock }),
    sealing: openWebhookSealing(settings),
    sending: openSending(settings),
    clock,
    newLeaseId: () => randomBytes(9).toString('base64url'),
  });
