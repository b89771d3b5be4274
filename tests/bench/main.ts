// `npm run bench`: measures every part and saves the results in this folder. `-- --only reports`
// (repeatable) measures one part. `-- --quick` takes few samples and saves nothing. `npm run
// bench:import` measures large imports.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { jsonOf, machineNow, markdownOf, parts, type Results } from './report.ts';

type Message = { progress: string } | { rows: object[] };

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
  },
});
/** A run of the large imports takes an hour. */
const usualParts = Object.keys(parts).filter((name) => name !== 'imports');
const { quick, only = usualParts } = values;
const unknown = only.filter((name) => !(name in parts));
if (unknown.length > 0) throw new Error(`--only must be one of ${Object.keys(parts).join(', ')}`);

/** In the process of a part: measures it and sends the rows to the parent. */
const measureHere = async (send: (message: Message) => unknown): Promise<void> => {
  for (const name of only) {
    const report = (progress: string) => void send({ progress });
    const rows = await parts[name]?.measure({ quick, report });
    send({ rows: rows ?? [] });
  }
  process.disconnect();
};

/**
 * Measures a part in its own process, with a new engine: an engine gets slower with the transaction
 * tokens that it stores. Functions write logs and metrics to standard output, which is discarded.
 */
const measurePart = async (name: string, report: (line: string) => void): Promise<object[]> => {
  const options = ['--only', name, ...(quick ? ['--quick'] : [])];
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
  const results: Results = { machine: machineNow(), parts: quick ? {} : saved.parts };
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
  if (quick) return;
  await writeFile(fileOf('results.json'), text);
  await writeFile(fileOf('results.md'), markdown);
};

await (process.send ? measureHere(process.send.bind(process)) : measureAll());
