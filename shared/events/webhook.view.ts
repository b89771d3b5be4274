// How replies show a webhook.

import * as z from 'zod/mini';
import { EventType } from './event-types.ts';
import {
  type Attempt,
  type Delivery,
  disabledReasons,
  maximumUrlLength,
  type Webhook,
  webhookStatuses,
  webhookStatusOf,
} from './webhooks.ts';

const moment = (description: string) =>
  z.string().check(z.meta({ format: 'date-time', description }));

export const AttemptView = z.object({
  at: moment('When it was made (UTC).'),
  status_code: z.nullable(z.int()).check(z.describe('The HTTP status of your reply, if any.')),
  error: z
    .nullable(z.string())
    .check(z.describe('What went wrong if there was no reply, for example `timed_out`.')),
});
z.globalRegistry.add(AttemptView, { id: 'WebhookAttempt', description: 'An attempt to deliver.' });

export const attemptViewOf = ({ at, status, error }: Attempt) => ({
  at,
  status_code: status,
  error,
});

export const WebhookView = z.object({
  webhook_id: z.string(),
  url: z.string().check(z.maxLength(maximumUrlLength)),
  description: z.nullable(z.string()),
  types: z.nullable(z.array(EventType)).check(z.describe('Null for events of all types.')),
  tenants: z.nullable(z.array(z.string())).check(z.describe('Null for events of all tenants.')),
  status: z
    .enum(webhookStatuses)
    .check(z.describe('`failing`: the last attempt failed, and deliveries wait for the next.')),
  disabled_reason: z.nullable(z.enum(disabledReasons)),
  delivered_through: z
    .int()
    .check(z.describe('All events up to this sequence are delivered, filtered out or parked.')),
  parked: z.int().check(z.describe('Events that you refused, and that are tried again.')),
  dropped: z
    .int()
    .check(z.describe('Events that you refused for 75 hours. Read them in the feed.')),
  next_attempt_at: z
    .nullable(moment('When a failing webhook is tried again (UTC).'))
    .check(z.describe('Null unless it is failing.')),
  last_attempt: z.nullable(AttemptView),
  created_at: moment('When it was created (UTC).'),
});
z.globalRegistry.add(WebhookView, { id: 'Webhook', description: 'An address that gets events.' });

export const webhookViewOf = (
  webhook: Webhook,
  delivery: Delivery,
): z.input<typeof WebhookView> => {
  const status = webhookStatusOf(webhook, delivery);
  return {
    webhook_id: webhook.webhookId,
    url: webhook.url,
    description: webhook.description,
    types: webhook.types,
    tenants: webhook.tenants,
    status,
    disabled_reason: webhook.disabledReason,
    delivered_through: delivery.deliveredThrough,
    parked: delivery.parked.length,
    dropped: delivery.dropped,
    next_attempt_at: status === 'failing' ? delivery.retryAt : null,
    last_attempt: delivery.lastAttempt && attemptViewOf(delivery.lastAttempt),
    created_at: webhook.createdAt,
  };
};

/** The webhook of the example that deletes one. */
export const exampleDeletedWebhook = 'wh_7dQm0vKc2LrXyT1b';

export const exampleWebhook: z.input<typeof WebhookView> = {
  webhook_id: 'wh_Q5kq2tVY1mB8sZ0r',
  url: 'https://app.example.com/ledger-events',
  description: 'Invoicing',
  types: ['journal_entry.posted', 'journal_entry.reversed'],
  tenants: null,
  status: 'active',
  disabled_reason: null,
  delivered_through: 1042,
  parked: 0,
  dropped: 0,
  next_attempt_at: null,
  last_attempt: { at: '2026-03-24T12:00:01.310Z', status_code: 204, error: null },
  created_at: '2026-03-01T09:00:00.000Z',
};
