// Detects a full disk of the data folder and explains it.

import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The largest single write of the embedded DynamoDB. Disks cannot compress random bytes. */
const trialBytes = 2 ** 18;

/** No space left, disk quota exceeded, file too large. */
const fullDiskCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Writes a file into the folder and removes it. @throws the error of the write */
export const tryToWrite = async (folder: string): Promise<void> => {
  const trial = join(folder, 'trial.new');
  try {
    await writeFile(trial, randomBytes(trialBytes));
  } finally {
    await rm(trial, { force: true });
  }
};

/** A sentence about the full disk, if this error means one. */
export const fullDiskSentence = (folder: string, error: unknown): string | undefined => {
  const { code = '' } = error as NodeJS.ErrnoException;
  return fullDiskCodes.has(code)
    ? `The disk of the data folder ${folder} is full (${code}). Nothing can be recorded until it ` +
        'has room again.'
    : undefined;
};
