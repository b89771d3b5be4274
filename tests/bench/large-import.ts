// `npm run bench:import`: imports a company of 10,000 accounts and 100,000 journals per platform
// through `npm start`, and twelve companies at once. The results are kept beside this file.
//
// `-- --platform b` (again for another), `-- --at-once` measure a part, and its results take the
// place of that part's last ones; `-- --journals 5000` stops the large imports early, shows what
// they took until then and keeps nothing of it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { type ImportResults, importsMarkdownOf } from './import-report.ts';
import { measureImportsAtOnce } from './measure-imports-at-once.ts';
import { measureLargeImport } from './measure-large-import.ts';
import { machineNow, textOfResults } from './results.ts';

const startedAt = performance.now();
const report = (line: string): void => {
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`${seconds.toFixed(0).padStart(5)} s  ${line}`);
};

const fileOf = (name: string): string => join(import.meta.dirname, name);

const readKept = async (): Promise<ImportResults> => {
  try {
    return JSON.parse(await readFile(fileOf('imports.json'), 'utf8'));
  } catch {
    return { large: {} };
  }
};

/** Kept after each part: the next one may take half an hour, or fail. */
const keep = async (results: ImportResults): Promise<void> => {
  await writeFile(fileOf('imports.json'), textOfResults(results));
  await writeFile(fileOf('imports.md'), importsMarkdownOf(results));
  report('kept in tests/bench/imports.json and imports.md');
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
  if (slot === undefined) throw new Error(`--platform is ${word}; it is one of a, b, c`);
  return slot;
};
const journals = values.journals === undefined ? undefined : Number(values.journals);
if (journals !== undefined && !(journals > 0)) throw new Error('--journals is a number above 0');
const isEverything = values.platform === undefined && !values['at-once'];
const slots = isEverything ? slotNames : (values.platform ?? []).map(slotOf);

const results = await readKept();
const machine = machineNow();
let failures = 0;

/** A part that fails, as when the service runs out of memory, leaves the others to be measured. */
const attempt = async (title: string, measure: () => Promise<void>): Promise<void> => {
  try {
    await measure();
  } catch (error) {
    failures += 1;
    report(`${title} could not be measured: ${error instanceof Error ? error.stack : error}`);
  }
};

for (const slot of slots) {
  await attempt(slot, async () => {
    const measured = { ...(await measureLargeImport({ slot, journals }, report)), machine };
    console.log(`\n${importsMarkdownOf({ large: { [slot]: measured } })}`);
    if (!measured.isWhole) return;
    if (measured.status !== 'complete') throw new Error(`ended as ${measured.reason}`);
    results.large[slot] = measured;
    await keep(results);
  });
}
if (isEverything || values['at-once']) {
  await attempt('twelve at once', async () => {
    const measured = { ...(await measureImportsAtOnce(report)), machine };
    console.log(`\n${importsMarkdownOf({ large: {}, atOnce: measured })}`);
    const isWhole = measured.small.every(({ beside }) => beside?.status === 'complete');
    if (!isWhole) throw new Error('a small import did not complete');
    results.atOnce = measured;
    await keep(results);
  });
}
process.exitCode = failures === 0 ? 0 : 1;
