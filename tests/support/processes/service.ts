// The local service as a developer starts it: in its own process, with its own data folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { secrets } from '../recorders/secrets-collector.ts';

export type Demo = {
  base_url: string;
  callback_url: string;
  sandbox_url: string;
  application_id: string;
  api_key: string;
};

const projectFolder = new URL('../../..', import.meta.url).pathname;
const maximumStartMilliseconds = 60_000;

export const makeDataFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'ledger-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

const canListen = async (port: number): Promise<boolean> => {
  const server = createServer();
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(port, '127.0.0.1');
  const free = await listening;
  server.close();
  return free;
};

/** The first of three free ports in a row. */
export const findPorts = async (): Promise<number> => {
  for (;;) {
    // Below the ports that Linux gives to outgoing connections, which come and go at any moment.
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await Promise.all([port, port + 1, port + 2].map(canListen));
    if (free.every(Boolean)) return port;
  }
};

/** If AWS_ENDPOINT_URL_DYNAMODB names another engine, each data folder has its own database. */
const databaseOf = (dataFolder: string): string => {
  const { AWS_ENDPOINT_URL_DYNAMODB: given } = process.env;
  return given ? `${given}/${createHash('sha256').update(dataFolder).digest('hex')}` : '';
};

type ServiceOptions = {
  dataFolder: string;
  port: number | string;
  flags?: readonly string[] | undefined;
  /** Further variables of its environment, in which the sandbox has no limits. */
  env?: Record<string, string> | undefined;
  /** Another checkout of the project, with its packages installed. Defaults to this one. */
  checkout?: string | undefined;
  /** Options of Node. */
  nodeOptions?: readonly string[] | undefined;
};

/** Starts the start command, and does not wait for anything. */
export const spawnService = ({
  dataFolder,
  port,
  flags = [],
  env,
  checkout = projectFolder,
  nodeOptions = [],
}: ServiceOptions) =>
  spawn('node', [...nodeOptions, 'infra/npm-start.js', ...flags], {
    cwd: checkout,
    env: {
      ...process.env,
      AWS_ENDPOINT_URL_DYNAMODB: databaseOf(dataFolder),
      POWERTOOLS_LOG_LEVEL: 'INFO',
      PORT: String(port),
      SANDBOX_LIMITS: 'off',
      LEDGER_DATA: dataFolder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** The output of the process. */
export const collectOutput = ({ stdout, stderr }: ChildProcess): (() => string) => {
  let output = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return () => output;
};

/** Runs the start command. Resolves when the process has ended or says that it is ready. */
export const runService = async (options: ServiceOptions) => {
  const child = spawnService(options);
  const output = collectOutput(child);
  secrets.keepLater('the output of the service', output);
  const exited = once(child, 'exit');
  const demoFile = join(options.dataFolder, 'demo.json');
  const giveUpAt = Date.now() + maximumStartMilliseconds;
  while (!existsSync(demoFile) || !output().includes('Stop with Ctrl-C')) {
    if (child.exitCode !== null) break;
    if (Date.now() > giveUpAt) {
      child.kill();
      throw new Error(`the service did not start:\n${output()}`);
    }
    await pause(20);
  }
  return {
    child,
    exited,
    output,
    stop: async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
};

export type RunningService = Awaited<ReturnType<typeof runService>> & { demo: Demo };

/** Starts a service that is expected to start. */
export const startService = async (
  options: Omit<ServiceOptions, 'port'> & { port?: number },
): Promise<RunningService> => {
  const running = await runService({ ...options, port: options.port ?? (await findPorts()) });
  if (running.child.exitCode !== null) throw new Error(running.output());
  const demo = JSON.parse(await readFile(join(options.dataFolder, 'demo.json'), 'utf8')) as Demo;
  secrets.watchService(demo.base_url, demo.callback_url);
  return { ...running, demo };
};

/** Calls the API, and returns the whole answer. */
export const callApi = async (
  demo: Pick<Demo, 'base_url' | 'api_key'>,
  path: string,
  options: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
) => {
  const response = await fetch(`${demo.base_url}/external/v1/${path}`, {
    method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
    headers: {
      'X-API-Key': demo.api_key,
      ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
};
