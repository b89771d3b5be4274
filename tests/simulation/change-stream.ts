// The table's stream, as Lambda brings it to record-events: in order, in batches of any size, which
// overlap and are delivered again until they are handled.

import type { DynamoDBRecord } from 'aws-lambda';
import { openTableStream } from '../support/dynamodb/table-stream.ts';

export type Batch = { records: DynamoDBRecord[]; handled: (count: number) => void };

export type ChangeStream = Awaited<ReturnType<typeof openChangeStream>>;

export const openChangeStream = async (of: Parameters<typeof openTableStream>[0]) => {
  const stream = await openTableStream(of);
  const records: DynamoDBRecord[] = [];
  let reached = 0;
  const readNew = async (): Promise<void> => {
    records.push(...(await stream.read()).Records);
  };
  return {
    /** The next records, after some that were delivered before. */
    next: async ({ size, overlap }: { size: number; overlap: number }): Promise<Batch> => {
      await readNew();
      const from = Math.max(0, reached - overlap);
      return {
        records: records.slice(from, reached + size),
        handled: (count) => {
          reached = Math.max(reached, from + count);
        },
      };
    },
    /** Whether all changes are handled. */
    isAtEnd: async (): Promise<boolean> => {
      await readNew();
      return reached === records.length;
    },
  };
};
