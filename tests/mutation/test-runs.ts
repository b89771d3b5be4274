// Runs tests against a copy of the project that has all mutants in its code.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { activeMutantVariable, type Mutant, mutationFolder } from './mutants.ts';
import type { FileCoverage } from './record-coverage.ts';

const copy = resolve(mutationFolder, 'project');
const coverageFile = resolve(mutationFolder, 'coverage.jsonl');

/** Much longer than the tests of any mutant take. A mutant that takes longer counts as killed. */
const maximumMilliseconds = 300_000;

type Result = 'Killed' | 'Survived' | 'Timeout';
export type JudgedMutant = Mutant & { status: Result };

/** Copies the project without ignored files, and puts the mutants into it. */
export const copyProject = (instrumented: readonly { name: string; content: string }[]): void => {
  rmSync(copy, { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const name of listed.trim().split('\n').filter(existsSync)) {
    mkdirSync(join(copy, dirname(name)), { recursive: true });
    cpSync(name, join(copy, name));
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const { name, content } of instrumented) writeFileSync(join(copy, name), content);
};

/** Runs tests with these variables. Ends everything that they started. */
const runTests = async (variables: Record<string, string>): Promise<Result> => {
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const words = ['run', '--config', 'tests/mutation/vitest.config.ts', '--bail', '1'];
  const child = spawn(process.execPath, [vitest, ...words], {
    cwd: copy,
    env: { ...process.env, ...variables },
    stdio: 'ignore',
    detached: true,
  });
  let isLate = false;
  const endGroup = (): void => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    endGroup();
  }, maximumMilliseconds);
  const [status] = await once(child, 'exit');
  clearTimeout(timer);
  endGroup();
  if (isLate) return 'Timeout';
  return status === 0 ? 'Survived' : 'Killed';
};

/** Which test files reach which mutants. @throws if a test fails without a mutant */
export const recordCoverage = async (): Promise<FileCoverage[]> => {
  rmSync(coverageFile, { force: true });
  const result = await runTests({ COVERAGE_FILE: coverageFile });
  if (result !== 'Survived') throw new Error('A test fails without any mutant.');
  const lines = readFileSync(coverageFile, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as FileCoverage);
};

/** The test files that reach a mutant: those named for its file first, then the quickest. */
export const testFilesOf = (
  { id, fileName }: Mutant,
  { coverage, all }: { coverage: readonly FileCoverage[]; all: readonly Mutant[] },
): string[] => {
  // The process loads a module once. What runs then counts for all test files that use the module.
  const isLoaded = coverage.some(({ loaded }) => loaded.includes(id));
  const neighbours = new Set(all.filter((it) => it.fileName === fileName).map((it) => it.id));
  const isReached = ({ reached }: FileCoverage): boolean =>
    isLoaded ? reached.some((it) => neighbours.has(it)) : reached.includes(id);
  const reaching = coverage.filter(isReached);
  const files = isLoaded && reaching.length === 0 ? coverage : reaching;
  const stem = basename(fileName).split('.')[0] ?? '';
  const isNamesake = ({ file }: FileCoverage): boolean => basename(file).startsWith(stem);
  return files
    .toSorted(
      (one, other) =>
        Number(isNamesake(other)) - Number(isNamesake(one)) ||
        one.milliseconds - other.milliseconds,
    )
    .map(({ file }) => relative(copy, file));
};

/** Whether any of these tests fails with the mutant. */
export const judge = async (mutant: Mutant, files: readonly string[]): Promise<JudgedMutant> => {
  if (files.length === 0) return { ...mutant, status: 'Survived' };
  const variables = { [activeMutantVariable]: mutant.id, TEST_FILES: files.join() };
  return { ...mutant, status: await runTests(variables) };
};
