// Whether the data folder can be written to, and a full disk in plain words.

import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the embedded DynamoDB writes at once, at most. No disk makes random bytes smaller. */
const trialBytes = 2 ** 18;

/** No space left, a quota that is used up, a file that may not become larger. */
const fullDiskCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Writes a file into the folder and removes it. @throws what prevents it */
export const tryToWrite = async (folder: string): Promise<void> => {
  const trial = join(folder, 'trial.new');
  try {
    await writeFile(trial, randomBytes(trialBytes));
  } finally {
    await rm(trial, { force: true });
  }
};

/** The sentence to say if this is the error of a full disk. */
export const fullDiskSentence = (folder: string, error: unknown): string | undefined => {
  const { code = '' } = error as NodeJS.ErrnoException;
  return fullDiskCodes.has(code)
    ? `The disk of the data folder ${folder} is full (${code}). Nothing can be recorded until it ` +
        'has room again.'
    : undefined;
};
