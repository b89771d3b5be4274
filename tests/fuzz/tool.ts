// The fuzzer: Schemathesis, in a Python environment under .fuzz/.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installPythonPackages } from '../support/processes/python-tools.ts';

/** Another version may know other checks: configuration.ts has a word on each of this one's. */
const toolVersion = '4.32.5';

const projectFolder = new URL('../..', import.meta.url).pathname;
export const cacheFolder = join(projectFolder, '.fuzz');
const environment = join(cacheFolder, `schemathesis-${toolVersion}`);

/** @throws with a sentence that names what is missing */
export const ensureTool = async (): Promise<void> => {
  try {
    await mkdir(cacheFolder, { recursive: true });
    installPythonPackages(environment, [`schemathesis==${toolVersion}`]);
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
};

/** Runs the fuzzer and returns its exit status. Its files stay in its folder. */
export const runTool = async (...words: string[]): Promise<number> => {
  const env = { ...process.env, HYPOTHESIS_STORAGE_DIRECTORY: join(cacheFolder, 'hypothesis') };
  const program = join(environment, 'bin', 'schemathesis');
  const child = spawn(program, words, { stdio: 'inherit', env, cwd: cacheFolder });
  const [code] = await once(child, 'exit');
  return code ?? 1;
};
