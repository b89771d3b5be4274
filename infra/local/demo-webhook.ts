// The webhook of the demo application, which sends its events to the sandbox's inbox.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { openFeed } from '#shared/events/feed.store.ts';
import { createWebhook } from '#shared/events/webhook-creation.service.ts';
import { openWebhooks } from '#shared/events/webhooks.store.ts';
import type { Sealing } from '#shared/sealing.ts';
import type { Table } from '#shared/table/table.ts';
import { writeWhole } from './data-folder.ts';

const DemoWebhook = z.object({ webhook_id: z.string(), secret: z.string() });

/**
 * Creates the webhook, or changes the address of an earlier run's. Returns its secret, or
 * `undefined` if the application has no room for it or has removed it.
 */
export const prepareDemoWebhook = async (
  table: Table,
  webhookSealing: Sealing,
  { applicationId, url, dataFolder }: { applicationId: string; url: string; dataFolder: string },
): Promise<string | undefined> => {
  const file = join(dataFolder, 'demo-webhook.json');
  const clock = () => new Date();
  const webhooks = openWebhooks(table);
  const feed = openFeed(table, { clock });
  const dependencies = { webhooks, feed, webhookSealing, random: randomBytes, clock };
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
