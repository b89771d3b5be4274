// The costs of webhooks and of their deliveries at the table.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import type { ChangeEvents } from '#shared/events/change-events.store.ts';
import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { callsOf, type Endpoint } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';

const ledger = await openTestLedger();
const clock = () => new Date();
const instance = openInstance({ table: ledger.table, clock });
const recording = openFeedRecording(ledger.table, { clock });
const applicationId = 'costs00000000000';
const { call } = callsOf(instance, { applicationId });
const receiver = createServer((_, response) => response.writeHead(204).end()).listen(
  0,
  '127.0.0.1',
);
afterAll(() => receiver.close());
const url = () => `http://localhost:${(receiver.address() as AddressInfo).port}/`;

let changes = 0;
const record = (count: number) =>
  recording.record(
    applicationId,
    Array.from({ length: count }, (): ChangeEvents => {
      changes += 1;
      return {
        source: { applicationId, partition: 'TENANT#x' },
        stream: 'x',
        sequenceNumber: String(changes),
        events: [{ id: `evt_${changes}`, type: 'tenant.updated', at: '2026-03-23', data: {} }],
      };
    }),
  );

const figuresOf = async (work: () => Promise<unknown>) => {
  const { sequentialCalls, units } = await costOf(work);
  return [sequentialCalls, units.read, units.write];
};

/** Sequential calls, read units and write units. */
test('of deliveries, with one event, ten and none', async () => {
  const { webhook_id: webhookId } = await call('createWebhook', { url: url() });
  const deliver = () =>
    instance.deliverEvents({ applicationId, webhookId }, lambdaContext(100_000));
  await record(1);
  expect(await figuresOf(deliver)).toEqual([7, 8, 2]);
  await record(10);
  expect(await figuresOf(deliver)).toEqual([7, 9, 2]);
  expect(await figuresOf(deliver)).toEqual([3, 5, 0]);
  await call('deleteWebhook', { webhook_id: webhookId });
});

test('of requests', async () => {
  const { webhook_id } = await call('createWebhook', { url: url() });
  const rows: [Endpoint, object, figures: number[]][] = [
    ['listWebhooks', {}, [2, 2, 0]],
    ['updateWebhook', { webhook_id, description: 'x' }, [3, 3, 2]],
    ['updateWebhook', { webhook_id, deliver_from: 1 }, [5, 5, 6]],
    ['rotateWebhookSecret', { webhook_id }, [2, 1, 2]],
    ['testWebhook', { webhook_id }, [1, 2, 0]],
    ['deleteWebhook', { webhook_id }, [2, 1, 5]],
  ];
  for (const [endpoint, input, figures] of rows) {
    expect(await figuresOf(() => call(endpoint, input)), endpoint).toEqual(figures);
  }
});
