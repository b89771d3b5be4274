// The data folder of the local service: one service at a time, files only its owner can read.

import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a file whole or not at all, readable by its owner alone. */
export const writeWhole = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
};

const isRunning = (processId: number): boolean => {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Takes the folder for this process. The lock of a process that is gone is taken over.
 * @throws naming the process that has it
 */
export const takeDataFolder = async (folder: string): Promise<{ stop: () => Promise<void> }> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, 'lock');
  for (;;) {
    try {
      const file = await open(lock, 'wx', 0o600);
      await file.writeFile(String(process.pid));
      await file.close();
      return { stop: () => rm(lock, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (owner > 0 && owner !== process.pid && isRunning(owner)) {
      throw new Error(
        `The data folder ${folder} is in use by process ${owner}. Stop it, or set LEDGER_DATA to ` +
          'another folder.',
      );
    }
    await rm(lock, { force: true });
  }
};
