// The table's stream on this machine. A function gets batches of the records that pass its filters,
// in sequence. A failed batch is tried again from its first failed record. A record that fails too
// often is appended to a file.

import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import { batchesOf } from '#shared/table/batches.ts';
import { PlainJsonProtocol, removeUnusedMiddleware } from '#shared/table/dynamodb-client.ts';
import { type FunctionName, functionsOfKind } from '../../manifest/manifest.ts';
import type { Trigger } from '../../manifest/triggers.ts';
import { writeWhole } from '../data-folder.ts';
import type { StoredStream } from './dynamodb.ts';
import type { Invoke } from './lambda.ts';

const pollMilliseconds = 200;
const maximumBackoffMilliseconds = 10_000;

type StreamTrigger = Extract<Trigger, { kind: 'stream' }>;

/** The last handled sequence number of each shard, in a file. A restart continues there. */
const openCheckpoints = async (file: string) => {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  let reached: Record<string, string> = JSON.parse(text);
  return {
    of: (shardId: string): string | undefined => reached[shardId],
    set: async (shardId: string, sequenceNumber: string): Promise<void> => {
      const next = { ...reached, [shardId]: sequenceNumber };
      await writeWhole(file, JSON.stringify(next));
      reached = next;
    },
  };
};

/** Whether the new image of a record passes one of the filters. */
export const passesFilter = (
  { dynamodb }: _Record,
  { filters }: Pick<StreamTrigger, 'filters'>,
): boolean =>
  filters.some((filter) =>
    Object.entries(filter).every(([attribute, text]) => {
      const found = dynamodb?.NewImage?.[attribute]?.S;
      return typeof text === 'string' ? found === text : found !== undefined;
    }),
  );

/** A client whose records are the JSON of DynamoDB, as Lambda has them in an event. */
export const openStreamsClient = (endpoint: string): DynamoDBStreamsClient => {
  const client = new DynamoDBStreamsClient({ endpoint, protocol: PlainJsonProtocol });
  removeUnusedMiddleware(client);
  return client;
};

type StreamSource = {
  endpoint: string;
  streamArn: string;
  dataFolder: string;
  /** Gets the records to forget after a checkpoint, when no restart needs them. */
  stored: StoredStream;
  report: (text: string, fault?: unknown) => void;
};

