// The webhook of the demo application, which sends its events to the sandbox's inbox.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { createWebhook, type WebhookCreation } from '#shared/events/webhook-creation.service.ts';
import type { WebhookStore } from '#shared/events/webhooks.store.ts';
import { writeWhole } from './data-folder.ts';

const DemoWebhook = z.object({ webhook_id: z.string(), secret: z.string() });

/**
 * Creates the webhook, or changes the address of an earlier run's. Returns its secret, or
 * `undefined` if the application has no room for it or has removed it.
 */
export const prepareDemoWebhook = async (
  dependencies: WebhookCreation & { webhooks: Pick<WebhookStore, 'change' | 'find'> },
  { applicationId, url, dataFolder }: { applicationId: string; url: string; dataFolder: string },
): Promise<string | undefined> => {
  const file = join(dataFolder, 'demo-webhook.json');
  const { webhooks, clock } = dependencies;
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const earlier = DemoWebhook.safeParse(JSON.parse(text)).data;
  if (earlier !== undefined) {
    const name = { applicationId, webhookId: earlier.webhook_id };
    const found = (await webhooks.find(applicationId)).webhooks.find(
      ({ webhookId }) => webhookId === earlier.webhook_id,
    );
    if (found === undefined) return undefined;
    if (found.url !== url) await webhooks.change(name, (it) => ({ ...it, url }), { now: clock() });
    return earlier.secret;
  }
  const { outcome, webhook, secret } = await createWebhook(dependencies, applicationId, {
    url,
    description: "The sandbox's inbox",
    types: null,
    tenants: null,
  });
  if (outcome !== 'added') return undefined;
  await writeWhole(file, JSON.stringify({ webhook_id: webhook.webhookId, secret }));
  return secret;
};
