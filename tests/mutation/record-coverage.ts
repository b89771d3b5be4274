// Records which mutants a test file reaches, if a run asks for it with COVERAGE_FILE.

import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';

/** What Stryker's switches count: the runs of each mutant's place, by its id. */
type Counts = { __stryker__?: { mutantCoverage?: { static: Record<string, number> } } };

/** One line of the coverage file. */
export type FileCoverage = {
  file: string;
  milliseconds: number;
  /** Reached while modules were loaded: by the first test file that needs the module. */
  loaded: string[];
  reached: string[];
};

const coverageFile = process.env.COVERAGE_FILE;

const takeReached = (): string[] => {
  const coverage = (globalThis as Counts).__stryker__?.mutantCoverage;
  if (coverage === undefined) return [];
  const ids = Object.keys(coverage.static);
  coverage.static = {};
  return ids;
};

if (coverageFile) {
  let startedAt = 0;
  let loaded: string[] = [];
  beforeAll(() => {
    startedAt = performance.now();
    loaded = takeReached();
  });
  afterAll(() => {
    const line: FileCoverage = {
      file: expect.getState().testPath ?? '',
      milliseconds: performance.now() - startedAt,
      loaded,
      reached: takeReached(),
    };
    appendFileSync(coverageFile, `${JSON.stringify(line)}\n`);
  });
}
