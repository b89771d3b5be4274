// The mutants of source files, made by Stryker. All of them are in the code at once, behind
// switches: an environment variable selects the one that runs.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openRandom } from '../support/builders/random.ts';
import { installPackages } from '../support/processes/npm-tools.ts';

/** Another version may make other mutants: compare scores within one version. */
const tool = '@stryker-mutator/instrumenter';
const version = '10.1.1';

/** Everything that a run writes is in this folder. Git ignores it. */
export const mutationFolder = '.mutation';
const toolFolder = join(mutationFolder, `instrumenter-${version}`);

/** The variable that selects a mutant, as Stryker's switches read it. */
export const activeMutantVariable = '__STRYKER_ACTIVE_MUTANT__';

/** A change of one place. Stryker counts lines from 0. */
export type Mutant = {
  id: string;
  fileName: string;
  mutatorName: string;
  replacement: string;
  location: { start: { line: number; column: number } };
};
type SourceFile = { name: string; content: string };
type Instrumented = { files: SourceFile[]; mutants: Mutant[] };
type Tool = {
  Instrumenter: new (
    logger: object,
  ) => {
    instrument: (files: object[], settings: object) => Promise<Instrumented>;
  };
};

const silentLogger = { debug: () => {}, info: () => {}, isDebugEnabled: () => false };

/** The source files with all their mutants. */
export const instrument = async (sources: readonly string[]): Promise<Instrumented> => {
  installPackages(toolFolder, [`${tool}@${version}`]);
  const require = createRequire(join(process.cwd(), toolFolder, 'package.json'));
  const { Instrumenter } = (await import(pathToFileURL(require.resolve(tool)).href)) as Tool;
  const files = sources.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(name, 'utf8'),
  }));
  const settings = { ignorers: [], excludedMutations: [], plugins: null };
  return new Instrumenter(silentLogger).instrument(files, settings);
};

/** Mutants at equal distances in the code, so each file has its share. The seed shifts them. */
export const sampleOf = (
  mutants: readonly Mutant[],
  { count, seed }: { count: number; seed: number },
): Mutant[] => {
  const distance = Math.max(1, mutants.length / count);
  const shift = (openRandom(seed).below(1000) / 1000) * distance;
  const stepAt = (index: number): number => Math.floor((index + shift) / distance);
  return mutants.filter((_, index) => stepAt(index) !== stepAt(index + 1));
};
