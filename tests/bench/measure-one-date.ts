// Single posts of many clients onto one date of one tenant, through `npm start`: how many go
// through, how long the slowest one waits, how evenly clients share, and what an entry costs.

import { setTimeout as pause } from 'node:timers/promises';
import { startTestEngine } from '../support/dynamodb/test-engine.ts';
import { callApi, makeDataFolder, startService } from '../support/processes/service.ts';
import { type HttpClient, openHttpClient } from './bench-service.ts';
import { startDelayingProxy } from './delaying-proxy.ts';
import { definePart, isWithoutGaps, type Report, type Spread, show, spreadOf } from './part.ts';
import { type ProcessorTimes, processorTimes } from './processor-times.ts';
import { entryBody, tenantBody, userBody } from './requests.ts';

type OneDateResult = {
  clients: number;
  /** The delay of each call to the table. */
  delayMilliseconds: number;
  entriesPerSecond: number;
  /** Of requests, including refused ones. */
  latency: Spread;
  longestMilliseconds: number;
  /** Refused requests by their error code. */
  refused: Record<string, number>;
  /** The fewest and the most entries that one client posted. */
  fewest: number;
  most: number;
  /** Per 1,000 entries. */
  processorMilliseconds: ProcessorTimes;
  isWithoutGaps: boolean;
};

const clientCounts = [1, 8, 16, 64, 128, 256];
const delays = [0, 10];

type ClientResult = { numbers: number[]; latencies: number[]; refusals: string[] };

/** Posts new entries until the time is over. */
const postUntil = async (
  endsAt: number,
  http: HttpClient,
  bodyOf: () => object,
): Promise<ClientResult> => {
  const result: ClientResult = { numbers: [], latencies: [], refusals: [] };
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    const { status, text, headers } = await http.send(
      'journal_entries/create/',
      JSON.stringify(bodyOf()),
    );
    result.latencies.push(performance.now() - startedAt);
    const { data, error } = JSON.parse(text);
    if (status === 200) result.numbers.push(Number(data.journal_number.split('-').at(-1)));
    else if (status === 503) {
      result.refusals.push(error?.code ?? 'refused by the gateway');
      await pause((1 + Math.random()) * 1_000 * Number(headers['retry-after'] ?? 1));
    } else throw new Error(`a measured request failed: ${text}`);
  }
  return result;
};

/**
 * Node accepts one new connection in each turn of its loop. A client that connects during the load
 * would wait for that, not for its post.
 */
const openConnections = async (clients: number, http: HttpClient): Promise<void> => {
  await Promise.all(Array.from({ length: clients }, () => http.send('users/profile/', '{}')));
};

