// Entries per second over HTTP, alternating with bare calls to the same table. Each client posts
// into its own tenant.

import { openBareClient, recordCalls, repetitionOf } from './bare-calls.ts';
import { startBenchService } from './bench-service.ts';
import { dataOf, openBench } from './environment.ts';
import {
  definePart,
  medianOf,
  type Ratio,
  type Spread,
  show,
  spreadOf,
  withExtremes,
} from './part.ts';
import { entryBody, entryRenewal } from './requests.ts';

type ThroughputResult = {
  clients: number;
  /** Medians of the blocks. */
  entriesPerSecond: number;
  barePerSecond: number;
  /** Median and extremes of the pairs of blocks. */
  overBare: Ratio;
  blocks: number;
  entriesPerBlock: number;
  latency: Spread;
};

const clientCounts = [1, 16, 64];
const comparedClients = 16;

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
};

/** Clients run in parallel. Each works through its share in sequence. */
const inParallel = <Work>(
  shares: readonly (readonly Work[])[],
  work: (piece: Work) => Promise<void>,
) =>
  Promise.all(
    shares.map(async (share) => {
      for (const piece of share) await work(piece);
    }),
  );

export const throughput = definePart<ThroughputResult>({
  title: 'Throughput',
  columns: {
    clients: (it) => it.clients,
    'entries/s over HTTP': (it) => it.entriesPerSecond.toFixed(0),
    'entries/s bare': (it) => it.barePerSecond.toFixed(0),
    'HTTP / bare': (it) => show.extremes(it.overBare),
    'HTTP latency': (it) => show.spread(it.latency),
    blocks: (it) => `${it.blocks} of ${it.entriesPerBlock} entries`,
  },
  targets: (rows) => {
    const { ratio, lowest, highest } = rows.find(({ clients }) => clients === comparedClients)
      ?.overBare ?? { ratio: Number.NaN, lowest: Number.NaN, highest: Number.NaN };
    const [found, from, to] = [ratio, lowest, highest].map(show.percent);
    return [
      {
        target: `${comparedClients} clients post at 75% of the bare rate`,
        found: `${found} (pairs ${from} to ${to})`,
        isMet: ratio >= 0.75,
      },
    ];
  },
  measure: async ({ quick, report }) => {
    const amounts = quick ? { blocks: 2, entries: 64 } : { blocks: 5, entries: 960 };
    const bench = await openBench();
    const service = await startBenchService(bench.environment);
    const http = service.openClient(bench.application);
    const bare = openBareClient();
    const { event, newUser, newTenant, createEntry } = bench.functions;
    const post = async (prefix: string) =>
      dataOf(await createEntry(event({ body: entryBody(prefix) })));
    const userId = await newUser('throughput@example.com');
    const clients: { from: Tenant; to: Tenant; sequence: number }[] = [];
    type Tenant = Awaited<ReturnType<typeof newTenant>>;
    for (let place = 0; place < Math.max(...clientCounts); place += 1) {
      const from = await newTenant(userId, `Client ${place} over HTTP`);
      const to = await newTenant(userId, `Client ${place} bare`);
      await post(from.prefix);
      await post(to.prefix);
      clients.push({ from, to, sequence: 1 });
    }
    const recorded = clients[0]?.from as Tenant;
    const calls = await recordCalls(() => post(recorded.prefix));

    const measureClients = async (count: number): Promise<ThroughputResult> => {
      const working = clients.slice(0, count);
      const perClient = Math.ceil(amounts.entries / (count === 1 ? 5 : count));
      const entriesPerBlock = perClient * count;
      const latencies: number[] = [];
      const overHttp = () => {
        const shares = working.map(({ from }) =>
          Array<string>(perClient).fill(JSON.stringify(entryBody(from.prefix))),
        );
        return secondsOf(() =>
          inParallel(shares, async (body) => {
            const seconds = await secondsOf(async () => {
              const { status, text } = await http.send('journal_entries/create/', body);
              if (status !== 200) throw new Error(`a post failed: ${text}`);
            });
            latencies.push(seconds * 1000);
          }),
        );
      };
      const bareCalls = () => {
        const shares = working.map((client) =>
          Array.from({ length: perClient }, () => {
            client.sequence += 1;
            const renewal = entryRenewal({ from: recorded, to: client.to }, client.sequence);
            return repetitionOf(calls, renewal);
          }),
        );
        return secondsOf(() => inParallel(shares, bare.send));
      };
      await overHttp();
      await bareCalls();
      latencies.length = 0;
      const seconds = { http: [] as number[], bare: [] as number[] };
      for (let block = 0; block < amounts.blocks; block += 1) {
        // The order alternates, since the engine gets slower with the transactions it stores.
        if (block % 2) seconds.http.push(await overHttp());
        seconds.bare.push(await bareCalls());
        if (block % 2 === 0) seconds.http.push(await overHttp());
      }
      const ratios = seconds.bare.map((it, block) => it / (seconds.http[block] ?? Number.NaN));
      return {
        clients: count,
        entriesPerSecond: entriesPerBlock / medianOf(seconds.http),
        barePerSecond: entriesPerBlock / medianOf(seconds.bare),
        overBare: withExtremes(medianOf(ratios), ratios),
        blocks: amounts.blocks,
        entriesPerBlock,
        latency: spreadOf(latencies),
      };
    };

    const results: ThroughputResult[] = [];
    for (const count of clientCounts) {
      const result = await measureClients(count);
      results.push(result);
      report(`${count} clients: ${result.entriesPerSecond.toFixed(0)} entries/s over HTTP`);
    }
    bare.close();
    await service.stop();
    await bench.stop();
    return results;
  },
});
