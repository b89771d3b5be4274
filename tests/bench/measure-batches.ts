// Entries per second into one tenant and date: in batches, alone and together with single posts.
// Records how evenly clients share the throughput. measure-one-date.ts has single posts alone.

import { setTimeout as pause } from 'node:timers/promises';
import { maximumRequestEntries } from '#shared/entries/drafts/entry-request.ts';
import { type HttpClient, startBenchService } from './bench-service.ts';
import { openBench } from './environment.ts';
import { definePart, isWithoutGaps, type Spread, show, spreadOf } from './part.ts';
import { entryBody } from './requests.ts';

/** The number of clients that post batches, and that post single entries. */
type Load = { batches: number; singles: number };

type BatchLoadResult = Load & {
  entriesPerSecond: number;
  /** Latency of requests, including refused ones. */
  latency: Spread;
  /** Requests refused with `contention`. */
  refused: number;
  /** The fewest and the most entries that one client of each kind posted. */
  fewest: Load;
  most: Load;
  isWithoutGaps: boolean;
};

const clientCounts = [1, 4, 8, 16];

const loads: readonly Load[] = [
  ...clientCounts.map((clients) => ({ batches: clients, singles: 0 })),
  { batches: 4, singles: 4 },
];

type ClientResult = { numbers: number[]; latencies: number[]; refused: number };

/** Posts a new entry or batch repeatedly until the time is over. */
const postUntil = async (
  endsAt: number,
  send: () => ReturnType<HttpClient['send']>,
): Promise<ClientResult> => {
  const total: ClientResult = { numbers: [], latencies: [], refused: 0 };
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    const { status, text, headers } = await send();
    total.latencies.push(performance.now() - startedAt);
    const { data, error } = JSON.parse(text);
    if (status === 200) {
      const entries: { journal_number: string }[] = data.journal_entries ?? [data];
      total.numbers.push(...entries.map((it) => Number(it.journal_number.split('-').at(-1))));
    } else if (error.code === 'contention') {
      total.refused += 1;
      await pause((1 + Math.random()) * 1_000 * Number(headers['retry-after']));
    } else throw new Error(`a measured request failed: ${text}`);
  }
  return total;
};

const measureLoad = async (
  load: Load,
  { http, prefix, seconds }: { http: HttpClient; prefix: string; seconds: number },
): Promise<BatchLoadResult> => {
  let count = 0;
  const newEntry = () => {
    count += 1;
    return entryBody(prefix, { externalId: `of-a-load-${count}` });
  };
  const newBatch = () => ({
    domain_url: prefix,
    journal_entries: Array.from({ length: maximumRequestEntries }, () => {
      const { domain_url: _, ...entry } = newEntry();
      return entry;
    }),
  });
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const clientsOf = (clients: number, path: string, bodyOf: () => object) =>
    Promise.all(
      Array.from({ length: clients }, () =>
        postUntil(endsAt, () => http.send(path, JSON.stringify(bodyOf()))),
      ),
    );
  const [batches, singles] = await Promise.all([
    clientsOf(load.batches, 'journal_entries/create_many/', newBatch),
    clientsOf(load.singles, 'journal_entries/create/', newEntry),
  ]);
  const all = [...batches, ...singles];
  const numbers = all.flatMap((it) => it.numbers);
  const extreme = (pick: (...values: number[]) => number): Load => {
    const of = (clients: ClientResult[]) =>
      clients.length === 0 ? 0 : pick(...clients.map((it) => it.numbers.length));
    return { batches: of(batches), singles: of(singles) };
  };
  return {
    ...load,
    entriesPerSecond: numbers.length / ((performance.now() - startedAt) / 1_000),
    latency: spreadOf(all.flatMap((it) => it.latencies)),
    refused: all.reduce((sum, it) => sum + it.refused, 0),
    fewest: extreme(Math.min),
    most: extreme(Math.max),
    isWithoutGaps: isWithoutGaps(numbers),
  };
};

const isStarving = ({ batches, singles, fewest }: BatchLoadResult): boolean =>
  (batches > 0 && fewest.batches === 0) || (singles > 0 && fewest.singles === 0);

export const batches = definePart<BatchLoadResult>({
  title: 'Batches into one date',
  columns: {
    'batch clients': (it) => it.batches,
    'single clients': (it) => it.singles,
    'entries/s': (it) => it.entriesPerSecond.toFixed(0),
    'HTTP latency': (it) => show.spread(it.latency),
    refused: (it) => it.refused,
    'entries per batch client': (it) =>
      it.batches === 0 ? '-' : `${it.fewest.batches} to ${it.most.batches}`,
    'entries per single client': (it) =>
      it.singles === 0 ? '-' : `${it.fewest.singles} to ${it.most.singles}`,
    'journal numbers': (it) => (it.isWithoutGaps ? 'without gaps' : 'WITH GAPS'),
  },
  targets: (rows) => {
    const compared = rows.filter(({ batches: clients, singles }) => singles === 0 && clients <= 4);
    const starved = rows.filter(isStarving);
    return [
      {
        target: 'up to 4 clients post 500 entries per second in batches into one tenant and date',
        found: compared.map((it) => `${it.batches}: ${it.entriesPerSecond.toFixed(0)}`).join(', '),
        isMet: compared.length > 0 && compared.every((it) => it.entriesPerSecond >= 500),
      },
      {
        target: 'no client of batches or single posts starves, and journal numbers have no gaps',
        found: starved.length === 0 ? 'none starves' : `clients starve in ${starved.length} loads`,
        isMet: starved.length === 0 && rows.every((it) => it.isWithoutGaps),
      },
    ];
  },
  measure: async ({ quick, report }) => {
    const seconds = quick ? 1 : 15;
    const bench = await openBench();
    const service = await startBenchService(bench.environment);
    const http = service.openClient(bench.application);
    const { newUser, newTenant } = bench.functions;
    const userId = await newUser('batches@example.com');
    const { prefix } = await newTenant(userId, 'Warm up');
    await measureLoad({ batches: 2, singles: 2 }, { http, seconds: Math.min(2, seconds), prefix });
    const results: BatchLoadResult[] = [];
    for (const load of loads) {
      const tenant = await newTenant(userId, `${load.batches} and ${load.singles}`);
      const result = await measureLoad(load, { http, prefix: tenant.prefix, seconds });
      results.push(result);
      report(`${JSON.stringify(load)}: ${result.entriesPerSecond.toFixed(0)} entries/s`);
    }
    await service.stop();
    await bench.stop();
    return results;
  },
});
