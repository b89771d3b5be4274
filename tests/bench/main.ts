// `npm run bench`: measures every part and saves the results in this folder. `-- --only reports`
// (repeatable) measures one part, and `-- --only one-client` one row, which is not saved. `--quick`
// takes few samples and saves nothing. `-- --only rows --against ../other` compares this checkout
// with another. `-- --only one-client --profile` prints what the service's processor does. `npm run
// bench:import` measures large imports.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { jsonOf, machineNow, markdownOf, parts, type Results } from './report.ts';
import { rows as allRows } from './rows/rows.ts';

type Message = { progress: string } | { rows: object[] };

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    against: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
});
/** A run of the large imports takes an hour. */
const usualParts = Object.keys(parts).filter((name) => name !== 'imports');
const { quick, against, profile, only: given = usualParts } = values;
const chosenRows = given.filter((name) => name in allRows);
const only = [...new Set(given.map((name) => (name in allRows ? 'rows' : name)))];
const names = [...Object.keys(parts), ...Object.keys(allRows)];
if (only.some((name) => !(name in parts))) throw new Error(`--only is one of ${names.join(', ')}`);
/** A run that measures less than a whole part, or another thing. */
const isSaved = !quick && !profile && chosenRows.length === 0;

/** In the process of a part: measures it and sends the rows to the parent. */
const measureHere = async (send: (message: Message) => unknown): Promise<void> => {
  for (const name of only) {
    const report = (progress: string) => void send({ progress });
    const rows = await parts[name]?.measure({ quick, report, rows: chosenRows, against, profile });
    send({ rows: rows ?? [] });
  }
  process.disconnect();
};

/**
 * Measures a part in its own process, with a new engine: an engine gets slower with the transaction
 * tokens that it stores. Functions write logs and metrics to standard output, which is discarded.
 */
const measurePart = async (name: string, report: (line: string) => void): Promise<object[]> => {
  const ofPart = name === 'rows' && chosenRows.length > 0 ? chosenRows : [name];
  const options = [
    ...ofPart.flatMap((it) => ['--only', it]),
    ...(quick ? ['--quick'] : []),
    ...(profile ? ['--profile'] : []),
    ...(against === undefined ? [] : ['--against', against]),
  ];
  const child = fork(fileURLToPath(import.meta.url), options, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let rows: object[] | undefined;
  child.on('message', (message: Message) => {
    if ('progress' in message) report(message.progress);
    else rows = message.rows;
  });
  await once(child, 'exit');
  if (rows === undefined) throw new Error(`${name} ended without a result`);
  return rows;
};

const fileOf = (name: string) => join(import.meta.dirname, name);

const measureAll = async (): Promise<void> => {
  const startedAt = performance.now();
  const secondsNow = (): number => (performance.now() - startedAt) / 1_000;
  const saved: Results = JSON.parse(await readFile(fileOf('results.json'), 'utf8'));
  const results: Results = { machine: machineNow(), parts: isSaved ? saved.parts : {} };
  for (const name of only) {
    const rows = await measurePart(name, (line) =>
      console.log(`${secondsNow().toFixed(0).padStart(4)} s  ${name}: ${line}`),
    );
    const date = new Date().toISOString().slice(0, 10);
    results.parts[name] = { date, rows };
  }
  const text = jsonOf(results);
  // The rounded results, so that both files agree.
  const markdown = markdownOf(JSON.parse(text));
  console.log(`\n${markdown}`);
  if (!isSaved) return;
  await writeFile(fileOf('results.json'), text);
  await writeFile(fileOf('results.md'), markdown);
};

await (process.send ? measureHere(process.send.bind(process)) : measureAll());
