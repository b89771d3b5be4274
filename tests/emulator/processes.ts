// The processes of this machine that have the mark of a run in their environment, as Linux tells.

import { readdirSync, readFileSync } from 'node:fs';

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended, or is not ours. Elsewhere than on Linux there is no such file.
    return '';
  }
};

/** @returns each with its id and its command, but for this one */
export const processesOf = (mark: string): string[] =>
  (process.platform === 'linux' ? readdirSync('/proc') : [])
    .filter((id) => /^\d+$/.test(id) && id !== String(process.pid))
    .filter((id) => read(`/proc/${id}/environ`).includes(mark))
    .map((id) => `${id} ${read(`/proc/${id}/cmdline`).replaceAll('\0', ' ').trim()}`);
