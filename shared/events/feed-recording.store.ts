// Records events in an application's feed, each once, however often the stream delivers a change.
//
// Two writes record the events of a batch. First the position of each partition (a tenant, say)
// names the page that will have its events. Then the page is written, unless it exists. A page
// starts where the feed ends, so only one of several writers can write it. If a change up to the
// position's `pending` is delivered again, the named page says what was recorded:
//
// - If the page is there, it has the last recorded change of the partition, or else it is the page
//   of another writer, and the named one can never be written.
// - If the page is not there, a slow process may still write it. This writer then writes a page
//   with the same start, because the feed still ends before it, so only one of the two succeeds.
//
// This takes two write units for a single event, and less than one for each event of a batch. A
// transaction with the feed's end would take four.

import { feedPageKey, feedPositionKey } from '../table/event-keys.ts';
import { secondsOf } from '../table/expiry.ts';
import { updateAction } from '../table/field-updates.ts';
import { keyText } from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { ifNotExists, type Table } from '../table/table.ts';
import { type ChangeEvents, eventIdOf } from './change-events.store.ts';
import {
  type FeedPage,
  FeedPosition,
  feedDays,
  lastSequenceOf,
  readFeedEnd,
  readFeedEndUnlessHeld,
  readFeedPage,
} from './feed-pages.store.ts';

/** The changes of one partition, in the order of the stream. */
type PartitionChanges = {
  partition: string;
  changes: ChangeEvents[];
  position: FeedPosition | undefined;
};

/** The changes of a partition that are not in the feed. */
type NewChanges = PartitionChanges & { recorded: string };

/** Sequence numbers are decimal digits of any length. */
const isUpTo = (sequenceNumber: string, bound: string): boolean =>
  BigInt(sequenceNumber) <= BigInt(bound);

const nothing = '0';

const laterOf = (one: string, other = nothing): string => (isUpTo(one, other) ? other : one);

const daySeconds = 24 * 60 * 60;

type Pages = ReadonlyMap<number, FeedPage>;

/** `unlessHeld`: record nothing in a held feed. `skipped`: how many sequences to skip before. */
type RecordingOptions = { unlessHeld?: boolean; skipped?: number };
type Recorded = { recorded: number; isHeld?: true };

/** Whether the position alone does not say which of the changes are recorded. */
const isUncertain = ({ position, changes }: PartitionChanges): boolean =>
  position !== undefined &&
  changes.some(
    ({ sequenceNumber }) =>
      !isUpTo(sequenceNumber, position.recorded) && isUpTo(sequenceNumber, position.pending),
  );

/** The last change of the partition that is in the feed. */
const recordedOf = (partition: PartitionChanges, pages: Pages): string => {
  const { position } = partition;
  if (position === undefined) return nothing;
  // The stream goes on after the changes of a page only if the page was written.
  if (!isUncertain(partition)) return position.pending;
  return pages.get(position.page)?.through[partition.partition] ?? position.recorded;
};

const newChangesOf = (partition: PartitionChanges, pages: Pages): NewChanges => {
  const recorded = recordedOf(partition, pages);
  const changes = partition.changes.filter((it) => !isUpTo(it.sequenceNumber, recorded));
  return { ...partition, changes, recorded };
};

const byPartition = (changes: readonly ChangeEvents[]): Map<string, ChangeEvents[]> =>
  Map.groupBy(changes, ({ source }) => source.partition);

/**
 * More events a second than a feed can record. Its pages are in one partition, which takes 1,000
 * write units a second (DynamoDB Developer Guide, "Designing partition keys"), and an event of a
 * full page takes about a third of one.
 */
const maximumPerSecond = 10_000;

/** After a restore, the table before it may still record events until the deployment. */
const secondsUntilDeployed = 60 * 60;

export type FeedRecording = ReturnType<typeof openFeedRecording>;

