// Recording of events, each once and without gaps, whatever happens to the calls and however the
// stream delivers the changes.

import { expect, test } from 'vitest';
import { ApiError } from '#shared/errors.ts';
import type { ChangeEvents } from '#shared/events/change-events.store.ts';
import { openFeed } from '#shared/events/feed.store.ts';
import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
import { feedPageKey, feedPages } from '#shared/table/event-keys.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { openRandom, type Random } from '../../support/builders/random.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { interceptedBy, openSilence, type TableCall } from '../../support/dynamodb/table-calls.ts';
import { carryOut, type Fault, faultsOf } from '../../support/dynamodb/table-faults.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

const database = await openTestTable();
const silence = await openSilence(8);
const now = '2026-03-24T12:00:00.000Z';
const clock = () => new Date(now);
const stream = '2026-03-23';

const changeOf = (
  applicationId: string,
  partition: string,
  sequenceNumber: number | bigint,
): ChangeEvents => ({
  source: { applicationId, partition: `TENANT#${partition}` },
  stream,
  sequenceNumber: String(sequenceNumber),
  events: [
    {
      id: `${partition}-${sequenceNumber}`,
      type: 'account.created',
      at: now,
      data: { tenant_domain_url: partition },
    },
  ],
});

const readAll = async (table: Table, applicationId: string) => {
  const reading = await openFeed(table, { clock }).read(applicationId, {
    after: 0,
    window: 10_000,
  });
  if (reading.outcome !== 'read') throw new Error(reading.outcome);
  return reading.events;
};

let applications = 0;
const newApplication = () => {
  applications += 1;
  return String(applications).padStart(16, 'a');
};

class Crashed extends Error {}

/** A process whose calls meet faults at random. Late calls wait in `late`. */
const openUnluckyProcess = async (random: Random, late: (() => Promise<unknown>)[]) => {
  const death = Promise.withResolvers<never>();
  death.promise.catch(() => {});
  let isDead = false;
  const never = new Promise<never>(() => {});
  const crash = () => {
    isDead = true;
    death.reject(new Crashed());
    return never;
  };
  const intercept = (call: TableCall) => {
    if (isDead) return never;
    if (!random.once(4)) return call.send();
    const fault = random.pick(faultsOf(call.operation)) as Fault;
    return carryOut(fault, call, {
      action: 0,
      crash,
      keepForLater: (it) => void late.push(it),
    });
  };
  const table = openTable(
    database.tableName,
    await interceptedBy(intercept, { endpoint: database.endpoint, silence }),
  );
  const recording = openFeedRecording(table, { clock });
  return {
    record: (applicationId: string, changes: ChangeEvents[]) =>
      Promise.race([recording.record(applicationId, changes), death.promise]),
    close: () => table.close(),
  };
};

/** Delivers the changes of a shard in order, in batches that overlap, until all are recorded. */
const deliverShard = async (
  applicationId: string,
  changes: readonly ChangeEvents[],
  { random, late }: { random: Random; late: (() => Promise<unknown>)[] },
): Promise<void> => {
  let reached = 0;
  while (reached < changes.length) {
    const from = Math.max(0, reached - random.below(4));
    const to = Math.min(changes.length, reached + 1 + random.below(5));
    const process = await openUnluckyProcess(random, late);
    try {
      await process.record(applicationId, changes.slice(from, to));
      reached = to;
    } catch (error) {
      if (!(error instanceof Crashed || error instanceof ApiError)) throw error;
    } finally {
      process.close();
    }
    if (random.once(3))
      await late
        .shift()?.()
        .catch(() => {});
  }
};

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'faults, repeats and two shards, with seed %i',
  async (seed) => {
    const random = openRandom(seed);
    const applicationId = newApplication();
    const late: (() => Promise<unknown>)[] = [];
    // Each shard numbers its own changes.
    const shards = [
      { partitions: ['a', 'b'], first: 5_000_000_000_000_000_000_000n },
      { partitions: ['c'], first: 90n },
    ].map(({ partitions, first }) =>
      Array.from({ length: 14 }, (_, index) =>
        changeOf(applicationId, random.pick(partitions), first + BigInt(index * 7)),
      ),
    );
    await Promise.all(
      shards.map((changes) => deliverShard(applicationId, changes, { random, late })),
    );
    for (const send of late) await send().catch(() => {});
    const { record } = openFeedRecording(database.table, { clock });
    for (const changes of shards) {
      expect(await record(applicationId, changes)).toEqual({ recorded: 0 });
    }
    const events = await readAll(database.table, applicationId);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    for (const partition of ['a', 'b', 'c']) {
      const idsIn = (list: readonly { id: string }[]) =>
        list.map(({ id }) => id).filter((id) => id.startsWith(partition));
      expect(idsIn(events)).toEqual(idsIn(shards.flat().flatMap((it) => it.events)));
    }
  },
);

test('a single event takes two write units, and each of a batch less than one', async () => {
  const applicationId = newApplication();
  const { record } = openFeedRecording(database.table, { clock });
  const one = await costOf(() => record(applicationId, [changeOf(applicationId, 'a', 1)]));
  expect(one).toEqual({
    sequentialCalls: 4,
    operations: ['BatchGetItem', 'Query', 'Query', 'UpdateItem', 'UpdateItem'],
    units: { read: 3, write: 2 },
  });
  const hundred = Array.from({ length: 100 }, (_, index) =>
    changeOf(applicationId, 'a', 2 + index),
  );
  const { units } = await costOf(() => record(applicationId, hundred));
  expect(units.write).toBeLessThan(40);
});

test('another stream of the same table counts anew, for example after a restore', async () => {
  const applicationId = newApplication();
  const { record } = openFeedRecording(database.table, { clock });
  await record(applicationId, [changeOf(applicationId, 'a', 900)]);
  const other = { ...changeOf(applicationId, 'a', 3), stream: '2026-05-01' };
  expect(await record(applicationId, [other])).toEqual({ recorded: 1 });
  expect(await record(applicationId, [other])).toEqual({ recorded: 0 });
});

test('no sequence is used again after all pages have expired, nor is a skipped one', async () => {
  const applicationId = newApplication();
  const { table } = database;
  await openFeedRecording(table, { clock }).record(
    applicationId,
    [changeOf(applicationId, 'a', 1), changeOf(applicationId, 'a', 2)],
    { skipped: 10 },
  );
  await table.consume(feedPageKey(applicationId, 1), { condition: 'attribute_exists(pk)' });
  expect(await table.query(feedPages(applicationId))).toEqual([]);
  const later = () => new Date('2026-06-30T12:00:00.000Z');
  await openFeedRecording(table, { clock: later }).record(applicationId, [
    changeOf(applicationId, 'b', 3),
  ]);
  const feed = openFeed(table, { clock: later });
  expect(await feed.read(applicationId, { after: 0, window: 10 })).toEqual({
    outcome: 'expired',
    first: 13,
  });
  expect(await feed.read(applicationId, { after: 12, window: 10 })).toMatchObject({
    events: [{ sequence: 13 }],
    examined: 13,
    latest: 13,
  });
});
