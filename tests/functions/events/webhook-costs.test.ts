// The costs of webhooks and of their deliveries at the table.

import { afterAll, expect, test } from 'vitest';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { openTestFeed } from '../../support/events/feed-events.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { callsOf, type Endpoint } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { openReceiver } from '../../support/servers/webhook-receiver.ts';

const ledger = await openTestLedger();
const clock = () => new Date();
const instance = openInstance({ table: ledger.table, clock });
const applicationId = 'costs00000000000';
const { call } = callsOf(instance, { applicationId });
const { url, stop } = await openReceiver();
afterAll(stop);
const { recordMany } = openTestFeed(ledger.table, { applicationId, clock });

const figuresOf = async (work: () => Promise<unknown>) => {
  const { sequentialCalls, units } = await costOf(work);
  return [sequentialCalls, units.read, units.write];
};

/** Sequential calls, read units and write units. */
test('of deliveries, with one event, ten and none', async () => {
  const { webhook_id: webhookId } = await call('createWebhook', { url });
  const deliver = () =>
    instance.deliverEvents({ applicationId, webhookId }, lambdaContext(100_000));
  await recordMany(1);
  expect(await figuresOf(deliver)).toEqual([5, 4, 2]);
  await recordMany(10);
  expect(await figuresOf(deliver)).toEqual([5, 5, 2]);
  expect(await figuresOf(deliver)).toEqual([3, 5, 0]);
  await call('deleteWebhook', { webhook_id: webhookId });
});

test('of requests', async () => {
  const { webhook_id } = await call('createWebhook', { url });
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
