// The last released version, in a folder of its own, as its operator has it.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A later release replaces it. */
const lastRelease = { version: '1.2.0', commit: '2901d1193e9eee513d35ec15ad8ea7f21dc3ec36' };

const run = (command: string, words: readonly string[], what: string, input?: Buffer): Buffer => {
  const maxBuffer = 256 * 1024 * 1024;
  const { status, stdout, stderr } = spawnSync(command, words, {
    maxBuffer,
    ...(input && { input }),
  });
  if (status === 0) return stdout;
  throw new Error(`${what}: ${String(stderr).trim()}`);
};

/**
 * Takes the release from the repository's history, with the packages of its own lock file.
 *
 * @returns its folder
 * @throws if the clone is shallow, or npm fails
 */
export const prepareRelease = (cacheFolder: string): string => {
  const { version, commit } = lastRelease;
  const folder = join(cacheFolder, `release-${version}`);
  if (existsSync(folder)) return folder;
  console.log(`Taking version ${version} from the history into ${folder}, this once`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const absent = `Version ${version} is not in this clone. Run git fetch --unshallow`;
  const files = run('git', ['archive', commit], absent);
  run('tar', ['x', '-C', unfinished], 'tar failed', files);
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['ci', '--prefix', unfinished, ...quietly], `npm ci of version ${version} failed`);
  renameSync(unfinished, folder);
  return folder;
};
