// The checkout of this repository from which the tool runs.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The commit of the checkout, or `undefined` for a copy without git's history. */
export const findCommit = async (): Promise<string | undefined> => {
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', 'HEAD']);
    return stdout.trim();
  } catch {
    return undefined;
  }
};
