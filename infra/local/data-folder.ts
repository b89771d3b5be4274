// The data folder of the local service: one service at a time, files only its owner can read.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { currentFormat, readableFormats } from '#shared/operator/migrations.store.ts';
import { fullDiskSentence, tryToWrite } from './disk-space.ts';

/** Writes a file whole or not at all, readable by its owner alone. */
export const writeWhole = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
};

/** The address of a socket has at most 107 characters (unix(7)), on macOS 103 (unix(4)). */
const maximumAddressLength = 100;

/** A socket on which the service that has the folder listens; it ends with the process. */
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

const somebodyListensAt = async (address: string): Promise<boolean> => {
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

/** Makes a folder and those above it. In /proc, `mkdir` with `recursive` would never return. */
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

/** Makes the folder, and a file in it. The folder is for its owner alone, unless others use it. */
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
      `The data folder ${folder} cannot be written to (${code}). Set LEDGER_DATA to one that can ` +
        'be, for example: LEDGER_DATA=~/ledger-data npm start',
    );
  }
};

const formatFileOf = (folder: string): string => join(folder, formatFile);

/** Writes down that the folder has the current format, so that an earlier version refuses it. */
export const recordFormat = (folder: string): Promise<void> =>
  writeWhole(formatFileOf(folder), `${currentFormat}\n`);

/** @throws if the folder has data that this version cannot read; they stay as they are */
const checkFormat = async (folder: string): Promise<void> => {
  const text = await readFile(formatFileOf(folder), 'utf8').catch(() => undefined);
  if (text === undefined && !(await readdir(folder)).includes('dynamodb.sqlite')) {
    return recordFormat(folder);
  }
  if (readableFormats.includes(Number(text))) return;
  const format = text === undefined ? 'without a format' : `in format ${text.trim()}`;
  throw new Error(
    `The data folder ${folder} has data ${format}; this version of the ledger reads the formats ` +
      `${readableFormats.join(' and ')}. To begin anew, move it away (mv ${folder} ` +
      `${folder}.old) or set LEDGER_DATA to another folder; to go on with these books, start the ` +
      'version that made them.',
  );
};

/** The files that say that the service is ready, and where. */
export const readyFilesOf = (folder: string) => ({
  demo: join(folder, 'demo.json'),
  local: join(folder, 'local.json'),
});

export const removeReadyFiles = async (folder: string): Promise<void> => {
  for (const file of Object.values(readyFilesOf(folder))) await rm(file, { force: true });
};

/** Removes what a run that was killed has left there, unless a service is running. */
export const removeStaleReadyFiles = async (folder: string): Promise<void> => {
  if (!(await somebodyListensAt(lockOf(folder)))) await removeReadyFiles(folder);
};

/**
 * Takes the folder for this process. The lock of a process that is gone is taken over.
 * @throws where another service has it, nothing can be written there, or its books are of another
 *   version
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
    if (await somebodyListensAt(lock)) {
      throw new Error(
        `The data folder ${folder} is in use by another service. Stop that one, or set ` +
          'LEDGER_DATA to another folder.',
      );
    }
    await rm(lock, { force: true });
  }
};