/** Starts to deliver records to the functions. `stop` waits for the current delivery. */
export const startStream = async (invoke: Invoke, source: StreamSource) => {
  const { streamArn, dataFolder, stored, report } = source;
  const client = openStreamsClient(source.endpoint);
  const checkpoints = await openCheckpoints(join(dataFolder, 'stream.json'));
  const stopping = new AbortController();
  const triggered = functionsOfKind('stream');
  /** The last handled record of each shard. */
  const handled = new Map<string, string>();

  type Target = { name: FunctionName; trigger: StreamTrigger };

  /** How many records the function handled, and what it said about the next one. */
  const attempt = async (records: readonly _Record[], { name }: Target) => {
    const Records = records.map((record) => ({ ...record, eventSourceARN: streamArn }));
    try {
      const { batchItemFailures } = (await invoke(name, { Records })) as DynamoDBBatchResponse;
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      const first = records.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? ''));
      return first < 0 ? { handled: records.length } : { handled: first, fault: 'refused' };
    } catch (fault) {
      return { handled: 0, fault };
    }
  };

  const giveUp = async (record: _Record, { name }: Target): Promise<void> => {
    const line = `${JSON.stringify({ function: name, record })}\n`;
    await appendFile(join(dataFolder, 'failed-records.jsonl'), line);
  };

  /** Delivers a batch until it is handled. After a failure, the first half comes alone. */
  const deliver = async (records: readonly _Record[], target: Target): Promise<void> => {
    const { name, trigger } = target;
    const most = trigger.maximumRetries === 'until_expired' ? Infinity : trigger.maximumRetries;
    let waiting = records;
    for (let tries = 1; waiting.length > 0 && !stopping.signal.aborted; tries += 1) {
      const { handled: count, fault } = await attempt(waiting, target);
      waiting = waiting.slice(count);
      const [first] = waiting;
      if (first === undefined) return;
      if (count > 0) tries = 1;
      report(`${name} failed on a stream record (try ${tries})`, fault);
      if (tries > most) {
        await giveUp(first, target);
        return deliver(waiting.slice(1), target);
      }
      const wait = Math.min(maximumBackoffMilliseconds, pollMilliseconds * 2 ** (tries - 1));
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => {});
      if (waiting.length > 1) {
        const half = Math.ceil(waiting.length / 2);
        await deliver(waiting.slice(0, half), target);
        waiting = waiting.slice(half);
        tries = 0;
      }
    }
    if (waiting.length > 0) throw new Error('stopped before the records were handled');
  };

  const deliverPage = async (records: readonly _Record[], target: Target): Promise<void> => {
    const wanted = records.filter((record) => passesFilter(record, target.trigger));
    for (const batch of batchesOf(wanted, target.trigger.batchSize)) await deliver(batch, target);
  };

  const iteratorFrom = async (ShardId: string): Promise<string | undefined> => {
    const reached = handled.get(ShardId) ?? checkpoints.of(ShardId);
    const from = { StreamArn: streamArn, ShardId };
    const command = reached
      ? { ...from, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: reached }
      : { ...from, ShardIteratorType: 'TRIM_HORIZON' as const };
    try {
      return (await client.send(new GetShardIteratorCommand(command))).ShardIterator;
    } catch (error) {
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      const oldest = { ...from, ShardIteratorType: 'TRIM_HORIZON' as const };
      return (await client.send(new GetShardIteratorCommand(oldest))).ShardIterator;
    }
  };

  /**
   * Reads a shard up to the newest record, or to its end if that is unknown. Later records wait for
   * the next read, so that they come in batches. Returns whether the shard continues.
   */
  const drain = async (shardId: string, newest = Infinity): Promise<boolean> => {
    let iterator = await iteratorFrom(shardId);
    while (iterator !== undefined && !stopping.signal.aborted) {
      const page = await client.send(new GetRecordsCommand({ ShardIterator: iterator }));
      const records = page.Records ?? [];
      if (records.length === 0) return page.NextShardIterator !== undefined;
      const deliveries = triggered.map((target) => deliverPage(records, target));
      const failed = (await Promise.allSettled(deliveries)).find(
        (it): it is PromiseRejectedResult => it.status === 'rejected',
      );
      if (failed) throw failed.reason;
      const reached = records.at(-1)?.dynamodb?.SequenceNumber ?? '';
      handled.set(shardId, reached);
      iterator = page.NextShardIterator;
      if (Number(reached) >= newest) break;
    }
    return iterator !== undefined;
  };

  const listShards = async (): Promise<string[]> => {
    const command = new DescribeStreamCommand({ StreamArn: streamArn });
    const { StreamDescription } = await client.send(command);
    return (StreamDescription?.Shards ?? []).flatMap(({ ShardId }) => ShardId ?? []);
  };

  const saveCheckpoints = async (): Promise<void> => {
    for (const [shardId, reached] of handled) {
      if (reached === checkpoints.of(shardId)) continue;
      await checkpoints.set(shardId, reached);
      stored.forget(reached);
    }
  };

  // The list is read again only after a shard ended or failed: for each list, the embedded engine
  // reads all records of the stream.
  let shards: string[] = [];
  /** The newest record at the start of the last read. The first read continues after a crash. */
  let newestRead: number | undefined;

  /** Reads all shards, unless there is no newer record. */
  const readShards = async (): Promise<void> => {
    const newest = stored.newest();
    if (newest !== undefined && newest === newestRead) return;
    if (shards.length === 0) shards = await listShards();
    const open: boolean[] = [];
    for (const shardId of shards) open.push(await drain(shardId, newest));
    await saveCheckpoints();
    if (!open.every(Boolean)) shards = [];
    newestRead = newest;
  };

  const poll = async (): Promise<void> => {
    let fault: string | undefined;
    while (!stopping.signal.aborted) {
      try {
        await readShards();
        fault = undefined;
      } catch (error) {
        shards = [];
        // A lasting error, such as a full disk, is reported once.
        const isNew = String(error) !== fault;
        fault = String(error);
        if (isNew && !stopping.signal.aborted) report('the stream could not be read', error);
      }
      await pause(pollMilliseconds, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  const polling = poll();
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await polling;
      await saveCheckpoints();
      client.destroy();
    },
  };
};
