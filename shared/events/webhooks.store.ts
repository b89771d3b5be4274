// Stores the webhooks of applications, and the progress of their deliveries.

import * as z from 'zod/mini';
import { type DueItem, dueKeyOf, listDueItems } from '../background/due-index.store.ts';
import { dueDeliveryPartition, dueDeliveryPlace } from '../table/due-keys.ts';
import {
  deliveryKey,
  type WebhookName,
  webhookOfDelivery,
  webhooksKey,
} from '../table/event-keys.ts';
import { updateAction } from '../table/field-updates.ts';
import { keyText } from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { type Action, ifExists, ifNotExists, type Table } from '../table/table.ts';
import { declaredEvents } from './event-types.ts';
import {
  Delivery,
  type DisabledReason,
  maximumWebhooks,
  newDelivery,
  Webhook,
} from './webhooks.ts';

/** The webhooks of an application. `version` counts the changes. */
const Webhooks = z.object({
  version: z.int(),
  isForbidden: z._default(z.boolean(), false),
  webhooks: z.array(Webhook),
});
export type Webhooks = z.infer<typeof Webhooks>;

const none: Webhooks = { version: 0, isForbidden: false, webhooks: [] };

export const readWebhooks = (item: Record<string, unknown> | undefined): Webhooks =>
  item === undefined ? none : Webhooks.parse(item);

/** A webhook without failures is checked this often, because a run can die. */
export const checkMilliseconds = 10 * 60_000;

const dueAt = (name: WebhookName, moment: string) => dueDeliveryPlace(deliveryKey(name), moment);

/** The first time at which something is to be tried again; else the next check. */
const nextDueOf = ({ retryAt, parked, leaseUntil }: Delivery, now: Date): string => {
  const check = new Date(now.getTime() + checkMilliseconds).toISOString();
  const times = [retryAt ?? leaseUntil ?? check, ...parked.map((it) => it.retryAt)];
  return times.toSorted()[0] ?? check;
};

/** A webhook and its progress. */
export type ListedWebhook = { webhook: Webhook; delivery: Delivery };

export type WebhookStore = ReturnType<typeof openWebhooks>;

