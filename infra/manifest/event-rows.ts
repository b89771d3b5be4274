// The rows of functions for the event feed and webhooks.

import { eventfulChanges } from '#shared/events/change-events.store.ts';
import { type FunctionRow, short, shortOfTenant } from './function-row.ts';

const webhook = {
  ...short,
  reads: ['webhooks'],
  writes: ['webhooks'],
} as const;

export const eventRows = {
  'list-events': {
    purpose: "Lists the events of an application's feed after a sequence",
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/events/list' },
    ...shortOfTenant,
    table: ['BatchGetItem', 'Query'],
    reads: ['eventFeeds', 'tenants'],
    writes: [],
    errorImpact: 'Applications cannot read what happened. They read it later.',
  },
  'create-webhook': {
    purpose: 'Creates an address that gets the events of the calling application',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/webhooks/create' },
    ...webhook,
    table: ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'],
    reads: ['eventFeeds', 'tenants', 'webhooks'],
    secrets: ['authenticator-keys', 'webhook-sealing-keys'],
    timeoutSeconds: 20,
    errorImpact: 'Applications cannot create webhooks. Existing ones get their events.',
  },
  'list-webhooks': {
    purpose: 'Lists the webhooks of the calling application and their deliveries',
    trigger: { kind: 'api', method: 'GET', path: '/external/v1/webhooks/list' },
    ...short,
    table: ['BatchGetItem', 'GetItem'],
    reads: ['webhooks'],
    writes: [],
    errorImpact: 'Applications cannot see what became of deliveries. Deliveries work.',
  },
  'update-webhook': {
    purpose: 'Changes a webhook, enables or disables it, or replays events',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/webhooks/update' },
    ...webhook,
    table: ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'],
    reads: ['eventFeeds', 'tenants', 'webhooks'],
    secrets: ['authenticator-keys'],
    errorImpact: 'Applications cannot change webhooks or enable them again.',
  },
  'delete-webhook': {
    purpose: 'Removes a webhook',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/webhooks/delete' },
    ...webhook,
    table: ['DeleteItem', 'GetItem', 'UpdateItem'],
    errorImpact: 'Applications cannot remove webhooks, which continue to get events.',
  },
  'rotate-webhook-secret': {
    purpose: 'Gives a webhook a new secret, beside the old one for a day',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/webhooks/rotate_secret' },
    ...webhook,
    table: ['GetItem', 'UpdateItem'],
    secrets: ['webhook-sealing-keys'],
    errorImpact: 'Applications cannot replace a secret that leaked.',
  },
  'test-webhook': {
    purpose: 'Sends a test event to a webhook at once',
    trigger: { kind: 'api', method: 'POST', path: '/external/v1/webhooks/test' },
    table: ['BatchGetItem'],
    reads: ['webhooks'],
    writes: [],
    secrets: ['webhook-sealing-keys'],
    timeoutSeconds: 27,
    memoryMegabytes: 512,
    // The endpoint has 15 seconds for its reply.
    latencyObjectiveSeconds: 20,
    throttle: 'webhookTest',
    errorImpact: 'Applications cannot test their webhooks. Deliveries work.',
  },
  'record-events': {
    purpose: "Records what happened in the books in the applications' event feeds",
    trigger: {
      kind: 'stream',
      filters: eventfulChanges,
      batchSize: 100,
      // A repeat is harmless, and an event that is not recorded in time is lost.
      maximumRetries: 'until_expired',
    },
    table: ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'],
    reads: ['eventFeeds', 'webhooks'],
    writes: ['eventFeeds', 'webhooks'],
    secrets: [],
    timeoutSeconds: 60,
    memoryMegabytes: 512,
    errorImpact: 'Applications learn late of what happened. After 24 hours, events are lost.',
  },
  'deliver-events': {
    purpose: "Delivers the events of a feed to one of the application's webhooks",
    trigger: {
      kind: 'invocation',
      by: ['record-events', 'resume-deliveries'],
      maximumRetries: 2,
      maximumAgeSeconds: 60 * 60,
    },
    table: ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'],
    reads: ['eventFeeds', 'webhooks'],
    writes: ['webhooks'],
    secrets: ['webhook-sealing-keys'],
    timeoutSeconds: 120,
    memoryMegabytes: 512,
    errorImpact: 'Applications get no events at their webhooks. They can read them in the feed.',
  },
  'resume-deliveries': {
    purpose:
      'Starts deliveries to webhooks after a failure, checks all webhooks every ten minutes, and ' +
      'records events that could not be recorded',
    trigger: { kind: 'schedule', everyMinutes: 1 },
    table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'Query', 'UpdateItem'],
    reads: ['eventFeeds'],
    writes: ['eventFeeds', 'webhooks'],
    queriesDue: ['dueDeliveries', 'dueFeeds'],
    secrets: [],
    timeoutSeconds: 60,
    memoryMegabytes: 512,
    errorImpact:
      'Webhooks that failed are not tried again until the next event, and held events are not ' +
      'recorded.',
  },
} as const satisfies Record<string, FunctionRow>;
