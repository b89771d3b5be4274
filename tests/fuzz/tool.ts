// The fuzzer: Schemathesis in a Python environment of its own, which is made once in .fuzz/.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Another version may know other checks: configuration.ts has a word on each of this one's. */
const toolVersion = '4.32.5';

const projectFolder = new URL('../..', import.meta.url).pathname;
export const cacheFolder = join(projectFolder, '.fuzz');
const environment = join(cacheFolder, `schemathesis-${toolVersion}`);
/** Is there once the environment is whole. */
const wholeMark = join(environment, 'installed');

/** Whatever a command leaves lying about, it leaves in the folder of the fuzzer. */
const run = async (command: string, ...words: string[]): Promise<number> => {
  const env = { ...process.env, HYPOTHESIS_STORAGE_DIRECTORY: join(cacheFolder, 'hypothesis') };
  const child = spawn(command, words, { stdio: 'inherit', env, cwd: cacheFolder });
  const [code] = await once(child, 'exit');
  return code ?? 1;
};

const demandPython = (): void => {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  const { error, status } = spawnSync('python3', ['-c', check], { stdio: 'ignore' });
  if (error === undefined && status === 0) return;
  throw new Error(
    'The fuzzer is a Python program. Install python3 (3.10 or newer) with its venv module, for ' +
      'example: apt-get install python3 python3-venv',
  );
};

/** An environment that was made half-way does not count: it gets its name when it is whole. */
const install = async (): Promise<void> => {
  demandPython();
  await rm(environment, { recursive: true, force: true });
  await mkdir(cacheFolder, { recursive: true });
  console.log(`Installing schemathesis ${toolVersion} into ${environment}, once.`);
  const python = join(environment, 'bin', 'python');
  if ((await run('python3', '-m', 'venv', environment)) !== 0) {
    throw new Error(`python3 could not make an environment in ${environment}; see above.`);
  }
  const requirement = `schemathesis==${toolVersion}`;
  if ((await run(python, '-m', 'pip', 'install', '--quiet', requirement)) !== 0) {
    throw new Error(
      `pip could not install ${requirement}; see above. It needs the network and a package index ` +
        'that has it: pip config and PIP_INDEX_URL name another than the public one.',
    );
  }
  await writeFile(`${wholeMark}.new`, `${requirement}\n`);
  await rename(`${wholeMark}.new`, wholeMark);
};

/** Says what is missing in plain words where the tool is not there and cannot be installed. */
export const ensureTool = async (): Promise<void> => {
  if (existsSync(wholeMark)) return;
  try {
    await install();
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
};

/** Runs the fuzzer to its own summary; returns its exit status. */
export const runTool = (...words: string[]): Promise<number> =>
  run(join(environment, 'bin', 'schemathesis'), ...words);
