// `npm run test:emulator`: deploys each stage onto LocalStack as an operator does, and walks
// through all that the deployment promises. Ends with 1 where something is not so, and with 3 where
// something is missing on this machine.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from './emulator.ts';
import type { Stoppable } from './localstack.ts';
import { openReport, type Report } from './report.ts';
import { cacheFolder, MissingPrerequisite, prepareTools } from './tools.ts';
import { walk } from './walk/walk.ts';

const runFolder = join(cacheFolder, 'run');
/** `EMULATOR_STAGE` names one of them. */
const walkedStages = (['development', 'production'] as const).filter((stage) =>
  [undefined, stage].includes(process.env.EMULATOR_STAGE as typeof stage | undefined),
);
const exitStatus = { failed: 1, prerequisiteMissing: 3, interrupted: 130 };

/** Started parts. They stop in reverse order. */
const started: Stoppable[] = [];

const stopAll = async (): Promise<void> => {
  for (const { stop } of started.splice(0).reverse()) await stop();
};

const run = async (report: Report): Promise<void> => {
  rmSync(runFolder, { recursive: true, force: true });
  report.heading('Getting ready');
  const tools = await report.step('tools are here', async () => prepareTools());
  for (const stage of walkedStages) {
    const folder = join(runFolder, stage);
    mkdirSync(folder, { recursive: true });
    const emulator = await report.step('LocalStack and DynamoDB Local serve', () =>
      startEmulator(tools, { stage, folder, keep: (part) => started.push(part) }),
    );
    await walk(emulator, report);
    report.heading('Ending');
    await report.step('everything is stopped', stopAll);
  }
};

process.on('exit', () => {
  for (const { kill } of started) kill?.();
});
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    console.error('\nInterrupted: stopping all parts.');
    process.exit(exitStatus.interrupted);
  });
}

const report = openReport();
try {
  await run(report);
  process.exitCode = report.failures().length > 0 ? exitStatus.failed : 0;
} catch (error) {
  if (!report.failures().some(({ failure }) => failure === error)) console.error(error);
  const isMissing = error instanceof MissingPrerequisite;
  process.exitCode = isMissing ? exitStatus.prerequisiteMissing : exitStatus.failed;
  await stopAll();
}
report.heading(report.summary().join('\n'));
if (process.exitCode !== 0) console.log(`The logs are in ${runFolder}.`);