export const openWebhooks = (table: Table) => {
  const find = async (applicationId: string): Promise<Webhooks> =>
    readWebhooks(await table.get(webhooksKey(applicationId)));

  /** Writes the webhooks if they have not changed. `disabled` declares the event of one. */
  const replaceAction = (
    applicationId: string,
    before: Webhooks,
    { webhooks, isForbidden }: Pick<Webhooks, 'webhooks' | 'isForbidden'>,
    disabled?: Webhook,
  ): Action =>
    updateAction(webhooksKey(applicationId), {
      set: {
        kind: 'webhooks',
        version: before.version + 1,
        isForbidden,
        webhooks,
        ...declaredEvents(...(disabled ? (['webhook.disabled'] as const) : [])),
        disabledId: disabled?.webhookId,
        disabledReason: disabled?.disabledReason ?? undefined,
      },
      ...(before.version === 0
        ? { condition: ifNotExists }
        : { expected: { version: before.version } }),
    });

  /** Changes one webhook. Returns `undefined` if it does not exist. */
  const change = (
    { applicationId, webhookId }: WebhookName,
    edit: (webhook: Webhook) => Webhook | undefined,
    further: (changed: Webhook | undefined) => Action[] = () => [],
  ): Promise<Webhook | 'not_found'> =>
    retryOnContention(async () => {
      const before = await find(applicationId);
      const webhook = before.webhooks.find((it) => it.webhookId === webhookId);
      if (webhook === undefined) return 'not_found';
      const changed = edit(webhook);
      const webhooks = before.webhooks.flatMap((it) => (it === webhook ? (changed ?? []) : [it]));
      const isDisabledNow = changed?.disabledReason != null && webhook.disabledReason === null;
      const { isForbidden } = before;
      const outcome = await table.transact([
        replaceAction(
          applicationId,
          before,
          { webhooks, isForbidden },
          isDisabledNow ? changed : undefined,
        ),
        ...further(changed),
      ]);
      return outcome.committed ? (changed ?? webhook) : undefined;
    });

  const startAction = (name: WebhookName, delivery: Delivery, now: Date): Action =>
    updateAction(deliveryKey(name), {
      set: { ...delivery, ...dueAt(name, now.toISOString()) },
    });

  return {
    find,

    /** The webhooks and their deliveries, in one call each. */
    list: async (
      applicationId: string,
    ): Promise<{ isForbidden: boolean; webhooks: ListedWebhook[] }> => {
      const { webhooks, isForbidden } = await find(applicationId);
      const keys = webhooks.map(({ webhookId }) => deliveryKey({ applicationId, webhookId }));
      const items = await table.getMany(keys);
      return {
        isForbidden,
        webhooks: webhooks.map((webhook) => {
          const { webhookId } = webhook;
          const item = items.get(keyText(deliveryKey({ applicationId, webhookId })));
          return { webhook, delivery: item === undefined ? newDelivery(0) : Delivery.parse(item) };
        }),
      };
    },

    /**
     * Adds a webhook. It gets the events after `deliveredThrough`. `exists` if another webhook was
     * created with the same Idempotency-Key.
     */
    add: (
      applicationId: string,
      webhook: Webhook,
      { deliveredThrough, now }: { deliveredThrough: number; now: Date },
    ): Promise<'added' | 'exists' | 'too_many' | 'forbidden'> =>
      retryOnContention(async () => {
        const before = await find(applicationId);
        const { webhookId, creation } = webhook;
        const other =
          creation &&
          before.webhooks.find((it) => it.creation?.idempotencyKey === creation.idempotencyKey);
        if (other) return other.webhookId === webhookId ? 'added' : 'exists';
        if (before.isForbidden) return 'forbidden';
        if (before.webhooks.length >= maximumWebhooks) return 'too_many';
        const outcome = await table.transact([
          replaceAction(applicationId, before, {
            webhooks: [...before.webhooks, webhook],
            isForbidden: false,
          }),
          startAction({ applicationId, webhookId }, newDelivery(deliveredThrough), now),
        ]);
        return outcome.committed ? 'added' : undefined;
      }),

    /**
     * Changes a webhook.
     * @param options.restart the progress from which deliveries go on, for example after a replay
     */
    change: (
      name: WebhookName,
      edit: (webhook: Webhook) => Webhook,
      { restart, now }: { restart?: Delivery | undefined; now: Date },
    ): Promise<Webhook | 'not_found'> =>
      change(name, edit, () => (restart ? [startAction(name, restart, now)] : [])),

    disable: (name: WebhookName, reason: DisabledReason): Promise<Webhook | 'not_found'> =>
      change(name, (webhook) => ({ ...webhook, disabledReason: reason })),

    remove: (name: WebhookName): Promise<Webhook | 'not_found'> =>
      change(
        name,
        () => undefined,
        () => [{ delete: deliveryKey(name) }],
      ),

    /** Forbids webhooks, or allows them again. Forbidden ones stay, and get nothing. */
    forbid: (applicationId: string, isForbidden: boolean): Promise<Webhooks> =>
      retryOnContention(async () => {
        const before = await find(applicationId);
        const { webhooks } = before;
        const action = replaceAction(applicationId, before, { webhooks, isForbidden });
        return (await table.transact([action])).committed ? { ...before, isForbidden } : undefined;
      }),

    /** Reads the webhook and its progress in one call. */
    readDelivery: async (name: WebhookName) => {
      const [key, progress] = [webhooksKey(name.applicationId), deliveryKey(name)];
      const items = await table.getMany([key, progress]);
      const { webhooks, isForbidden } = readWebhooks(items.get(keyText(key)));
      const item = items.get(keyText(progress));
      const webhook = webhooks.find(({ webhookId }) => webhookId === name.webhookId);
      if (webhook === undefined || item === undefined) return undefined;
      return { webhook, isForbidden, delivery: Delivery.parse(item) };
    },

    /**
     * Saves the progress if the lease has not changed, and says when to look at it again. Returns
     * false if another run has the lease.
     */
    saveDelivery: (
      name: WebhookName,
      { before, after, now }: { before: Delivery; after: Delivery; now: Date },
    ): Promise<boolean> => {
      const place = dueAt(name, nextDueOf(after, now));
      const isDueBefore = before.retryAt !== null || before.parked.length > 0;
      const isDueAfter = after.retryAt !== null || after.parked.length > 0;
      return table.update(
        updateAction(deliveryKey(name), {
          // A healthy webhook keeps its place in the index, which would take further units.
          set: { ...after, ...((isDueBefore || isDueAfter) && place) },
          expected: { leaseId: before.leaseId, deliveredThrough: before.deliveredThrough },
        }),
      );
    },

    /** Lets resume-deliveries start a run, if the webhook still exists. */
    makeDue: (name: WebhookName, now: Date): Promise<boolean> =>
      table.update(
        updateAction(deliveryKey(name), {
          set: dueAt(name, now.toISOString()),
          condition: ifExists,
        }),
      ),

    /** Ends the leases of a killed process, and makes all webhooks due. */
    voidLeases: async (now: Date): Promise<void> => {
      const partitions = [dueDeliveryPartition];
      for await (const item of listDueItems(table, { partitions })) {
        const place = dueAt(webhookOfDelivery(item), now.toISOString());
        const set = { leaseId: null, leaseUntil: null, ...place };
        await table.update(updateAction(dueKeyOf(item), { set, condition: ifExists }));
      }
    },

    /** Moves a webhook that is due to its next check, unless a run has moved it. */
    postpone: (item: DueItem, now: Date): Promise<boolean> => {
      const next = new Date(now.getTime() + checkMilliseconds).toISOString();
      return table.update(
        updateAction(dueKeyOf(item), {
          set: dueAt(webhookOfDelivery(item), next),
          expected: { due_sk: item.due_sk },
        }),
      );
    },
  };
};
