// Measures entries per second into one tenant and date through `npm start`: in batches, in single
// posts, and both together. Records how evenly clients share the throughput.

import { setTimeout as pause } from 'node:timers/promises';
import { maximumRequestEntries } from '#shared/entries/drafts/entry-request.ts';
import { makeDataFolder, startService } from '../support/processes/service.ts';
import { type HttpClient, openHttpClient } from './http-client.ts';
import { entryBody, tenantBody, userBody } from './requests.ts';
import { type Spread, spreadOf } from './statistics.ts';

/** The number of clients that post batches, and that post single entries. */
type Load = { batches: number; singles: number };

export type BatchLoadResult = Load & {
  entriesPerSecond: number;
  /** Latency of requests, including refused ones. */
  latency: Spread;
  /** Requests refused with `contention`. */
  refused: number;
  /** The fewest and the most entries that one client of each kind posted. */
  fewest: { batches: number; singles: number };
  most: { batches: number; singles: number };
  isWithoutGaps: boolean;
};

export type BatchesResult = { date: string; seconds: number; loads: BatchLoadResult[] };

const clientCounts = [1, 4, 8, 16];

/** Batches and single posts alternate, so that changes of the machine affect both equally. */
const loads: readonly Load[] = [
  ...clientCounts.flatMap((clients) => [
    { batches: clients, singles: 0 },
    { batches: 0, singles: clients },
  ]),
  { batches: 4, singles: 4 },
];

type Client = { send: HttpClient['post']; bodyOf: () => object };

type ClientResult = { entries: number; numbers: number[]; latencies: number[]; refused: number };

/** Posts a new entry or batch repeatedly until the time is over. */
const postUntil = async (endsAt: number, { send, bodyOf }: Client): Promise<ClientResult> => {
  const total: ClientResult = { entries: 0, numbers: [], latencies: [], refused: 0 };
  while (performance.now() < endsAt) {
    const body = JSON.stringify(bodyOf());
    const startedAt = performance.now();
    const { status, text, headers } = await send(body);
    total.latencies.push(performance.now() - startedAt);
    const { data, error } = JSON.parse(text);
    if (status === 200) {
      const entries: { journal_number: string }[] = data.journal_entries ?? [data];
      total.numbers.push(...entries.map((it) => Number(it.journal_number.split('-').at(-1))));
      total.entries += entries.length;
    } else if (error.code === 'contention') {
      total.refused += 1;
      await pause((1 + Math.random()) * 1_000 * Number(headers['retry-after']));
    } else throw new Error(`a measured request failed: ${text}`);
  }
  return total;
};

/** Requests that post into a tenant. Each entry has a unique external_id. */
const requestsInto = (prefix: string) => {
  let count = 0;
  const newEntry = () => {
    count += 1;
    return entryBody(prefix, { externalId: `of-a-load-${count}` });
  };
  return {
    single: newEntry,
    batch: () => ({
      domain_url: prefix,
      journal_entries: Array.from({ length: maximumRequestEntries }, () => {
        const { domain_url: _, ...entry } = newEntry();
        return entry;
      }),
    }),
  };
};

const measureLoad = async (
  load: Load,
  { http, prefix, seconds }: { http: HttpClient; prefix: string; seconds: number },
): Promise<BatchLoadResult> => {
  const requests = requestsInto(prefix);
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const clientsOf = (count: number, client: Client) =>
    Promise.all(Array.from({ length: count }, () => postUntil(endsAt, client)));
  const [batches, singles] = await Promise.all([
    clientsOf(load.batches, { send: http.postMany, bodyOf: requests.batch }),
    clientsOf(load.singles, { send: http.post, bodyOf: requests.single }),
  ]);
  const all = [...batches, ...singles];
  const numbers = all.flatMap((it) => it.numbers).toSorted((one, other) => one - other);
  const extreme = (pick: (...values: number[]) => number) => {
    const of = (clients: ClientResult[]) =>
      clients.length === 0 ? 0 : pick(...clients.map(({ entries }) => entries));
    return { batches: of(batches), singles: of(singles) };
  };
  return {
    ...load,
    entriesPerSecond: numbers.length / ((performance.now() - startedAt) / 1_000),
    latency: spreadOf(all.flatMap((it) => it.latencies)),
    refused: all.reduce((sum, it) => sum + it.refused, 0),
    fewest: extreme(Math.min),
    most: extreme(Math.max),
    isWithoutGaps: numbers.every((number, place) => number === place + 1),
  };
};

const lineOf = ({ batches, singles, ...it }: BatchLoadResult): string =>
  `${batches} clients post batches, ${singles} single entries: ` +
  `${it.entriesPerSecond.toFixed(0)} entries/s, ` +
  `p50 ${it.latency.p50.toFixed(0)} ms, p99 ${it.latency.p99.toFixed(0)} ms, ` +
  `${it.refused} refused, fewest ${JSON.stringify(it.fewest)}, most ${JSON.stringify(it.most)}, ` +
  `${it.isWithoutGaps ? 'without gaps' : 'WITH GAPS'}`;

/** @param seconds the duration of each load */
export const measureBatches = async (
  seconds: number,
  report: (line: string) => void,
): Promise<BatchesResult> => {
  const startedAt = performance.now();
  const folder = await makeDataFolder();
  const { demo, stop } = await startService({ dataFolder: folder.path });
  const application = { baseUrl: demo.base_url, apiKey: demo.api_key };
  const http = openHttpClient(application, Math.max(...clientCounts));
  const ask = async (path: string, body: object) =>
    JSON.parse((await http.send(path, JSON.stringify(body))).text).data;
  try {
    const { user_id } = await ask('users/ensure/', userBody('batches@example.com'));
    const results: BatchLoadResult[] = [];
    const newTenant = async (title: string): Promise<string> =>
      (await ask('tenants/create/', tenantBody(user_id, title))).tenant_domain_url;
    const warmUp = { http, seconds: Math.min(2, seconds), prefix: await newTenant('Warm up') };
    await measureLoad({ batches: 2, singles: 2 }, warmUp);
    for (const load of loads) {
      const prefix = await newTenant(`${load.batches} and ${load.singles}`);
      const result = await measureLoad(load, { http, prefix, seconds });
      results.push(result);
      report(lineOf(result));
    }
    const date = new Date().toISOString().slice(0, 10);
    return { date, seconds: (performance.now() - startedAt) / 1_000, loads: results };
  } finally {
    http.close();
    await stop();
    await folder.remove();
  }
};
