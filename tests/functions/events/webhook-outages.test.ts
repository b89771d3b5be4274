// What webhooks get after a long outage, and beside one that is dead.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { ChangeEvents } from '#shared/events/change-events.store.ts';
import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
import type { WebhookName } from '#shared/table/event-keys.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';

const [minute, hour] = [60_000, 60 * 60_000];
const ledger = await openTestLedger();
const time = { now: Date.parse('2026-03-23T20:00:00.000Z') };
const clock = () => new Date(time.now);
/** The invocations that are queued. */
const queue: WebhookName[] = [];
const instance = openInstance({
  table: ledger.table,
  clock,
  deliver: async (name) => void queue.push(name),
});
const recording = openFeedRecording(ledger.table, { clock });

/** The sequences that arrived by path, and the state of the receiver. */
const received: { path: string; sequence: number; at: number }[] = [];
let state: (path: string) => 'up' | 'down' | 'hangs' = () => 'up';
const receiver = createServer(async (request, response) => {
  const { sequence } = JSON.parse(await text(request));
  const path = request.url ?? '';
  const now = state(path);
  if (now === 'down') return response.writeHead(503).end();
  if (now === 'hangs') return;
  received.push({ path, sequence, at: time.now });
  response.writeHead(204).end();
}).listen(0, '127.0.0.1');
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});
const urlOf = (path: string) =>
  `http://localhost:${(receiver.address() as AddressInfo).port}${path}`;
beforeEach(() => {
  received.length = 0;
  queue.length = 0;
  state = () => 'up';
});

let changes = 0;
const record = (applicationId: string, count: number) =>
  recording.record(
    applicationId,
    Array.from({ length: count }, (): ChangeEvents => {
      changes += 1;
      return {
        source: { applicationId, partition: 'TENANT#x' },
        stream: 'x',
        sequenceNumber: String(changes),
        events: [
          { id: `evt_${changes}`, type: 'tenant.updated', at: clock().toISOString(), data: {} },
        ],
      };
    }),
  );

const runQueue = async (): Promise<void> => {
  for (const name of queue.splice(0)) await instance.deliverEvents(name, lambdaContext(100_000));
};

/** The schedule of a minute, and the invocations that it queues. */
const passMinute = async (): Promise<void> => {
  time.now += minute;
  await instance.resumeDeliveries({ time: clock().toISOString() }, lambdaContext(60_000));
  await runQueue();
};

test('after a night off under load, everything arrives in order and once', async () => {
  const applicationId = 'night00000000000';
  const { call } = callsOf(instance, { applicationId });
  const { webhook_id: webhookId } = await call('createWebhook', { url: urlOf('/') });
  state = () => 'down';
  let total = 0;
  for (let minutes = 0; minutes < 8 * 60; minutes += 1) {
    if (minutes % 4 === 0) {
      await record(applicationId, 5);
      total += 5;
      queue.push({ applicationId, webhookId });
    }
    await passMinute();
  }
  expect(received).toEqual([]);
  const [webhook] = (await call('listWebhooks', {})).webhooks;
  expect(webhook).toMatchObject({ status: 'failing', delivered_through: 0, parked: 0 });
  state = () => 'up';
  const upSince = time.now;
  // The next attempt is at most 12 hours away.
  for (let minutes = 0; received.length < total; minutes += 1) {
    expect(minutes).toBeLessThan(13 * 60);
    await passMinute();
  }
  const sequences = received.map(({ sequence }) => sequence);
  // Ten are sent at the same time, so only rounds are in order.
  const byRound = Array.from({ length: total / 10 }, (_, round) =>
    sequences.slice(round * 10, round * 10 + 10).toSorted((one, other) => one - other),
  );
  expect(byRound.flat()).toEqual(Array.from({ length: total }, (_, index) => index + 1));
  const lasts = (received.at(-1)?.at ?? 0) - (received[0]?.at ?? 0);
  expect(lasts, 'the backlog is sent in one go').toBeLessThan(5 * minute);
  expect((received[0]?.at ?? 0) - upSince).toBeLessThan(12.5 * hour);
});

test('an application ends the wait of a failing webhook by its status', async () => {
  const applicationId = 'impatient0000000';
  const { call } = callsOf(instance, { applicationId });
  const { webhook_id } = await call('createWebhook', { url: urlOf('/') });
  state = () => 'down';
  await record(applicationId, 3);
  queue.push({ applicationId, webhookId: webhook_id });
  for (let minutes = 0; minutes < 3 * 60; minutes += 1) await passMinute();
  state = () => 'up';
  await passMinute();
  expect(received).toEqual([]);
  await call('updateWebhook', { webhook_id, status: 'active' });
  await passMinute();
  expect(received.map(({ sequence }) => sequence).toSorted()).toEqual([1, 2, 3]);
});

test('a dead webhook does not delay another one of its application', async () => {
  const applicationId = 'beside0000000000';
  const { call } = callsOf(instance, { applicationId });
  const [dead, healthy] = [
    (await call('createWebhook', { url: urlOf('/dead') })).webhook_id,
    (await call('createWebhook', { url: urlOf('/healthy') })).webhook_id,
  ];
  state = (path) => (path === '/dead' ? 'hangs' : 'up');
  await record(applicationId, 20);
  let isDeadDone = false;
  const ofDead = instance
    .deliverEvents({ applicationId, webhookId: dead }, lambdaContext(100_000))
    .then(() => {
      isDeadDone = true;
    });
  await instance.deliverEvents({ applicationId, webhookId: healthy }, lambdaContext(100_000));
  expect([isDeadDone, received.length]).toEqual([false, 20]);
  await ofDead;
  const { webhooks } = await call('listWebhooks', {});
  expect(webhooks).toMatchObject([
    { status: 'failing', delivered_through: 0, last_attempt: { error: 'timed_out' } },
    { status: 'active', delivered_through: 20 },
  ]);
});
