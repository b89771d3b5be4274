// Measures the CPU time of a post in the service and in the engine over a long run through
// `npm start`: 20,000 entries, more after a rest, and more after a restart.

import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { callApi, type Demo, makeDataFolder, startService } from '../support/processes/service.ts';
import { cpuTimeOf, findProcess } from './cpu-time.ts';
import { openHttpClient } from './http-client.ts';
import { entryBody, tenantBody, userBody } from './requests.ts';
import { spreadOf } from './statistics.ts';

/** Stretches of a run. `rested` follows a rest, `restarted` a restart. */
export type LongRunResult = Awaited<ReturnType<typeof measureLongRun>>;

/** The engine stores transaction tokens for ten minutes. The rest must be longer. */
type LongRunAmounts = { entries: number; stretch: number; restSeconds: number };

const clients = 4;

/** One tenant per client, so that clients do not wait for each other's journal numbers. */
const createTenants = async (demo: Demo): Promise<string[]> => {
  const call = async (path: string, body: object): Promise<Record<string, string>> =>
    (await callApi(demo, path, { body })).body.data;
  const { user_id: userId = '' } = await call('users/ensure/', userBody('long@example.com'));
  const prefixes: string[] = [];
  for (let place = 0; place < clients; place += 1) {
    const tenant = await call('tenants/create/', tenantBody(userId, `Client ${place}`));
    prefixes.push(tenant.tenant_domain_url ?? '');
  }
  return prefixes;
};

const openRun = async (dataFolder: string) => {
  const { demo, child, stop } = await startService({ dataFolder });
  const engine = findProcess('dynoxide', join(dataFolder, 'dynamodb.sqlite'));
  const service = child.pid ?? Number.NaN;
  const http = openHttpClient({ baseUrl: demo.base_url, apiKey: demo.api_key }, clients);
  return {
    demo,
    /**
     * Posts in sequence into each tenant, all tenants in parallel.
     * @param from the number of entries posted before
     * @returns CPU time per post and latencies
     */
    post: async (prefixes: readonly string[], from: number, posts: number) => {
      const latencies: number[] = [];
      const before = { engine: cpuTimeOf(engine), service: cpuTimeOf(service) };
      let remaining = posts;
      const postInto = async (prefix: string): Promise<void> => {
        const body = JSON.stringify(entryBody(prefix));
        while (remaining > 0) {
          remaining -= 1;
          const startedAt = performance.now();
          const { status, text } = await http.post(body);
          if (status !== 200) throw new Error(`a post failed: ${text}`);
          latencies.push(performance.now() - startedAt);
        }
      };
      await Promise.all(prefixes.map(postInto));
      return {
        from,
        posts,
        engineMilliseconds: (cpuTimeOf(engine) - before.engine) / posts,
        serviceMilliseconds: (cpuTimeOf(service) - before.service) / posts,
        latency: spreadOf(latencies),
      };
    },
    stop: async (): Promise<void> => {
      http.close();
      await stop();
    },
  };
};

export const measureLongRun = async (
  { entries, stretch, restSeconds }: LongRunAmounts,
  report: (line: string) => void,
) => {
  const folder = await makeDataFolder();
  const run = await openRun(folder.path);
  const prefixes = await createTenants(run.demo);
  const postUpTo = async (count: number, from: number) => {
    const result = await run.post(prefixes, from, count - from);
    const { engineMilliseconds } = result;
    report(`posts ${from + 1} to ${count}: ${engineMilliseconds.toFixed(2)} ms engine CPU each`);
    return result;
  };
  const first = await postUpTo(stretch, 0);
  await postUpTo(4 * stretch, stretch);
  const early = await postUpTo(5 * stretch, 4 * stretch);
  await postUpTo(entries - stretch, 5 * stretch);
  const last = await postUpTo(entries, entries - stretch);
  report(`resting for ${restSeconds} s`);
  await setTimeout(restSeconds * 1000);
  const rested = await postUpTo(entries + stretch, entries);
  await run.stop();
  const again = await openRun(folder.path);
  const restarted = await again.post(prefixes, entries + stretch, stretch);
  report(`after a restart: ${restarted.engineMilliseconds.toFixed(2)} ms engine CPU each`);
  await again.stop();
  await folder.remove();
  return { clients, first, early, last, rested, restarted };
};
