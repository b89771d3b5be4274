// `npm run mutate -- shared/table --sample 50`: changes source files at one place at a time and
// counts how often a test fails. Arguments are the files and folders to change, by default all of
// shared/. Without --sample it tries every mutant.

import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { instrument, sampleOf } from './mutants.ts';
import { copyProject, type JudgedMutant, judge, recordCoverage, testFilesOf } from './test-runs.ts';

const { values: settings, positionals } = parseArgs({
  options: {
    out: { type: 'string' },
    sample: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});

const sourcesIn = (path: string): string[] => {
  const found = globSync([join(path), join(path, '**')]);
  const sources = found.filter((name) => name.endsWith('.ts')).sort();
  if (sources.length === 0) throw new Error(`There is no source file in ${path}.`);
  return sources;
};

/** The share of killed mutants in percent. A mutant that never ends counts as killed. */
const summaryOf = (mutants: readonly JudgedMutant[]) => {
  const count = (status: string) => mutants.filter((it) => it.status === status).length;
  const survived = count('Survived');
  return {
    mutants: mutants.length,
    killed: count('Killed'),
    survived,
    timedOut: count('Timeout'),
    score: `${((100 * (mutants.length - survived)) / Math.max(mutants.length, 1)).toFixed(1)} %`,
  };
};

const describe = (mutant: JudgedMutant): string => {
  const { fileName, location, mutatorName, replacement } = mutant;
  const { line, column } = location.start;
  const change = `${mutatorName} ${replacement.replace(/\s+/g, ' ')}`;
  return `${fileName}:${line + 1}:${column + 1} ${change}`;
};

const sources = (positionals.length > 0 ? positionals : ['shared']).flatMap(sourcesIn);
const { files, mutants } = await instrument(sources);
const sample = sampleOf(mutants, { count: Number(settings.sample), seed: Number(settings.seed) });
console.log(`${sample.length} of ${mutants.length} mutants in ${files.length} files`);
copyProject(files);
const coverage = await recordCoverage();

const judged: JudgedMutant[] = [];
for (const mutant of sample) {
  const startedAt = Date.now();
  const mutantResult = await judge(mutant, testFilesOf(mutant, { coverage, all: mutants }));
  judged.push(mutantResult);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(
    `${mutantResult.status.padEnd(9)}${`${seconds} s`.padEnd(7)}${describe(mutantResult)}`,
  );
}

const byFolder = Map.groupBy(judged, ({ fileName }) => dirname(fileName));
const results = Object.fromEntries(
  [...byFolder, ['all', judged] as const].map(([name, its]) => [name, summaryOf(its)]),
);
console.table(results);
if (settings.out) await writeFile(settings.out, JSON.stringify({ results, judged }, null, 2));
