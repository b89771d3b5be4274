// The feed and the deliveries of a table that was restored to an earlier state, as
// infra/ops/after-a-restore.md says.

import { afterAll, expect, test } from 'vitest';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { openTestFeed } from '../../support/events/feed-events.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { openReceiver } from '../../support/servers/webhook-receiver.ts';

const applicationId = 'restored00000000';
const clock = () => new Date();
const receiver = await openReceiver();

const openStage = (database: Awaited<ReturnType<typeof openTestTable>>, stream: string) => {
  const instance = openInstance({ table: database.table, clock });
  return {
    ...callsOf(instance, { applicationId }),
    ...openTestFeed(database.table, { applicationId, clock, stream }),
    deliver: (webhookId: string) =>
      instance.deliverEvents({ applicationId, webhookId }, lambdaContext(100_000)),
  };
};

const database = await openTestTable();
const before = openStage(database, 'first');
const { webhook_id: webhookId } = await before.call('createWebhook', { url: receiver.url });
await before.recordMany(2);
await before.deliver(webhookId);
await before.recordMany(1);
const earlierState = await database.scan();
await before.recordMany(2);
await before.deliver(webhookId);
const after = openStage(await openTestTable({ items: earlierState }), 'second');
afterAll(receiver.stop);
const idsOf = async (stage: typeof after): Promise<string[]> =>
  (await stage.call('listEvents', {})).events.map((it: { event_id: string }) => it.event_id);

test('a sequence beyond the restored feed is refused, with the last one', async () => {
  const { status, body } = await after.send('listEvents', { after: '5' });
  const [{ code, params }] = body.error.details;
  expect([status, code, params]).toEqual([422, 'sequence_not_reached', { latest_sequence: 3 }]);
});

test('its sequences go on, and then name other events, with other ids', async () => {
  await after.recordMany(3);
  const [lost, events] = [await idsOf(before), await idsOf(after)];
  expect(events.slice(0, 3)).toEqual(lost.slice(0, 3));
  expect(new Set([...lost, ...events]).size).toBe(8);
});

test('a webhook gets again what it got since then, and the new events after it', async () => {
  receiver.reset();
  await after.deliver(webhookId);
  const arrived = receiver.received.toSorted((one, other) => one.sequence - other.sequence);
  expect(arrived.map(({ event_id }) => event_id)).toEqual((await idsOf(after)).slice(2));
});
