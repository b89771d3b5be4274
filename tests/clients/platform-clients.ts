// Starts the sandbox as people do, by the start command, and lets the accounting platforms' own
// clients of npm and PyPI loose on it, each as its makers publish it. Zoho publishes none of Books
// for them: its own are for Java and .NET (github.com/zoho, books-java-wrappers).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { secretIdOf } from '#infra/manifest/names.ts';
import type { PlatformClients } from '#shared/platforms/registry.ts';
import { callbackUrl } from '#shared/platforms/slots.ts';
import { installPackages } from '../support/processes/npm-tools.ts';
import {
  hasPython,
  howToGetPython,
  installPythonPackages,
} from '../support/processes/python-tools.ts';
import { makeDataFolder, startService } from '../support/processes/service.ts';
import { type Expectations, expectations } from './expectations.ts';
import { startForwarder } from './forwarder.ts';
import { cacheFolder, type Outcome } from './outcomes.ts';

const nodeClients = {
  'xero-node': '20.0.0',
  'intuit-oauth': '4.2.5',
  'node-quickbooks': '2.0.50',
};

/** The second brings the version of intuit-oauth that it needs. */
const pythonClients = { 'xero-python': '15.2.0', 'python-quickbooks': '0.9.12' };

const clientMilliseconds = 120_000;

type Client = Required<PlatformClients>['platform_a'] & { redirect_uri: string };

/** The input of a program that drives a client, as JSON in its environment. */
export type Task = {
  forwarderPort: number;
  /** What each platform's client is registered with. */
  registered: { xero: Client; quickbooks: Client };
  expected: Expectations;
};

/** A step that the program prints as a line of JSON, with the `problem` if it failed. */
type Step = { step: string; problem?: string };

type Driven = { name: string; version: string; command: string; words: string[] };

const stepIn = (line: string): Step[] => {
  try {
    const step: Partial<Step> = JSON.parse(line);
    return step.step === undefined ? [] : [{ ...step, step: step.step }];
  } catch {
    return [];
  }
};

/** Runs the program to its end. It fails if it prints no step or exits with an error. */
const runProgram = async (
  { command, words }: Driven,
  task: Task,
): Promise<{ steps: Step[]; failure: string | undefined }> => {
  const child = spawn(command, words, {
    // Without a proxy of the machine's, which a client would go to instead of the forwarder.
    env: { PATH: process.env.PATH, NO_PROXY: '*', CLIENT_TASK: JSON.stringify(task), TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: clientMilliseconds,
  });
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  const steps = stdout.split('\n').flatMap(stepIn);
  const isWhole = code === 0 && steps.length > 0;
  return {
    steps,
    failure: isWhole ? undefined : `it ended with ${code ?? signal}\n${stderr}`,
  };
};

const drive = async (driven: Driven, task: Task): Promise<Outcome> => {
  const title = `${driven.name} ${driven.version}`;
  const { steps, failure } = await runProgram(driven, task);
  const worked = steps.filter(({ problem }) => problem === undefined).map(({ step }) => step);
  const problems = steps.flatMap(({ step, problem }) => (problem ? [`${step}: ${problem}`] : []));
  console.log(`${title}: ${worked.join(', ') || 'nothing'}.`);
  for (const problem of [...problems, ...(failure ? [failure] : [])]) {
    console.error(`${title}: FAILED ${problem}`);
  }
  return problems.length > 0 || failure !== undefined ? 'failed' : 'passed';
};

const driverOf = (name: string): string =>
  fileURLToPath(new URL(`drivers/${name}`, import.meta.url));

const nodeDrivers = (): Driven[] => {
  const packages = Object.entries(nodeClients).map(([name, version]) => `${name}@${version}`);
  const folder = join(cacheFolder, `platforms-npm-${Object.values(nodeClients).join('-')}`);
  installPackages(folder, packages);
  return Object.entries(nodeClients).map(([client, version]) => ({
    name: `npm ${client}`,
    version,
    command: process.execPath,
    words: [driverOf(`${client}.ts`), join(folder, 'node_modules/')],
  }));
};

const pythonDrivers = (): Driven[] => {
  if (!hasPython()) {
    console.log(`The platforms' clients of PyPI: left out. ${howToGetPython}`);
    return [];
  }
  const packages = Object.entries(pythonClients).map(([name, version]) => `${name}==${version}`);
  const folder = join(cacheFolder, `platforms-pypi-${Object.values(pythonClients).join('-')}`);
  const programs = installPythonPackages(folder, packages);
  return Object.entries(pythonClients).map(([client, version]) => ({
    name: `PyPI ${client}`,
    version,
    command: join(programs, 'python'),
    words: [driverOf(`${client}.py`)],
  }));
};

/** The client credentials from the secrets of the service. */
const registeredClients = (dataFolder: string, service: { callback_url: string }) => {
  const secrets = JSON.parse(readFileSync(join(dataFolder, 'secrets.json'), 'utf8'));
  const { SecretString } = secrets[secretIdOf('local', 'platform-clients')];
  const clients: Required<PlatformClients> = JSON.parse(SecretString);
  const redirectUri = (platform: string) =>
    callbackUrl({ baseUrl: service.callback_url, platform });
  return {
    xero: { ...clients.platform_a, redirect_uri: redirectUri('platform_a') },
    quickbooks: { ...clients.platform_b, redirect_uri: redirectUri('platform_b') },
  };
};

/** Starts the service, and what takes the clients to its sandbox. */
const startSandbox = async () => {
  const dataFolder = await makeDataFolder();
  const service = await startService({ dataFolder: dataFolder.path, env: { SANDBOX_LIMITS: '' } });
  const forwarder = await startForwarder(service.demo.sandbox_url);
  return {
    forwarderPort: forwarder.port,
    registered: registeredClients(dataFolder.path, service.demo),
    stop: async () => {
      await forwarder.stop();
      await service.stop();
      await dataFolder.remove();
    },
  };
};

/** Prints a line for each client, of what worked, and one for each step that did not. */
export const drivePlatformClients = async (): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  const { forwarderPort, registered, stop } = await startSandbox();
  try {
    const task = { forwarderPort, registered, expected: expectations() };
    // Sequential, because the clients share the rate limits.
    for (const driven of [...nodeDrivers(), ...pythonDrivers()]) {
      outcomes.push(await drive(driven, task));
    }
  } finally {
    await stop();
  }
  return outcomes;
};
