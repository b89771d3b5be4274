// Opens the sending of deliveries with a stage's settings.

import * as z from 'zod/mini';
import { openWebhookSending } from './webhook-sending.service.ts';
import { webhookTargets } from './webhook-targets.service.ts';

export const sendingSettings = { WEBHOOK_TARGETS: z.enum(webhookTargets) };

export type SendingSettings = z.output<z.ZodMiniObject<typeof sendingSettings>>;

export const openSending = (settings: SendingSettings) =>
  openWebhookSending({ targets: settings.WEBHOOK_TARGETS });
