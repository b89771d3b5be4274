// A feed that refuses writes at random, while it is recorded and resumed at the same time: each
// change is recorded once, and those of a partition in their order.

import { expect, test } from 'vitest';
import { openDueWork } from '#shared/background/due-index.store.ts';
import type { ChangeEvents } from '#shared/events/change-events.store.ts';
import { openEventRecording } from '#shared/events/event-recording.service.ts';
import { openFeed } from '#shared/events/feed.store.ts';
import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
import { openHeldChanges } from '#shared/events/held-changes.store.ts';
import { feedHoldKey } from '#shared/table/event-keys.ts';
import { openRandom, type Random } from '../../support/builders/random.ts';
import { testSlots } from '../../support/builders/slots.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

const { table } = await openTestTable();
const now = '2026-03-24T12:00:00.000Z';
const clock = () => new Date(now);

const changesOf = (applicationId: string, partitions: readonly string[], random: Random) =>
  Array.from({ length: 20 }, (_, index): ChangeEvents => {
    const partition = random.pick(partitions);
    const event = {
      id: `${partition}-${index}`,
      type: 'tenant.updated',
      at: now,
      data: {},
    } as const;
    const source = { applicationId, partition };
    return { source, stream: '2026-03-23', sequenceNumber: String(95 + index), events: [event] };
  });

const openUnluckyRecording = (random: Random) => {
  const { record } = openFeedRecording(table, { clock });
  return openEventRecording({
    feedRecording: {
      record: async (...given) => {
        if (random.once(3)) throw new Error('the write was refused');
        const done = await record(...given);
        if (random.once(5)) throw new Error('the reply was refused');
        return done;
      },
    },
    heldChanges: openHeldChanges(table),
    dueWork: openDueWork(table),
    slots: testSlots(),
    clock,
    log: keepLog(),
    metrics: keepMetrics(),
  });
};

test.each(Array.from({ length: 8 }, (_, seed) => seed))('with seed %i', async (seed) => {
  const random = openRandom(seed);
  const applicationId = String(seed).padStart(16, 'h');
  const { record, resume } = openUnluckyRecording(random);
  const shards = [['a', 'b'], ['c']].map((it) => changesOf(applicationId, it, random));
  let [open, resumptions] = [shards.length, 0];

  const deliver = async (changes: readonly ChangeEvents[]): Promise<void> => {
    for (let reached = 0; reached < changes.length; ) {
      const from = Math.max(0, reached - random.below(3));
      reached = Math.min(changes.length, reached + 1 + random.below(3));
      await record(applicationId, changes.slice(from, reached));
    }
    open -= 1;
  };

  const resumeUntilDone = async (): Promise<void> => {
    for (;;) {
      const hold = await table.get(feedHoldKey(applicationId));
      if (hold === undefined && open === 0) return;
      if (hold === undefined) continue;
      await resume({ ...feedHoldKey(applicationId), due_sk: String(hold.due_sk) }, () => true);
      resumptions += 1;
    }
  };

  await Promise.all([...shards.map(deliver), resumeUntilDone()]);
  expect(resumptions).toBeGreaterThan(0);
  const feed = await openFeed(table, { clock }).read(applicationId, { after: 0, window: 100 });
  if (feed.outcome !== 'read') throw new Error(feed.outcome);
  expect(feed.events.map(({ sequence }) => sequence)).toEqual(feed.events.map((_, at) => at + 1));
  for (const partition of ['a', 'b', 'c']) {
    const idsIn = (list: readonly { id: string }[]) =>
      list.map(({ id }) => id).filter((id) => id.startsWith(partition));
    expect(idsIn(feed.events)).toEqual(idsIn(shards.flat().flatMap((it) => it.events)));
  }
});
