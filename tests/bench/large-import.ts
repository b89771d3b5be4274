// `npm run bench:import`: imports a company with 10,000 accounts and 100,000 journals per platform
// through `npm start`, then twelve companies concurrently. Saves the results in this folder.
//
// `-- --platform b` (repeatable) and `-- --at-once` measure one part and replace its results.
// `-- --journals 5000` stops the large imports early, prints the results and saves nothing.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { type ImportResults, importsMarkdownOf } from './import-report.ts';
import { measureConcurrentImports } from './measure-concurrent-imports.ts';
import { measureLargeImport } from './measure-large-import.ts';
import { machineNow, textOfResults } from './results.ts';

const startedAt = performance.now();
const report = (line: string): void => {
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`${seconds.toFixed(0).padStart(5)} s  ${line}`);
};

const fileOf = (name: string): string => join(import.meta.dirname, name);

const readSaved = async (): Promise<ImportResults> => {
  try {
    return JSON.parse(await readFile(fileOf('imports.json'), 'utf8'));
  } catch {
    return { large: {} };
  }
};

/** Called after each part: the next one can take half an hour, or fail. */
const save = async (results: ImportResults): Promise<void> => {
  await writeFile(fileOf('imports.json'), textOfResults(results));
  await writeFile(fileOf('imports.md'), importsMarkdownOf(results));
  report('saved in tests/bench/imports.json and imports.md');
};

const { values } = parseArgs({
  options: {
    platform: { type: 'string', multiple: true },
    journals: { type: 'string' },
    'at-once': { type: 'boolean', default: false },
  },
});
const slotOf = (word: string): Slot => {
  const slot = slotNames.find((name) => name === word || name.endsWith(`_${word}`));
  if (slot === undefined) throw new Error(`--platform must be a, b or c, not ${word}`);
  return slot;
};
const journals = values.journals === undefined ? undefined : Number(values.journals);
if (journals !== undefined && !(journals > 0)) throw new Error('--journals must be above 0');
const isEverything = values.platform === undefined && !values['at-once'];
const slots = isEverything ? slotNames : (values.platform ?? []).map(slotOf);

const results = await readSaved();
const machine = machineNow();
let failures = 0;

/** Measures a part. If it fails, for example for lack of memory, the other parts still run. */
const attempt = async (title: string, measure: () => Promise<void>): Promise<void> => {
  try {
    await measure();
  } catch (error) {
    failures += 1;
    report(`measuring ${title} failed: ${error instanceof Error ? error.stack : error}`);
  }
};

for (const slot of slots) {
  await attempt(slot, async () => {
    const result = { ...(await measureLargeImport({ slot, journals }, report)), machine };
    console.log(`\n${importsMarkdownOf({ large: { [slot]: result } })}`);
    if (!result.isWhole) return;
    if (result.status !== 'complete') throw new Error(`the import failed: ${result.reason}`);
    results.large[slot] = result;
    await save(results);
  });
}
if (isEverything || values['at-once']) {
  await attempt('concurrent imports', async () => {
    const result = { ...(await measureConcurrentImports(report)), machine };
    console.log(`\n${importsMarkdownOf({ large: {}, atOnce: result })}`);
    const isWhole = result.small.every(({ beside }) => beside?.status === 'complete');
    if (!isWhole) throw new Error('a small import did not complete');
    results.atOnce = result;
    await save(results);
  });
}
process.exitCode = failures === 0 ? 0 : 1;