export const openFeedRecording = (
  table: Table,
  { clock = () => new Date() }: { clock?: () => Date } = {},
) => {
  const readPartitions = async (
    applicationId: string,
    changes: readonly ChangeEvents[],
  ): Promise<PartitionChanges[]> => {
    const partitions = [...byPartition(changes)];
    const keyOf = (partition: string) => feedPositionKey({ applicationId, partition });
    const items = await table.getMany(partitions.map(([partition]) => keyOf(partition)));
    return partitions.map(([partition, ofPartition]) => {
      const item = items.get(keyText(keyOf(partition)));
      const position = item && FeedPosition.parse(item);
      // Another stream counts its changes anew.
      const isOfStream = position?.stream === ofPartition[0]?.stream;
      return { partition, changes: ofPartition, position: isOfStream ? position : undefined };
    });
  };

  const readPages = async (
    applicationId: string,
    partitions: readonly PartitionChanges[],
  ): Promise<Pages> => {
    const sequences = partitions
      .filter(isUncertain)
      .flatMap(({ position }) => position?.page ?? []);
    const items = await table.getMany(sequences.map((first) => feedPageKey(applicationId, first)));
    return new Map([...items.values()].map(readFeedPage).map((page) => [page.first, page]));
  };

  /** Names the page in the position. Returns false if another process has changed the position. */
  const intend = (
    applicationId: string,
    { partition, changes, position, recorded }: NewChanges,
    page: { first: number; last: number; recordedAt: string },
  ): Promise<boolean> => {
    const { stream = '', sequenceNumber = nothing } = changes.at(-1) ?? {};
    const intent: FeedPosition = {
      stream,
      recorded,
      // A slow process may still write a page with changes up to the earlier `pending`.
      pending: laterOf(sequenceNumber, position?.pending),
      page: page.first,
      last: page.last,
      intendedAt: page.recordedAt,
    };
    return table.update(
      updateAction(feedPositionKey({ applicationId, partition }), {
        set: intent,
        ...(position
          ? { expected: { pending: position.pending, page: position.page } }
          : { condition: 'attribute_not_exists(pk) OR #stream <> :stream' }),
      }),
    );
  };

  const writePage = (applicationId: string, page: FeedPage): Promise<boolean> =>
    table.update(
      updateAction(feedPageKey(applicationId, page.first), {
        set: {
          ...page,
          expiresAt: secondsOf(new Date(page.recordedAt)) + feedDays * daySeconds,
        },
        condition: ifNotExists,
      }),
    );

  const tryToRecord = async (
    applicationId: string,
    changes: readonly ChangeEvents[],
    { unlessHeld = false, skipped = 0 }: RecordingOptions,
  ): Promise<Recorded | undefined> => {
    const now = clock();
    const readEnd = unlessHeld ? readFeedEndUnlessHeld : readFeedEnd;
    // The end of the feed is read before the pages of the positions: see above.
    const [partitions, end] = await Promise.all([
      readPartitions(applicationId, changes),
      readEnd(table, applicationId, now),
    ]);
    if (end === 'held') return { recorded: 0, isHeld: true };
    const pages = await readPages(applicationId, partitions);
    const unrecorded = partitions
      .map((it) => newChangesOf(it, pages))
      .filter((it) => it.changes.length > 0);
    const isNew = new Set(unrecorded.flatMap((it) => it.changes));
    const events = changes.filter((it) => isNew.has(it)).flatMap((it) => it.events);
    if (events.length === 0) return { recorded: 0 };
    const moment = now.toISOString();
    const page: FeedPage = {
      first: end.sequence + 1,
      ...(skipped > 0 && { skipped }),
      // Clocks differ, and the times of pages must not decrease.
      recordedAt: moment > end.recordedAt ? moment : end.recordedAt,
      through: Object.fromEntries(
        unrecorded.map((it) => [it.partition, it.changes.at(-1)?.sequenceNumber ?? nothing]),
      ),
      events,
    };
    const last = lastSequenceOf(page);
    const intended = await Promise.all(
      unrecorded.map((it) => intend(applicationId, it, { ...page, last })),
    );
    if (intended.includes(false)) return undefined;
    return (await writePage(applicationId, page)) ? { recorded: events.length } : undefined;
  };

  const record = (
    applicationId: string,
    changes: readonly ChangeEvents[],
    options: RecordingOptions = {},
  ): Promise<Recorded> => retryOnContention(() => tryToRecord(applicationId, changes, options));

  return {
    /**
     * Records the events of changes of one application, in their order. Returns how many were not
     * yet recorded.
     * @throws ApiError `contention` or `temporarily_unavailable`; a repeat is harmless
     */
    record,

    /**
     * Records that the table was restored. The table before it gave out more sequences than this
     * feed has. The feed skips all that it can have given out, so an application that read them
     * misses nothing of what is recorded from now on.
     * @param options.since the table before recorded nothing beyond the restored state until then
     */
    recordRestore: (
      applicationId: string,
      { restoredTo, since }: { restoredTo: string | null; since: string },
    ): Promise<Recorded> => {
      const now = clock();
      const at = now.toISOString();
      const type = 'feed.restored' as const;
      const change = { stream: 'restores', sequenceNumber: String(now.getTime()) };
      const { pk } = feedPageKey(applicationId, 1);
      const id = eventIdOf({ ...change, item: { pk } }, type);
      const events = [{ id, type, at, data: { restored_to: restoredTo } }];
      const source = { applicationId, partition: 'RESTORES' };
      const seconds = secondsOf(now) - secondsOf(new Date(since)) + secondsUntilDeployed;
      const skipped = seconds * maximumPerSecond;
      return record(applicationId, [{ ...change, source, events }], { skipped });
    },
  };
};