const countsOf = (words: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

const measureClients = async (
  clients: number,
  { http, prefix, seconds }: { http: HttpClient; prefix: string; seconds: number },
): Promise<Omit<OneDateResult, 'delayMilliseconds'>> => {
  let count = 0;
  const newBody = () => {
    count += 1;
    return entryBody(prefix, { externalId: `of-one-date-${count}` });
  };
  await openConnections(clients, http);
  const before = processorTimes();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const all = await Promise.all(
    Array.from({ length: clients }, () => postUntil(endsAt, http, newBody)),
  );
  const elapsed = performance.now() - startedAt;
  const after = processorTimes();
  const numbers = all.flatMap((it) => it.numbers);
  const latencies = all.flatMap((it) => it.latencies);
  const counts = all.map((it) => it.numbers.length);
  const perThousand = (spent: number): number => (spent / numbers.length) * 1_000;
  return {
    clients,
    entriesPerSecond: numbers.length / (elapsed / 1_000),
    latency: spreadOf(latencies),
    longestMilliseconds: Math.max(...latencies),
    refused: countsOf(all.flatMap((it) => it.refusals)),
    fewest: Math.min(...counts),
    most: Math.max(...counts),
    processorMilliseconds: {
      service: perThousand(after.service - before.service),
      engine: perThousand(after.engine - before.engine),
    },
    isWithoutGaps: isWithoutGaps(numbers),
  };
};

/** Starts the service, with its own engine or with one whose calls are delayed. */
const openService = async (delayMilliseconds: number) => {
  const folder = await makeDataFolder();
  const delayed = delayMilliseconds > 0 ? await startTestEngine() : undefined;
  const proxy = delayed && (await startDelayingProxy(delayed.endpoint, delayMilliseconds));
  const service = await startService({
    dataFolder: folder.path,
    env: { POWERTOOLS_LOG_LEVEL: 'ERROR', AWS_ENDPOINT_URL_DYNAMODB: proxy?.url ?? '' },
  });
  const { demo } = service;
  const user = await callApi(demo, 'users/ensure/', { body: userBody('bench@example.com') });
  return {
    newTenant: async (companyName: string): Promise<string> => {
      const body = tenantBody(user.body.data.user_id, companyName);
      const reply = await callApi(demo, 'tenants/create/', { body });
      return reply.body.data.tenant_domain_url;
    },
    http: openHttpClient(demo.base_url, {
      applicationId: demo.application_id,
      apiKey: demo.api_key,
    }),
    stop: async (): Promise<void> => {
      await service.stop();
      await proxy?.stop();
      await delayed?.stop();
      await folder.remove();
    },
  };
};

const measureDelay = async (
  delayMilliseconds: number,
  { quick, report }: { quick: boolean; report: Report },
): Promise<OneDateResult[]> => {
  const service = await openService(delayMilliseconds);
  const { http, newTenant } = service;
  const seconds = quick ? 3 : 15;
  await measureClients(8, { http, seconds: 3, prefix: await newTenant('Warm up') });
  const results: OneDateResult[] = [];
  for (const clients of clientCounts) {
    const prefix = await newTenant(`${clients} clients`);
    const result = await measureClients(clients, { http, seconds, prefix });
    results.push({ ...result, delayMilliseconds });
    const { entriesPerSecond, longestMilliseconds, processorMilliseconds: spent } = result;
    report(
      `${clients} clients, ${delayMilliseconds} ms: ${entriesPerSecond.toFixed(0)} entries/s, ` +
        `${result.fewest} to ${result.most} each, longest ${longestMilliseconds.toFixed(0)} ms, ` +
        `refused ${show.refusals(result.refused)}, service ${spent.service.toFixed(0)} and ` +
        `engine ${spent.engine.toFixed(0)} ms of processor per 1,000`,
    );
  }
  http.close();
  await service.stop();
  return results;
};

const leastPerSecond = 150;
const longestWaitMilliseconds = 3_500;
const leastClients = 8;

export const oneDate = definePart<OneDateResult>({
  title: 'Single posts onto one date',
  columns: {
    clients: (it) => it.clients,
    'delay of a call to the table': (it) => `${it.delayMilliseconds} ms`,
    'entries/s': (it) => it.entriesPerSecond.toFixed(0),
    'HTTP latency': (it) => show.spread(it.latency),
    longest: (it) => it.longestMilliseconds.toFixed(0),
    refused: (it) => show.refusals(it.refused),
    'entries per client': (it) => `${it.fewest} to ${it.most}`,
    'processor ms per 1,000: service': (it) => it.processorMilliseconds.service.toFixed(0),
    engine: (it) => it.processorMilliseconds.engine.toFixed(0),
    'journal numbers': (it) => (it.isWithoutGaps ? 'without gaps' : 'WITH GAPS'),
  },
  targets: (rows) => {
    const many = rows.filter(({ clients }) => clients >= leastClients);
    const rates = many.map((it) => it.entriesPerSecond);
    const [lowest, highest] = [Math.min(...rates), Math.max(...rates)];
    const longest = Math.max(...many.map((it) => it.longestMilliseconds));
    const unfair = many.filter(({ fewest, most }) => most > 3 * fewest);
    const refused = many.filter((it) => Object.keys(it.refused).length > 0);
    return [
      {
        target: `${leastClients} to 256 clients post ${leastPerSecond} entries/s onto one date`,
        found: `${lowest.toFixed(0)} to ${highest.toFixed(0)}`,
        isMet: many.length > 0 && lowest >= leastPerSecond,
      },
      {
        target: 'no client waits longer than 3.5 s, is refused, or posts a third of another',
        found: `${longest.toFixed(0)} ms, ${refused.length} loads refused, ${unfair.length} unfair`,
        isMet:
          longest <= longestWaitMilliseconds &&
          refused.length + unfair.length === 0 &&
          rows.every((it) => it.isWithoutGaps),
      },
    ];
  },
  measure: async (options) => {
    const results: OneDateResult[] = [];
    for (const delay of delays) results.push(...(await measureDelay(delay, options)));
    return results;
  },
});
