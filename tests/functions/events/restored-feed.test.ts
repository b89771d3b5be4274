// The feed and the deliveries of a table that was restored to an earlier state, as
// infra/ops/after-a-restore.md says.

import { afterAll, expect, test } from 'vitest';
import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
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
const restored = await openTestTable({ items: earlierState });
const restoredTo = '2026-03-24T12:00:00.000Z';
const { recordRestore } = openFeedRecording(restored.table, {
  clock: () => new Date('2026-03-24T14:00:00.000Z'),
});
await recordRestore(applicationId, { restoredTo, since: restoredTo });
const after = openStage(restored, 'second');
await after.recordMany(3);
afterAll(receiver.stop);

type Shown = { sequence: number; event_id: string; type: string; data: object };

/** What a reader gets who goes on after a sequence, page by page. */
const readOn = async (stage: typeof after, from: number, query: object = {}) => {
  const events: Shown[] = [];
  let page = { next_after: from, has_more: true, events };
  while (page.has_more) {
    page = await stage.call('listEvents', { after: String(page.next_after), limit: '2', ...query });
    events.push(...page.events);
  }
  return events;
};
const [restore, ...news] = await readOn(after, 3);

test('a reader goes on with the restore, whatever it read before, and misses nothing', async () => {
  expect(restore).toMatchObject({ type: 'feed.restored', data: { restored_to: restoredTo } });
  expect(news.map(({ type }) => type)).toEqual(Array(3).fill('tenant.updated'));
  for (const lost of [4, 5, 1_000_000])
    expect(await readOn(after, lost)).toEqual([restore, ...news]);
  const lost = await readOn(before, 0);
  expect((await readOn(after, 0)).slice(0, 3)).toEqual(lost.slice(0, 3));
});

test('no sequence of the earlier table is given out again', () => {
  // Two hours and one more, with ten times as many events a second as a feed can record.
  expect(restore?.sequence).toBe(4 + 3 * 60 * 60 * 10_000);
  expect(news.map(({ sequence }) => sequence - (restore?.sequence ?? 0))).toEqual([1, 2, 3]);
});

test('a reader of other types learns of the restore too', async () => {
  expect(await readOn(after, 5, { types: 'tenant.locked' })).toEqual([restore]);
});

test('a webhook gets again what it got since then, the restore and the new events', async () => {
  receiver.reset();
  await after.deliver(webhookId);
  const arrived = receiver.received.toSorted((one, other) => one.sequence - other.sequence);
  const expected = (await readOn(after, 2)).map(({ event_id }) => event_id);
  expect(arrived.map(({ event_id }) => event_id)).toEqual(expected);
});
