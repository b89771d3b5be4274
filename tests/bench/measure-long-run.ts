// Measures what a post costs the service as people start it, and its engine, after many others:
// 20,000 entries one after another, some more after a rest, and some after a restart.

import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { callApi, type Demo, makeDataFolder, startService } from '../support/processes/service.ts';
import { openHttpClient } from './http-client.ts';
import { findProcess, processorTimeOf } from './processor-time.ts';
import { entryBody, tenantBody, userBody } from './requests.ts';
import { spreadOf } from './statistics.ts';

/** Stretches of one run, one after a rest, and a last one after a restart. */
export type LongRunResult = Awaited<ReturnType<typeof measureLongRun>>;

/** The engine keeps the token of a transaction for ten minutes; a rest has to be longer. */
type LongRunAmounts = { entries: number; stretch: number; restSeconds: number };

const clients = 4;

/** A tenant for each client, so that none waits for another's number. */
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
     * Posts one after another for each of these tenants, all tenants at once, where there were
     * `from` entries before: the processor time that each took, and how long its client waited.
     */
    post: async (prefixes: readonly string[], from: number, posts: number) => {
      const latencies: number[] = [];
      const before = { engine: processorTimeOf(engine), service: processorTimeOf(service) };
      let left = posts;
      const postInto = async (prefix: string): Promise<void> => {
        const body = JSON.stringify(entryBody(prefix));
        while (left > 0) {
          left -= 1;
          const startedAt = performance.now();
          const { status, text } = await http.post(body);
          if (status !== 200) throw new Error(`an entry was refused: ${text}`);
          latencies.push(performance.now() - startedAt);
        }
      };
      await Promise.all(prefixes.map(postInto));
      return {
        from,
        posts,
        engineMilliseconds: (processorTimeOf(engine) - before.engine) / posts,
        serviceMilliseconds: (processorTimeOf(service) - before.service) / posts,
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
    const measured = await run.post(prefixes, from, count - from);
    const { engineMilliseconds } = measured;
    report(`posts ${from + 1} to ${count}: ${engineMilliseconds.toFixed(2)} ms of the engine each`);
    return measured;
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
  report(`after a restart: ${restarted.engineMilliseconds.toFixed(2)} ms of the engine each`);
  await again.stop();
  await folder.remove();
  return { clients, first, early, last, rested, restarted };
};
