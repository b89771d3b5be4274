// `npm run test:emulator`: deploys a stage onto LocalStack as an operator does, and walks through all
// that the deployment promises. Ends with 1 where something is not so, and with 3 where something
// is missing on this machine.

import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stages } from '#infra/stages.ts';
import { startDynamoDBLocal } from '../dynamodb-local/engine.ts';
import { findPorts } from '../support/processes/service.ts';
import { sandboxClients } from '../support/servers/sandbox.ts';
import { openAws } from './aws.ts';
import { startAwsCalls } from './aws-calls.ts';
import { openCommands } from './commands.ts';
import { startLambdaHost } from './lambda-host.ts';
import { startLocalStack } from './localstack.ts';
import { openReport, type Report } from './report.ts';
import { cacheFolder, MissingPrerequisite, prepareTools, type Tools } from './tools.ts';
import { walk } from './walk/walk.ts';
import { startWorldOutside } from './world-outside.ts';

const stage = 'development';
const region = 'us-east-1';
const runFolder = join(cacheFolder, 'run');
const exitStatus = { failed: 1, prerequisiteMissing: 3, interrupted: 130 };

/** What was started, to be stopped in the opposite order; `kill` is for an end that cannot wait. */
const started: { stop: () => Promise<void>; kill?: () => void }[] = [];
const keep = <Part extends (typeof started)[number]>(part: Part): Part => {
  started.push(part);
  return part;
};

const startEmulator = async ({ python, runtimeClient }: Tools) => {
  const settings = stages[stage];
  const outside = keep(await startWorldOutside({ settings, clients: sandboxClients }));
  const awsCalls = keep(await startAwsCalls());
  const lambdaHost = await startLambdaHost({
    runtimeClient,
    awsUrlOf: awsCalls.urlOf,
    outsideUrl: outside.url,
    logFolder: runFolder,
  });
  keep({ stop: lambdaHost.stop, kill: lambdaHost.killAll });
  const dynamoDB = keep(await startDynamoDBLocal());
  const localStack = keep(
    await startLocalStack({
      python,
      port: await findPorts(),
      dynamoDBPort: dynamoDB.port,
      lambdaHostUrl: lambdaHost.url,
      folder: runFolder,
    }),
  );
  const { endpoint } = localStack;
  awsCalls.leadTo(endpoint);
  const commands = openCommands({ stage, endpoint, region, folder: runFolder });
  keep({ stop: async () => commands.killAll(), kill: commands.killAll });
  const aws = openAws({ endpoint, region });
  return { stage, settings, region, outside, awsCalls, lambdaHost, localStack, commands, aws };
};

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;

const stopAll = async (): Promise<void> => {
  for (const { stop } of started.splice(0).reverse()) await stop();
};

const run = async (report: Report): Promise<number> => {
  rmSync(runFolder, { recursive: true, force: true });
  mkdirSync(runFolder, { recursive: true });
  report.heading('Getting ready');
  const tools = await report.step('tools are here', async () => prepareTools());
  const emulator = await report.step('LocalStack and DynamoDB Local serve', () =>
    startEmulator(tools),
  );
  await walk(emulator, report);
  await report.step('everything is stopped', stopAll);
  return report.failures().length > 0 ? exitStatus.failed : 0;
};

process.env.EMULATOR_RUN = randomUUID();
process.on('exit', () => {
  for (const { kill } of started) kill?.();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    console.error('\nInterrupted: stopping what was started.');
    process.exit(exitStatus.interrupted);
  });
}

const report = openReport();
process.exitCode = await run(report).catch(async (error: unknown) => {
  await stopAll();
  if (error instanceof MissingPrerequisite) return exitStatus.prerequisiteMissing;
  if (report.failures().length === 0) console.error(error);
  return exitStatus.failed;
});
console.log(`\n${report.summary().join('\n')}`);
if (process.exitCode !== 0) console.log(`What was logged is in ${runFolder}.`);
