// `npm run deploy`: deploys the stage that LEDGER_STAGE names, and proves that it serves. What is
// not of this command goes to `cdk deploy` as it is. Ends with 1 where anything failed, in words.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { stackNameOf } from '../names.ts';
import { type DeployedStage, deployedStages } from '../stages.ts';
import { openDeployedStacks } from './deployed-stacks.ts';
import {
  checkCallbackAddress,
  checkConcurrency,
  checkFormat,
  checkServingTable,
} from './deployment/preflight.ts';
import { type Proof, stepsOf } from './deployment/proof.ts';
import { CommandFailure } from './errors.ts';
import { explain } from './explain.ts';
import { openDeployedStage } from './stage.ts';

/** Where the templates are made, to be looked at before they are deployed. */
const assembly = 'cdk.out';

const ownOptions = {
  'base-url': { type: 'string' },
  'accept-new-callback-address': { type: 'boolean' },
  // Another app than that of cdk.json.
  app: { type: 'string' },
  // Where the API is not reached from here: `ops smoke` is then run from where it is.
  'without-smoke-test': { type: 'boolean' },
} as const;

/** The options of this command, and the words that are for CDK. */
const readArguments = (args: string[]) => {
  const { values, tokens } = parseArgs({ args, options: ownOptions, strict: false, tokens: true });
  const own = new Set(
    tokens.flatMap((token) => {
      if (token.kind !== 'option' || !(token.name in ownOptions)) return [];
      const takesNext = token.value !== undefined && !token.inlineValue;
      return takesNext ? [token.index, token.index + 1] : [token.index];
    }),
  );
  const textOf = (name: 'app' | 'base-url'): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    app: textOf('app'),
    baseUrl: textOf('base-url'),
    acceptsNewCallbackAddress: values['accept-new-callback-address'] === true,
    leavesOutSmokeTest: values['without-smoke-test'] === true,
    cdkWords: args.filter((_, index) => !own.has(index)),
  };
};

const runCdk = async (words: readonly string[]): Promise<void> => {
  const child = spawn('cdk', words, { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new CommandFailure(`cdk ${words[0]} ended with ${code}: see above`);
};

/** The template that is about to be deployed. */
const readPlanned = ({ name }: DeployedStage, stack: 'data' | 'service'): Promise<string> =>
  readFile(join(assembly, `${stackNameOf(name, stack)}.template.json`), 'utf8');

const findStage = (name = ''): DeployedStage => {
  const stage = deployedStages.find((it) => it.name === name);
  if (stage) return stage;
  const names = deployedStages.map((it) => it.name).join(' or ');
  throw new CommandFailure(`say which stage: set LEDGER_STAGE to ${names}`);
};

/** Runs every step, and says of each what came of it. */
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
    `the stage is deployed, and does not serve as it should: ${failed.join(', ')}. Nothing was ` +
      'rolled back; put it right and deploy again, or deploy the commit before',
  );
};

const deploy = async (stage: DeployedStage, args: string[]): Promise<void> => {
  const { cdkWords, app, ...wishes } = readArguments(args);
  const client = new CloudFormationClient();
  const stacks = openDeployedStacks(client, stage.name);
  const { dependencies, close } = openDeployedStage(stage.name);
  try {
    const appWords = app === undefined ? [] : ['--app', app];
    await runCdk(['synth', '--all', '--quiet', '--output', assembly, ...appWords]);
    await checkConcurrency(stage);
    await checkServingTable(stage.deployment, {
      stageTable: dependencies.stageTable,
      plannedTemplate: await readPlanned(stage, 'data'),
    });
    await checkFormat(dependencies);
    if (!wishes.acceptsNewCallbackAddress) {
      const plannedTemplate = await readPlanned(stage, 'service');
      await checkCallbackAddress(stage, { dependencies, stacks, plannedTemplate });
    }
    await runCdk(['deploy', '--all', '--app', assembly, ...cdkWords]);
    const warn = (sentence: string): void => console.error(`deploy: ${sentence}`);
    await prove({ stage, dependencies, stacks, ...wishes, warn });
  } finally {
    close();
    client.destroy();
  }
};

const name = process.env.LEDGER_STAGE;
try {
  await deploy(findStage(name), process.argv.slice(2));
} catch (error) {
  process.exitCode = 1;
  console.error(`deploy: ${explain(error, name || 'the stage')}`);
}
