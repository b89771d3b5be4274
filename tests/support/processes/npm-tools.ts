// Tools from npm that few commands need. They are installed on first use, not by `npm ci`.

import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';

/**
 * Installs packages into their own folder on first use. The folder gets its name when it is
 * complete, so an unfinished one does not count. Use another folder for another list. Install
 * scripts run only with `scripts`, for packages that must be compiled. @throws if npm fails
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
