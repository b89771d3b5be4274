// The service in a process of its own, to be called over HTTP.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bundleAll } from '#infra/bundles.ts';
import type { FunctionName } from '#infra/manifest.ts';
import { makeDataFolder } from '../support/processes/service.ts';
import type { BenchEnvironment } from './environment.ts';
import type { GatewayAnswer, GatewayRequest, RunAnswer, RunRequest } from './gateway-process.ts';

/** Starts the gateway; its functions write their logs and metrics to where nobody reads them. */
export const startMeasuredService = async ({
  environment,
}: Pick<BenchEnvironment, 'environment'>) => {
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
  const ended = once(child, 'exit');
  child.send({ entryPoints } satisfies GatewayRequest);
  const answer = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (answer === undefined) throw new Error('the measured service did not start');
  const { baseUrl } = answer[0] as GatewayAnswer;
  return {
    baseUrl,
    /** Runs a function of the background, one at a time. */
    run: async (name: FunctionName, event: unknown): Promise<unknown> => {
      child.send({ name, event } satisfies RunRequest);
      const [ran] = (await once(child, 'message')) as [RunAnswer];
      if ('error' in ran) throw new Error(ran.error);
      return ran.result;
    },
    stop: async () => {
      child.disconnect();
      await ended;
      await folder.remove();
    },
  };
};
