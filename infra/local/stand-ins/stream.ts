// The table's stream on this machine. A function gets the records that pass its filter in sequence,
// with a limited number of retries. A record that still fails is appended to a file.

import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
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
import { type FunctionName, functionsOfKind } from '../../manifest/manifest.ts';
import type { Trigger } from '../../manifest/triggers.ts';
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
      await writeFile(`${file}.new`, JSON.stringify(next));
      await rename(`${file}.new`, file);
      reached = next;
    },
  };
};

/** Whether the new image of a record has the filter's values. */
export const passesFilter = (record: _Record, { newImage }: Pick<StreamTrigger, 'newImage'>) =>
  record.dynamodb?.NewImage !== undefined &&
  Object.entries(newImage).every(
    ([attribute, value]) => record.dynamodb?.NewImage?.[attribute]?.S === value,
  );

export type StreamSource = {
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
  const client = new DynamoDBStreamsClient({ endpoint: source.endpoint });
  const checkpoints = await openCheckpoints(join(dataFolder, 'stream.json'));
  const stopping = new AbortController();
  const triggered = functionsOfKind('stream');
  /** The last handled record of each shard. */
  const handled = new Map<string, string>();

  const deliver = async (
    record: _Record,
    { name, trigger }: { name: FunctionName; trigger: StreamTrigger },
  ): Promise<void> => {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      const fault = await invoke(name, { Records: [record] }).then(
        (result) => (result as DynamoDBBatchResponse).batchItemFailures.length > 0 && 'refused',
        (error: unknown) => error,
      );
      if (!fault) return;
      report(`${name} failed on a stream record (try ${attempt + 1})`, fault);
      if (attempt >= trigger.maximumRetries) {
        const line = `${JSON.stringify({ function: name, record })}\n`;
        await appendFile(join(dataFolder, 'failed-records.jsonl'), line);
        return;
      }
      const wait = Math.min(maximumBackoffMilliseconds, pollMilliseconds * 2 ** attempt);
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => {});
    }
    throw new Error('stopped before the record was handled');
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

  /** Reads a shard to its current end. Returns whether the shard continues. */
  const drain = async (shardId: string): Promise<boolean> => {
    let iterator = await iteratorFrom(shardId);
    while (iterator !== undefined && !stopping.signal.aborted) {
      const page = await client.send(new GetRecordsCommand({ ShardIterator: iterator }));
      const records = page.Records ?? [];
      if (records.length === 0) return page.NextShardIterator !== undefined;
      for (const record of records) {
        const interested = triggered.filter(({ trigger }) => passesFilter(record, trigger));
        for (const target of interested) await deliver(record, target);
        handled.set(shardId, record.dynamodb?.SequenceNumber ?? '');
      }
      iterator = page.NextShardIterator;
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
    for (const shardId of shards) open.push(await drain(shardId));
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
