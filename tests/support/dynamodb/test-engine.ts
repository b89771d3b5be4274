// An embedded DynamoDB for a test or a measurement, whose data is gone with it.

import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedDynamoDB, startEmbeddedDynamoDB } from '#infra/local/stand-ins/dynamodb.ts';

/** Linux keeps its files in memory: a write and a read take a fifth less time than on a disk. */
const memoryFolder = '/dev/shm';

/** More than the tests write; a container may give the folder as little as 64 MB. */
const leastBytes = 1e9;

const findFolder = async (): Promise<string> => {
  const { bavail, bsize } = await statfs(memoryFolder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize < leastBytes ? tmpdir() : memoryFolder;
};

/** Its data is in a file, as in the service, since the stream's indexes need one. */
export const startTestEngine = async (): Promise<EmbeddedDynamoDB> => {
  const folder = await mkdtemp(join(await findFolder(), 'ledger-'));
  try {
    return await startEmbeddedDynamoDB(join(folder, 'dynamodb.sqlite'));
  } finally {
    // The engine has its files open and keeps them; so nothing is left, however it ends.
    await rm(folder, { recursive: true });
  }
};
