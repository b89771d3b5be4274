// `npm run bench`: measures the overhead of each operation over its bare calls to the table, the
// throughput over HTTP, the effect of one application's load on another, slowdown as data grows,
// and start times. Saves the results in this folder. `-- --quick` takes few samples and saves
// nothing. `-- --reports`, `-- --batches` and `-- --neighbours` replace one part of the results.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleAll } from '#infra/aws/bundles.ts';
import { type ImportTime, measureImports } from '#infra/aws/sizes.ts';
import { makeDataFolder } from '../support/processes/service.ts';
import { startBenchService } from './bench-service.ts';
import { startBenchEnvironment } from './environment.ts';
import { measureBatches } from './measure-batches.ts';
import { measureFairness } from './measure-fairness.ts';
import type { GrowthResults } from './measure-growth.ts';
import { measureLongRun } from './measure-long-run.ts';
import { measureNeighbours } from './measure-neighbours.ts';
import type { OperationResult } from './measure-operations.ts';
import type { ThroughputResults } from './measure-throughput.ts';
import { markdownOf, terminalTextOf } from './report.ts';
import { measureReportsOfService } from './report-service.ts';
import { machineNow, type Results, textOfResults } from './results.ts';
import { runStep } from './step.ts';

const startedAt = performance.now();
const secondsSinceStart = (): number => (performance.now() - startedAt) / 1000;
const report = (line: string): void => {
  console.log(`${secondsSinceStart().toFixed(0).padStart(4)} s  ${line}`);
};

/** Each step starts a new engine: an engine gets slower with the transaction tokens it stores. */
const measureStep = async <Result>(
  name: 'operations' | 'growth',
  quick: boolean,
): Promise<Result> => {
  report(`measuring ${name}`);
  const { stop, ...benchEnvironment } = await startBenchEnvironment();
  try {
    return await runStep<Result>({ name, quick, benchEnvironment }, report);
  } finally {
    await stop();
  }
};

const measureOverHttp = async (quick: boolean): Promise<ThroughputResults> => {
  report('measuring throughput');
  const { stop, ...benchEnvironment } = await startBenchEnvironment();
  const service = await startBenchService(benchEnvironment);
  const environment = { ...benchEnvironment.environment, LEDGER_BASE_URL: service.baseUrl };
  try {
    return await runStep<ThroughputResults>(
      { name: 'throughput', quick, benchEnvironment: { ...benchEnvironment, environment } },
      report,
    );
  } finally {
    await service.stop();
    await stop();
  }
};

const measureStarts = async (): Promise<ImportTime[]> => {
  report('measuring the import of each bundle');
  const folder = await makeDataFolder();
  try {
    return await measureImports(await bundleAll(folder.path), folder.path);
  } finally {
    await folder.remove();
  }
};

const fileOf = (name: string) => join(import.meta.dirname, name);

const save = async (results: Results): Promise<void> => {
  const text = textOfResults(results);
  await writeFile(fileOf('results.json'), text);
  // The rounded results, so that both files agree.
  await writeFile(fileOf('results.md'), markdownOf(JSON.parse(text)));
  report('saved in tests/bench/results.json and results.md');
};

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    reports: { type: 'boolean', default: false },
    batches: { type: 'boolean', default: false },
    neighbours: { type: 'boolean', default: false },
  },
});
const { quick } = values;
const batchSeconds = quick ? 3 : 15;
const neighbourSeconds = quick ? 5 : 60;
if (values.reports || values.batches || values.neighbours) {
  const parts = {
    ...(values.reports && { reports: await measureReportsOfService(quick, report) }),
    ...(values.batches && { batches: await measureBatches(batchSeconds, report) }),
    ...(values.neighbours && { neighbours: await measureNeighbours(neighbourSeconds, report) }),
  };
  const saved: Results = JSON.parse(await readFile(fileOf('results.json'), 'utf8'));
  if (!quick) await save({ ...saved, ...parts });
  process.exit();
}
const machine = machineNow();
const operations = await measureStep<OperationResult[]>('operations', quick);
const growth = await measureStep<GrowthResults>('growth', quick);
const overHttp = await measureOverHttp(quick);
report("measuring the effect of one application's load on another");
const seconds = quick ? { seconds: 3, idleSeconds: 1 } : { seconds: 15, idleSeconds: 5 };
const fairness = await measureFairness({ postsPerSecond: 80, ...seconds }, report);
report('measuring a long run');
const longRun = await measureLongRun(
  quick
    ? { entries: 2_000, stretch: 200, restSeconds: 0 }
    : { entries: 20_000, stretch: 1_000, restSeconds: 610 },
  report,
);
report('measuring reports');
const reports = await measureReportsOfService(quick, report);
report('measuring batches');
const batches = await measureBatches(batchSeconds, report);
report('measuring the effect of a hostile application on another');
const neighbours = await measureNeighbours(neighbourSeconds, report);
const imports = await measureStarts();
const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  command: quick ? 'npm run bench -- --quick' : 'npm run bench',
  seconds: secondsSinceStart(),
  machine,
  operations,
  growth,
  ...overHttp,
  fairness,
  longRun,
  reports,
  batches,
  neighbours,
  imports,
};
console.log(`\n${terminalTextOf(results)}\n`);
if (!quick) await save(results);
