// `npm run mutate`: changes rules, stores and table code at one place at a time and counts how
// often a test fails that imports the file. Arguments are files and folders to change instead.

import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutant, mutate } from './stryker.ts';

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

/** The share of killed mutants in percent. A mutant that never ends counts as killed. */
const scoreOf = ({ killed, timedOut, mutants }: Counts): number =>
  Math.round((10_000 * (killed + timedOut)) / Math.max(mutants, 1)) / 100;

const describe = (source: string, { location, mutatorName, replacement }: Mutant): string => {
  const { line, column } = location.start;
  return `${source}:${line}:${column} ${mutatorName} ${replacement?.replace(/\s+/g, ' ')}`;
};

const printRow = (name: string, cells: readonly (string | number)[]): void =>
  console.log(name.padEnd(40) + cells.map((cell) => String(cell).padStart(10)).join(''));

/** The rules and stores in a file or folder. Tests of functions cover views and services. */
const sourcesIn = (path: string): string[] => {
  const found = globSync([join(path), join(path, '**')]);
  const sources = found.filter((name) => /(?<!\.(view|service))\.ts$/.test(name)).sort();
  if (sources.length === 0) throw new Error(`There is no source file in ${path}.`);
  return sources;
};

const sources = (positionals.length > 0 ? positionals : ['shared']).flatMap(sourcesIn);

const all: Mutant[] = [];
const files: Record<string, object> = {};
printRow('file', ['mutants', 'killed', 'survived', 'timed out', 'score', 'seconds']);
for (const source of sources) {
  const began = Date.now();
  const mutants = await mutate(source).catch((error: unknown) => {
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
  files[source] = { ...counts, score: scoreOf(counts), seconds, ...lists };
  all.push(...mutants);
  const totals = { ...countsOf(all), score: scoreOf(countsOf(all)) };
  if (settings.out) await writeFile(settings.out, JSON.stringify({ totals, files }, null, 2));
}
printRow('all', [...Object.values(countsOf(all)), scoreOf(countsOf(all)).toFixed(2)]);
