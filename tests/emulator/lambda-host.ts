// Runs functions for LocalStack. Each execution environment is a Node process under AWS's runtime
// client, with only the environment that Lambda provides.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readBody } from '#infra/http-server.ts';
import { serve } from '../support/servers/serve.ts';
import { type Invocation, type RuntimeApi, startRuntimeApi } from './runtime-api.ts';

type Definition = {
  id: string;
  functionName: string;
  /** The folder of its code. */
  code: string;
  timeoutSeconds: number;
  environment: Record<string, string>;
};

type Running = { child: ChildProcess; api: RuntimeApi; output: string };

type Environment = { definition: Definition; running: Running };

export type LambdaHostOptions = {
  /** AWS's runtime client for Node, `index.mjs` of aws-lambda-ric. */
  runtimeClient: string;
  /** The endpoint for a function's calls to AWS. */
  awsUrl: () => string;
  /** What leads its calls of everybody else to their stand-in. */
  outsideVariables: Readonly<Record<string, string>>;
  logFolder: string;
};

/** A little more than a request that LocalStack passes on. */
const maximumBytes = 16 * 1024 * 1024;

/** The last log lines can arrive after the reply, since they take another way. */
const logDelayMilliseconds = 10;

export const startLambdaHost = async (options: LambdaHostOptions) => {
  const environments = new Map<string, Environment>();
  const events = new Map<string, string[]>();

  /** The variables of Lambda, except the endpoint of AWS. */
  const variablesOf = ({ code, environment }: Definition, api: RuntimeApi) => ({
    ...Object.fromEntries(
      Object.entries(environment).filter(([name]) => !/^(LOCALSTACK_|EDGE_PORT$)/.test(name)),
    ),
    PATH: process.env.PATH,
    AWS_LAMBDA_RUNTIME_API: api.address,
    LAMBDA_TASK_ROOT: code,
    AWS_ENDPOINT_URL: options.awsUrl(),
    ...options.outsideVariables,
  });

  /** @throws with the output of the start, if the process does not wait for invocations */
  const launch = async (definition: Definition): Promise<Running> => {
    const { functionName, code, timeoutSeconds, environment } = definition;
    const api = await startRuntimeApi(timeoutSeconds);
    const child = spawn(process.execPath, [options.runtimeClient, environment._HANDLER ?? ''], {
      cwd: code,
      env: variablesOf(definition, api),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running: Running = { child, api, output: '' };
    const log = createWriteStream(join(options.logFolder, `${functionName}.log`), { flags: 'a' });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        running.output += chunk.toString();
        log.write(chunk);
      });
    }
    child.on('close', (code) => {
      log.end();
      void api.end(`the process of ${functionName} has ended (${code})`);
    });
    const fault = await api.ready;
    if (fault !== undefined) {
      child.kill('SIGKILL');
      throw new Error(`${fault}\n${running.output}`);
    }
    return running;
  };

  const runOn = async ({ api, child }: Running, invocation: Invocation, seconds: number) => {
    const timer = new AbortController();
    const timedOut = pause(seconds * 1000, undefined, { signal: timer.signal }).then(
      () => {
        child.kill('SIGKILL');
        const errorMessage = `${invocation.requestId} Task timed out after ${seconds}.00 seconds`;
        return { isError: true, payload: JSON.stringify({ errorMessage }) };
      },
      () => ({ isError: true, payload: '' }),
    );
    try {
      return await Promise.race([api.invoke(invocation), timedOut]);
    } finally {
      timer.abort();
    }
  };

  const invoke = async ({ id, ...invocation }: Invocation & { id: string }) => {
    const environment = environments.get(id);
    if (environment === undefined) throw new Error(`there is no environment ${id}`);
    const { definition } = environment;
    const hasEnded = environment.running.child.exitCode ?? environment.running.child.signalCode;
    // If the process has ended, Lambda starts another for the next invocation.
    if (hasEnded !== null) environment.running = await launch(definition);
    const { running } = environment;
    const { functionName, timeoutSeconds } = definition;
    events.set(functionName, [...(events.get(functionName) ?? []), invocation.payload]);
    const from = running.output.length;
    const outcome = await runOn(running, invocation, timeoutSeconds);
    await pause(logDelayMilliseconds);
    return { ...outcome, logs: running.output.slice(from) };
  };

  const stopEnvironment = async ({ running: { child } }: Environment): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };

  // biome-ignore lint/suspicious/noExplicitAny: what LocalStack's executor sends is ours.
  const actions: Record<string, (body: any) => Promise<object>> = {
    start: async (definition: Definition) => {
      environments.set(definition.id, { definition, running: await launch(definition) });
      return {};
    },
    invoke,
    stop: async ({ id }: { id: string }) => {
      const environment = environments.get(id);
      environments.delete(id);
      if (environment) await stopEnvironment(environment);
      return {};
    },
  };

  const server = await serve(async (request, response) => {
    const body = JSON.parse(String(await readBody(request, maximumBytes)));
    const action = actions[(request.url ?? '').slice(1)];
    const reply = await (action?.(body) ?? Promise.reject(new Error('unknown'))).catch(
      (error: Error) => ({ error: error.message, isError: true, payload: '{}', logs: '' }),
    );
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply));
  });

  return {
    url: server.url,
    /** What each function was invoked with, as JSON, by its name on AWS. */
    events: events as ReadonlyMap<string, readonly string[]>,
    stop: async (): Promise<void> => {
      await server.stop();
      await Promise.all([...environments.values()].map(stopEnvironment));
    },
    kill: (): void => {
      for (const { running } of environments.values()) running.child.kill('SIGKILL');
    },
  };
};
