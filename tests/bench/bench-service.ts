// Starts the gateway in its own process, to measure it over HTTP.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bundleAll } from '#infra/aws/bundles.ts';
import type { FunctionName } from '#infra/manifest/manifest.ts';
import { makeDataFolder } from '../support/processes/service.ts';
import type { BenchEnvironment } from './environment.ts';
import type { GatewayReply, GatewayRequest, RunReply, RunRequest } from './gateway-process.ts';

/** Discards the functions' logs and metrics. */
export const startBenchService = async ({ environment }: Pick<BenchEnvironment, 'environment'>) => {
  const folder = await makeDataFolder();
  const bundles = await bundleAll(folder.path);
  const entryPoints = Object.fromEntries(
    Object.entries(bundles).map(([name, { entryPoint }]) => [name, entryPoint]),
  ) as Record<FunctionName, string>;
  const child = fork(new URL('./gateway-process.ts', import.meta.url), {
    env: { POWERTOOLS_LOG_LEVEL: 'INFO', ...environment },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  child.send({ entryPoints } satisfies GatewayRequest);
  const message = await Promise.race([once(child, 'message'), exit.then(() => undefined)]);
  if (message === undefined) throw new Error('the gateway process did not start');
  const { baseUrl } = message[0] as GatewayReply;
  return {
    baseUrl,
    /** Runs a background function. Do not call it concurrently. */
    run: async (name: FunctionName, event: unknown): Promise<unknown> => {
      child.send({ name, event } satisfies RunRequest);
      const [reply] = (await once(child, 'message')) as [RunReply];
      if ('error' in reply) throw new Error(reply.error);
      return reply.result;
    },
    stop: async () => {
      child.disconnect();
      await exit;
      await folder.remove();
    },
  };
};
