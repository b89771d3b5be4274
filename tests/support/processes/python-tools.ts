// Tools from the Python package index that few commands need. They are installed on first use.

import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const howToGetPython =
  'It is a Python program. Install python3 (3.10 or newer) with its venv module, for example: ' +
  'apt-get install python3 python3-venv';

export const hasPython = (): boolean => {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  return spawnSync('python3', ['-c', check], { stdio: 'ignore' }).status === 0;
};

const run = (command: string, ...words: string[]): boolean =>
  spawnSync(command, words, { stdio: 'inherit' }).status === 0;

/**
 * Installs packages into their own environment on first use, and returns the folder of its
 * programs. An unfinished environment has no mark and does not count. Use another folder for
 * another list. @throws with a sentence that names what is missing
 */
export const installPythonPackages = (folder: string, packages: readonly string[]): string => {
  const programs = join(folder, 'bin');
  const wholeMark = join(folder, 'installed');
  if (existsSync(wholeMark)) return programs;
  if (!hasPython()) throw new Error(howToGetPython);
  console.log(`Installing ${packages.join(', ')} into ${folder}, this once`);
  rmSync(folder, { recursive: true, force: true });
  if (!run('python3', '-m', 'venv', folder)) {
    throw new Error(`python3 could not make an environment in ${folder}; see above`);
  }
  if (!run(join(programs, 'python'), '-m', 'pip', 'install', '--quiet', ...packages)) {
    throw new Error(
      `pip could not install ${packages.join(', ')}; see above. It needs the network and a ` +
        'package index that has them; pip config and PIP_INDEX_URL name another one.',
    );
  }
  writeFileSync(`${wholeMark}.new`, `${packages.join('\n')}\n`);
  renameSync(`${wholeMark}.new`, wholeMark);
  return programs;
};
