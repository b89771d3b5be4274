// `npm run mutate`: changes rules, stores and table code at one place at a time and counts how
// often the tests of the changed file fail. Arguments are files and folders to change instead.

import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Mutant, mutate } from './stryker.ts';
import { rulesAndStores, sourcesIn, testsOf } from './tests-of.ts';

const { values: settings, positionals } = parseArgs({
  options: { out: { type: 'string' } },
  allowPositionals: true,
});

type Counts = { mutants: number; killed: number; survived: number; timedOut: number };

const countsOf = (mutants: readonly Mutant[]): Counts => {
  const count = (status: string) => mutants.filter((mutant) => mutant.status === status).length;
  return {
    mutants: mutants.length,
    killed: count('Killed'),
    survived: count('Survived'),
    timedOut: count('Timeout'),
  };
};

/** The share that was found out, in percent. What never ends was found out, too. */
const scoreOf = ({ killed, timedOut, mutants }: Counts): number =>
  Math.round((10_000 * (killed + timedOut)) / Math.max(mutants, 1)) / 100;

const describe = (source: string, { location, mutatorName, replacement }: Mutant): string => {
  const { line, column } = location.start;
  return `${source}:${line}:${column} ${mutatorName} ${replacement?.replace(/\s+/g, ' ')}`;
};

const printRow = (name: string, cells: readonly (string | number)[]): void =>
  console.log(name.padEnd(40) + cells.map((cell) => String(cell).padStart(10)).join(''));

const sources = (positionals.length > 0 ? positionals : rulesAndStores).flatMap(sourcesIn);
const plan = sources.map((source) => ({ source, tests: testsOf(source) }));

const all: Mutant[] = [];
const files: Record<string, object> = {};
printRow('file', ['mutants', 'killed', 'survived', 'timed out', 'score', 'seconds']);
for (const { source, tests } of plan) {
  const began = Date.now();
  const mutants = await mutate(source, tests).catch((error: unknown) => {
    console.error(`${source} could not be judged: ${error}`);
    process.exitCode = 1;
    return [];
  });
  if (mutants.length === 0) continue;
  const seconds = Math.round((Date.now() - began) / 1000);
  const counts = countsOf(mutants);
  printRow(source, [...Object.values(counts), scoreOf(counts).toFixed(2), seconds]);
  const listed = (status: string) =>
    mutants.filter((mutant) => mutant.status === status).map((mutant) => describe(source, mutant));
  const lists = { survivors: listed('Survived'), timeouts: listed('Timeout') };
  files[source] = { ...counts, score: scoreOf(counts), seconds, tests, ...lists };
  all.push(...mutants);
  const totals = { ...countsOf(all), score: scoreOf(countsOf(all)) };
  if (settings.out) await writeFile(settings.out, JSON.stringify({ totals, files }, null, 2));
}
printRow('all', [...Object.values(countsOf(all)), scoreOf(countsOf(all)).toFixed(2)]);
