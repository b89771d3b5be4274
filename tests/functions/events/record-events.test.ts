// record-events starts the deliveries of what it records, from the table's real stream.

import { beforeEach, expect, test } from 'vitest';
import type { WebhookName } from '#shared/table/event-keys.ts';
import { euroEntry } from '../../support/builders/requests.ts';
import { openTableStream } from '../../support/dynamodb/table-stream.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { callsOf, openTenantCalls } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';

const { ledger, domain_url, call: ofTenant } = await openTenantCalls();
const stream = await openTableStream(ledger);
const started: WebhookName[] = [];
const queue = { isDown: false };
const instance = openInstance({
  table: ledger.table,
  clock: () => new Date(),
  deliver: async (name) => {
    if (queue.isDown) throw new Error('the queue is down');
    started.push(name);
  },
});
const { call } = callsOf(instance);
const record = async () => instance.recordEvents(await stream.read(), lambdaContext());
const startedIds = () => started.splice(0).map(({ webhookId }) => webhookId);
beforeEach(() => {
  queue.isDown = false;
});

const createWebhook = async (fields: object = {}): Promise<string> =>
  (await call('createWebhook', { url: 'http://localhost:1/', ...fields })).webhook_id;

const all = await createWebhook();
const ofEntries = await createWebhook({ types: ['journal_entry.posted'], tenants: [domain_url] });
const ofLocks = await createWebhook({ types: ['tenant.locked'] });
await record();
started.length = 0;

test('a delivery starts for each webhook that wants an event of the batch', async () => {
  await ofTenant('createEntry', euroEntry());
  await record();
  expect(startedIds()).toEqual([all, ofEntries]);
});

test('a delivery that cannot be started is started by the next schedule', async () => {
  queue.isDown = true;
  await ofTenant('createEntry', euroEntry());
  expect(await record()).toEqual({ batchItemFailures: [] });
  queue.isDown = false;
  await instance.resumeDeliveries({ time: new Date().toISOString() }, lambdaContext(60_000));
  expect(startedIds().toSorted()).toEqual([all, ofEntries, ofLocks].toSorted());
});

test('a disabled webhook gets nothing, and its end is an event', async () => {
  await call('updateWebhook', { webhook_id: ofEntries, status: 'disabled' });
  await ofTenant('createEntry', euroEntry());
  await record();
  expect(startedIds()).toEqual([all]);
  const { events } = await call('listEvents', { types: 'webhook.disabled' });
  expect(events).toMatchObject([
    { data: { webhook_id: ofEntries, reason: 'disabled_by_application' } },
  ]);
});
