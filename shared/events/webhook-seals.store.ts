// The seals of the webhooks' secrets, for the operator's tool.

import { type Sealing, sealingVersionOf } from '../sealing.ts';
import {
  applicationOfWebhooks,
  type WebhookName,
  webhookSealBinding,
  webhooksSort,
} from '../table/event-keys.ts';
import type { TableScan } from '../table/table-scan.ts';
import { readWebhooks, type WebhookStore } from './webhooks.store.ts';

/** A webhook, and the versions of the keys that seal its secrets. */
export type WebhookSeals = { name: WebhookName; versions: string[] };

/** All webhooks. This scans the whole table. */
export const listWebhookSeals = async (
  scan: Pick<TableScan, 'itemsWithSort'>,
): Promise<WebhookSeals[]> => {
  const seals: WebhookSeals[] = [];
  for await (const item of scan.itemsWithSort(webhooksSort)) {
    const applicationId = applicationOfWebhooks({ pk: String(item.pk) });
    for (const { webhookId, secrets } of readWebhooks(item).webhooks) {
      const versions = secrets.map(({ sealed }) => sealingVersionOf(sealed));
      seals.push({ name: { applicationId, webhookId }, versions });
    }
  }
  return seals;
};

/** Seals the secrets of a webhook under the current version. The secrets do not change. */
export const resealWebhook = async (
  webhooks: Pick<WebhookStore, 'change' | 'find'>,
  sealing: Sealing,
  { name, version, now }: { name: WebhookName; version: string; now: Date },
): Promise<void> => {
  const all = await webhooks.find(name.applicationId);
  const webhook = all.webhooks.find(({ webhookId }) => webhookId === name.webhookId);
  const old = (webhook?.secrets ?? []).filter(({ sealed }) => sealingVersionOf(sealed) !== version);
  const resealed = new Map<string, string>();
  for (const { sealed } of old) {
    const text = await sealing.open(sealed, webhookSealBinding(name));
    resealed.set(sealed, await sealing.seal(text, webhookSealBinding(name)));
  }
  const edit = (found: NonNullable<typeof webhook>) => ({
    ...found,
    secrets: found.secrets.map((it) => ({ ...it, sealed: resealed.get(it.sealed) ?? it.sealed })),
  });
  await webhooks.change(name, edit, { now });
};
