// `npm run deploy`: deploys the stage in LEDGER_STAGE and checks that it serves requests. Passes
// unknown arguments to `cdk deploy`. Exits with 1 if any step failed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { Command } from 'commander';
import { allAtOnceVariable, deployedTemplateVariable } from '../../manifest/deployed-variables.ts';
import { stackNameOf } from '../../manifest/names.ts';
import { type DeployedStage, deployedStages } from '../../manifest/stages.ts';
import { defineChange } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { explain } from '../explain.ts';
import { optional, reason } from '../options.ts';
import { runCommand } from '../run-command.ts';
import type { DeployedStacks } from '../stage/deployed-stacks.ts';
import { openDeployedStage } from '../stage/deployed-stage.ts';
import { checkRollBack } from './moved-aliases.ts';
import {
  changesFormat,
  checkConcurrency,
  checkFormat,
  checkServingTable,
  checkTableChange,
} from './preflight.ts';
import { type Proof, stepsOf } from './proof.ts';
import { countRemovedMethods, deployGateway } from './removed-routes.ts';
import { checkRequirements } from './requirements.ts';

/** The folder of the synthesized templates, which the preflight reads. */
const assembly = 'cdk.out';

/** The options of this command. Everything else goes to CDK. */
const program = new Command('npm run deploy --')
  .description('Deploys the stage in LEDGER_STAGE and checks that it serves requests.')
  .usage('[options] [arguments for cdk deploy]')
  .option('--base-url <url>', "the API's address for the smoke test")
  .option('--all-at-once <reason>', 'start new versions with all calls; recorded in the audit log')
  .option('--app <command>', 'replaces the app of cdk.json')
  .option('--to-table <name>', 'the new table, if the functions change to another one')
  .option('--without-alarm-email', 'deploy production although nobody gets its alarms')
  .option('--without-smoke-test', 'for a machine that cannot reach the API')
  .allowUnknownOption()
  .allowExcessArguments()
  .parse();
const { app, ...options } = program.opts<{
  app?: string;
  baseUrl?: string;
  allAtOnce?: string;
  toTable?: string;
  withoutAlarmEmail?: true;
  withoutSmokeTest?: true;
}>();

const runCdk = async (args: readonly string[]): Promise<void> => {
  const child = spawn('cdk', args, { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new CommandFailure(`cdk ${args[0]} exited with ${code}: see above`);
};

/** The audit log records a deployment only if its new versions must start with all calls. */
const deployStacks = defineChange({
  needs: [],
  options: { allAtOnce: optional(reason) },
  change: {
    happens: ({ allAtOnce }) => allAtOnce !== undefined,
    checksTable: true,
    after: [],
  },
  run: async () => {
    await runCdk(['deploy', '--all', '--app', assembly, ...program.args]);
    return {};
  },
});

const readReason = async (): Promise<string | undefined> => {
  if (options.allAtOnce === undefined) return undefined;
  const read = await reason.read(options.allAtOnce);
  if (read === undefined) throw new CommandFailure(`--all-at-once must be ${reason.is}`);
  return read;
};

/** Tells the synthesis about the deployed service, and returns its template. */
const describeDeployed = async (
  stacks: DeployedStacks | undefined,
  { allAtOnce }: { allAtOnce: boolean },
): Promise<string | undefined> => {
  const template = await stacks?.findTemplate();
  if (template === undefined) return undefined;
  await mkdir(assembly, { recursive: true });
  const file = resolve(assembly, 'deployed.json');
  await writeFile(file, template);
  process.env[deployedTemplateVariable] = file;
  process.env[allAtOnceVariable] = String(allAtOnce);
  return template;
};

const readPlanned = ({ name }: DeployedStage, stack: 'data' | 'service'): Promise<string> =>
  readFile(join(assembly, `${stackNameOf(name, stack)}.template.json`), 'utf8');

const findStage = (name = ''): DeployedStage => {
  const stage = deployedStages.find((it) => it.name === name);
  if (stage) return stage;
  const names = deployedStages.map((it) => it.name).join(' or ');
  throw new CommandFailure(`set LEDGER_STAGE to ${names}`);
};

/** Runs every step and prints its result. @throws CommandFailure if any step failed */
const prove = async (proof: Proof): Promise<void> => {
  const failed: string[] = [];
  for (const { name, run } of stepsOf(proof)) {
    try {
      console.log(`deploy: ${name}: ${await run()}`);
    } catch (error) {
      failed.push(name);
      console.error(`deploy: ${name} FAILED: ${explain(error, proof.stage.name)}`);
    }
  }
  if (failed.length === 0) return;
  throw new CommandFailure(
    `the stage is deployed, but these checks failed: ${failed.join(', ')}. Nothing was rolled ` +
      'back. Fix the cause and deploy again, or run ops rollback',
  );
};

const deploy = async (stage: DeployedStage): Promise<void> => {
  checkRequirements(stage, {
    hasTerminal: process.stdin.isTTY === true,
    args: program.args,
    withoutAlarmEmail: options.withoutAlarmEmail === true,
  });
  const gateway = new APIGatewayClient();
  const { open, close } = openDeployedStage(stage.name);
  try {
    const dependencies = await open();
    const appArguments = app === undefined ? [] : ['--app', app];
    const allAtOnce = await readReason();
    await dependencies.deployedStacks?.assertNotUpdating();
    await checkTableChange(dependencies, options);
    await checkRollBack(dependencies, { allAtOnce });
    const earlier = await describeDeployed(dependencies.deployedStacks, {
      allAtOnce: allAtOnce !== undefined || (await changesFormat(dependencies)),
    });
    await runCdk(['synth', '--quiet', '--output', assembly, ...appArguments]);
    await checkConcurrency(stage);
    await checkServingTable(stage.deployment, {
      stageTable: dependencies.stageTable,
      plannedTemplate: await readPlanned(stage, 'data'),
    });
    await checkFormat(dependencies);
    const warn = (sentence: string): void => console.error(`deploy: ${sentence}`);
    const call = { words: 'deploy', command: deployStacks, options: { allAtOnce } };
    await runCommand(call, dependencies, { stage: stage.name, warn });
    await prove({
      stage,
      dependencies,
      removedMethods: countRemovedMethods(earlier, await readPlanned(stage, 'service')),
      deployGateway: () => deployGateway(gateway, stage.name),
      ...options,
      warn,
    });
  } finally {
    close();
    gateway.destroy();
  }
};

const name = process.env.LEDGER_STAGE;
try {
  await deploy(findStage(name));
} catch (error) {
  process.exitCode = 1;
  console.error(`deploy: ${explain(error, name || 'the stage')}`);
}
