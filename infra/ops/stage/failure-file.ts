// The failure queue of the local service: a file in its data folder.

import { createHash } from 'node:crypto';
import { appendFile, readFile, rename, rm } from 'node:fs/promises';
import * as z from 'zod/mini';
import { type Failure, type FailureQueue, failedInvocationOf, unknownFailure } from './failures.ts';
import { readJson } from './read-json.ts';

const FailedRecord = z.object({
  function: z.string(),
  record: z.object({
    dynamodb: z.object({
      ApproximateCreationDateTime: z.iso.datetime(),
      SequenceNumber: z.string(),
    }),
  }),
});

const idOf = (line: string): string => createHash('sha256').update(line).digest('hex').slice(0, 16);

const failureOf = (line: string): Failure => {
  const unknown = unknownFailure(idOf(line));
  const message = readJson(line);
  const failed = FailedRecord.safeParse(message).data;
  if (failed === undefined) return failedInvocationOf(unknown.id, message) ?? unknown;
  const { ApproximateCreationDateTime: arrivedAt, SequenceNumber } = failed.record.dynamodb;
  return {
    ...unknown,
    functionName: failed.function,
    reason: 'RetryAttemptsExhausted',
    records: 1,
    sequenceNumber: SequenceNumber,
    firstArrivedAt: arrivedAt,
  };
};

const readLines = async (file: string): Promise<string[]> => {
  try {
    return (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

export const openFailureFile = (file: string): FailureQueue => ({
  process: async (work) => {
    const { handled, result } = await work((await readLines(file)).map(failureOf));
    if (handled.length === 0) return result;
    const ids = new Set(handled.map(({ id }) => id));
    // The running service can append at any time. After the rename it appends to a new file.
    const oldFile = `${file}.taken`;
    await rename(file, oldFile);
    const remaining = (await readLines(oldFile)).filter((line) => !ids.has(idOf(line)));
    if (remaining.length > 0) await appendFile(file, `${remaining.join('\n')}\n`);
    await rm(oldFile);
    return result;
  },
});
