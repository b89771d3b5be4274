// The data folder of the local service. Only one service uses it, and only its owner can read it.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  currentFormat,
  formatVersion,
  readableFormats,
  readerOf,
} from '#shared/operator/migrations.store.ts';
import { fullDiskSentence, tryToWrite } from './disk-space.ts';

/** Writes a file completely or not at all. Only its owner can read it. */
export const writeWhole = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
};

/** A socket's address has at most 107 characters (unix(7)), on macOS 103 (unix(4)). */
const maximumAddressLength = 100;

/** The socket on which the service of this folder listens. It closes with the process. */
const lockOf = (folder: string): string => {
  const inFolder = join(folder, 'lock');
  if (inFolder.length <= maximumAddressLength) return inFolder;
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return join(tmpdir(), `ledger-${id}.lock`);
};

const listenAt = async (address: string): Promise<Server | undefined> => {
  const server = createServer((socket) => socket.destroy()).listen(address);
  try {
    await once(server, 'listening');
    return server.unref();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return undefined;
  }
};

const isListenedAt = async (address: string): Promise<boolean> => {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

const formatFile = 'data-format';

/** Creates a folder and its parents. In /proc, `mkdir` with `recursive` never returns. */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
};

/** Creates the folder and tests it with a file. An existing folder of others keeps its mode. */
const prepareFolder = async (folder: string): Promise<void> => {
  try {
    await makeFolder(folder);
    const names = await readdir(folder);
    if (names.length === 0 || names.includes(formatFile)) await chmod(folder, 0o700);
    await tryToWrite(folder);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const sentence = fullDiskSentence(folder, error);
    if (sentence !== undefined) throw new Error(sentence);
    throw new Error(
      `The data folder ${folder} is not writable (${code}). Set LEDGER_DATA to a writable ` +
        'folder, for example: LEDGER_DATA=~/ledger-data npm start',
    );
  }
};

const formatFileOf = (folder: string): string => join(folder, formatFile);

/** Records that the folder has the current format. Earlier versions then refuse it. */
export const recordFormat = (folder: string): Promise<void> =>
  writeWhole(formatFileOf(folder), `${currentFormat} of version ${formatVersion}\n`);

/** @throws if this version cannot read the data of the folder, without changing them */
const checkFormat = async (folder: string): Promise<void> => {
  const text = await readFile(formatFileOf(folder), 'utf8').catch(() => undefined);
  if (text === undefined && !(await readdir(folder)).includes('dynamodb.sqlite')) {
    return recordFormat(folder);
  }
  // Version 1.1.0 and earlier wrote the format only.
  const [, number = '', version] = /^(\d+)(?: of version (\S+))?\s*$/.exec(text ?? '') ?? [];
  if (readableFormats.includes(Number(number))) return;
  const format = number === '' ? 'without a format' : `in format ${number}`;
  throw new Error(
    `The data folder ${folder} has data ${format}; this version of the ledger ` +
      `${readerOf(Number(number), version)}. To start without these data, move the folder (mv ` +
      `${folder} ${folder}.old) or set LEDGER_DATA to another one.`,
  );
};

/** The files that exist while the service is ready. They have its addresses. */
export const readyFilesOf = (folder: string) => ({
  demo: join(folder, 'demo.json'),
  local: join(folder, 'local.json'),
});

export const removeReadyFiles = async (folder: string): Promise<void> => {
  for (const file of Object.values(readyFilesOf(folder))) await rm(file, { force: true });
};

/** Removes the ready files of a killed run, unless a service is running. */
export const removeStaleReadyFiles = async (folder: string): Promise<void> => {
  if (!(await isListenedAt(lockOf(folder)))) await removeReadyFiles(folder);
};

/**
 * Locks the folder for this process, also if a killed process left a lock.
 * @throws if another service uses the folder, or it is not writable, or its format is unknown
 */
export const takeDataFolder = async (folder: string): Promise<{ stop: () => Promise<void> }> => {
  await prepareFolder(folder);
  const lock = lockOf(folder);
  for (;;) {
    const server = await listenAt(lock);
    if (server) {
      const stop = async (): Promise<void> => {
        server.close();
        await rm(lock, { force: true });
      };
      await checkFormat(folder).catch(async (error: unknown) => {
        await stop();
        throw error;
      });
      return { stop };
    }
    if (await isListenedAt(lock)) {
      throw new Error(
        `The data folder ${folder} is in use by another service. Stop that service, or set ` +
          'LEDGER_DATA to another folder.',
      );
    }
    await rm(lock, { force: true });
  }
};
