// The tools of the command that are not part of the project. They are checked, and downloaded once
// into .emulator/.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { prepareDynamoDBLocal } from '../dynamodb-local/engine.ts';
import { installPackages } from '../support/processes/npm-tools.ts';
import { installPythonPackages } from '../support/processes/python-tools.ts';
import { prepareRelease } from './release.ts';

export const cacheFolder = resolve('.emulator');
const requirementsFile = resolve('tests/emulator/localstack/requirements.txt');

/** AWS's own. Its native part is compiled when it is installed; later versions were not tried. */
const runtimeClientPackage = 'aws-lambda-ric@4.0.2';
const compilers = ['cmake', 'make', 'g++'];

/** Something to install on this machine, as a sentence. */
export class MissingPrerequisite extends Error {}

const hasProgram = (name: string): boolean =>
  spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;

const installRuntimeClient = (): string => {
  const folder = join(cacheFolder, runtimeClientPackage);
  const missing = compilers.filter((name) => !hasProgram(name));
  if (missing.length > 0) {
    throw new Error(
      `AWS's runtime client is compiled where it is installed, and there is no ${missing[0]} ` +
        'here. Install cmake, make and g++ (on Debian: build-essential cmake).',
    );
  }
  installPackages(folder, [runtimeClientPackage], { scripts: true });
  return join(folder, 'node_modules/aws-lambda-ric/index.mjs');
};

const installLocalStack = (): string => {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  if (spawnSync('python3', ['-c', check], { stdio: 'ignore' }).status !== 0) {
    throw new Error(
      'LocalStack is a Python program. Install python3 (3.11 or newer) with its venv module, for ' +
        'example: apt-get install python3 python3-venv',
    );
  }
  const list = readFileSync(requirementsFile);
  const version = createHash('sha256').update(list).digest('hex').slice(0, 12);
  const folder = join(cacheFolder, `localstack-${version}`);
  return join(installPythonPackages(folder, [`-r${requirementsFile}`]), 'python');
};

export type Tools = {
  /** Python with LocalStack in it. */
  python: string;
  /** The entry point of AWS's runtime client. */
  runtimeClient: string;
  /** The folder of the last released version. */
  release: string;
};

/** @throws MissingPrerequisite if something is missing or cannot be downloaded */
export const prepareTools = (): Tools => {
  try {
    prepareDynamoDBLocal();
    return {
      release: prepareRelease(cacheFolder),
      runtimeClient: installRuntimeClient(),
      python: installLocalStack(),
    };
  } catch (error) {
    throw new MissingPrerequisite(error instanceof Error ? error.message : String(error));
  }
};
