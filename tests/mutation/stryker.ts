// The mutation tool: Stryker, installed once into .mutation/, and run on one file at a time.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from '../support/processes/npm-tools.ts';

/** Another version may make other mutants: scores are compared within one version. */
const tool = '@stryker-mutator/core@10.1.1';

/** Stryker leaves this folder out of the copies that it makes of the project. */
const cacheFolder = '.mutation';
const toolFolder = join(cacheFolder, tool.replace(/\W+/g, '-').slice(1));

/** The result of a change of a source file: Killed, Survived or Timeout. */
export type Mutant = {
  status: string;
  mutatorName: string;
  replacement?: string;
  location: { start: { line: number; column: number } };
};
type Run = { runMutationTest: () => Promise<Mutant[]> };
type Stryker = new (settings: Record<string, unknown>) => Run;

const load = async (): Promise<Stryker> => {
  installPackages(toolFolder, [tool]);
  const path = createRequire(join(process.cwd(), toolFolder, 'package.json')).resolve(
    '@stryker-mutator/core',
  );
  return (await import(pathToFileURL(path).href)).Stryker;
};

/**
 * Changes a file in one place after the other, in a copy of the project, and runs these tests each
 * time. Its runner for vitest calls mutants survived that the tests do kill; a command does not.
 */
export const mutate = async (source: string): Promise<Mutant[]> => {
  const vitest = `"${process.execPath}" node_modules/vitest/vitest.mjs related --run`;
  const StrykerRun = await load();
  return new StrykerRun({
    mutate: [source],
    testRunner: 'command',
    commandRunner: { command: `${vitest} ${source} --project ledger --bail 1 --maxWorkers 1` },
    coverageAnalysis: 'off',
    concurrency: 1,
    // Long enough for a busy machine. A mutant that takes longer counts as killed.
    timeoutFactor: 4,
    timeoutMS: 10_000,
    // It would hand the real one to the compiler's API, which TypeScript 7 does not have.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    ignorePatterns: ['.*', 'cdk.out', 'coverage'],
    tempDirName: cacheFolder,
    cleanTempDir: 'always',
    reporters: [],
    logLevel: 'error',
  }).runMutationTest();
};
