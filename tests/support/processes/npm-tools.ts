// Tools from npm that few commands need: installed where they are first used, not by `npm ci`.

import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';

/**
 * Installs packages into a folder of their own where it is not there yet. The folder gets its name
 * when it is whole, so that one made half-way does not count. Another list needs another folder.
 * Their scripts are run only where one of them has to be compiled.
 * @throws where npm could not
 */
export const installPackages = (
  folder: string,
  packages: readonly string[],
  { scripts = false } = {},
): void => {
  if (existsSync(folder)) return;
  console.log(`Installing ${packages.join(', ')} into ${folder}, this once`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const quietly = ['--no-package-lock', '--no-audit', '--no-fund', `--ignore-scripts=${!scripts}`];
  const words = ['install', '--prefix', unfinished, ...quietly, '--loglevel=error', ...packages];
  const { status } = spawnSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm could not install ${packages.join(', ')}; see above`);
  renameSync(unfinished, folder);
};
