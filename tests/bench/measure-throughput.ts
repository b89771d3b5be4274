// Measures entries per second over HTTP, alternating with bare calls to the same table: first with
// one tenant per client, then with all clients posting into one tenant and date.

import { type BareClient, openBareClient, recordCommands, repetitionOf } from './bare-calls.ts';
import type { BenchEnvironment } from './environment.ts';
import { dataOf, functionsOf, openApplication } from './functions.ts';
import { type HttpClient, openHttpClient } from './http-client.ts';
import { entryBody, entryRenewal } from './requests.ts';
import { medianOf, spreadOf, withExtremes } from './statistics.ts';

export type ThroughputResults = Awaited<ReturnType<typeof measureThroughput>>;

type ThroughputAmounts = { pairs: number; entriesPerBlock: number; contentionSeconds: number };

type Client = { from: Tenant; to: Tenant; sequence: number };
type Tenant = { prefix: string; schemaName: string };

const maximumClients = 64;
const clientCounts = [1, 16, maximumClients];

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

const createClients = async ({ applicationId }: BenchEnvironment): Promise<Client[]> => {
  const application = openApplication(applicationId);
  const userId = await application.createUser('throughput@example.com');
  const clients: Client[] = [];
  for (let place = 0; place < maximumClients; place += 1) {
    const from = await application.createTenant(userId, `Client ${place} over HTTP`);
    const to = await application.createTenant(userId, `Client ${place} bare`);
    const event = (prefix: string) => application.event({ body: entryBody(prefix) });
    await functionsOf.createEntry(event(from.prefix));
    await functionsOf.createEntry(event(to.prefix));
    clients.push({ from, to, sequence: 1 });
  }
  return clients;
};

/** The commands that a post sends to the table. */
const recordPosting = async ({ applicationId }: BenchEnvironment, { prefix }: Tenant) => {
  const event = openApplication(applicationId).event({ body: entryBody(prefix) });
  return recordCommands(async () => dataOf(await functionsOf.createEntry(event)));
};

const measureClients = async (
  clients: Client[],
  tools: {
    http: HttpClient;
    bare: BareClient;
    recorded: { of: Tenant; commands: Awaited<ReturnType<typeof recordPosting>> };
    amounts: ThroughputAmounts;
  },
) => {
  const { http, bare, recorded, amounts } = tools;
  const perClient = Math.ceil(
    (clients.length === 1 ? amounts.entriesPerBlock / 5 : amounts.entriesPerBlock) / clients.length,
  );
  const entriesPerBlock = perClient * clients.length;
  let latencies: number[] = [];
  const overHttp = () => {
    const shares = clients.map(({ from }) =>
      Array<string>(perClient).fill(JSON.stringify(entryBody(from.prefix))),
    );
    return secondsOf(() =>
      inParallel(shares, async (body) => {
        const seconds = await secondsOf(async () => {
          const { status, text } = await http.post(body);
          if (status !== 200) throw new Error(`a post failed: ${text}`);
        });
        latencies.push(seconds * 1000);
      }),
    );
  };
  const bareCalls = () => {
    const shares = clients.map((client) =>
      Array.from({ length: perClient }, () => {
        client.sequence += 1;
        const renewal = entryRenewal({ from: recorded.of, to: client.to }, client.sequence);
        return repetitionOf(recorded.commands, renewal);
      }),
    );
    return secondsOf(() => inParallel(shares, bare.send));
  };
  await overHttp();
  await bareCalls();
  latencies = [];
  const pairs: { http: number; bare: number }[] = [];
  for (let pair = 0; pair < amounts.pairs; pair += 1) {
    // The order alternates, since the engine gets slower with the transactions it stores.
    if (pair % 2) pairs.push({ http: await overHttp(), bare: await bareCalls() });
    else {
      const bareSeconds = await bareCalls();
      pairs.push({ http: await overHttp(), bare: bareSeconds });
    }
  }
  const ratios = pairs.map((pair) => pair.bare / pair.http);
  return {
    clients: clients.length,
    /** Median of the blocks. */
    entriesPerSecond: entriesPerBlock / medianOf(pairs.map((pair) => pair.http)),
    barePerSecond: entriesPerBlock / medianOf(pairs.map((pair) => pair.bare)),
    /** Median and extremes of the pairs of blocks. */
    overBare: withExtremes(medianOf(ratios), ratios),
    blocks: pairs.length,
    entriesPerBlock,
    latency: spreadOf(latencies),
  };
};

/** All clients post into one tenant and date, so each entry needs the next journal number. */
const measureContention = async (
  { applicationId }: BenchEnvironment,
  { http, seconds }: { http: HttpClient; seconds: number },
) => {
  const application = openApplication(applicationId);
  const userId = await application.createUser('contention@example.com');
  const { prefix } = await application.createTenant(userId, 'Contended');
  const body = JSON.stringify(entryBody(prefix));
  const numbers: number[] = [];
  const latencies: number[] = [];
  let refused = 0;
  const endsAt = performance.now() + seconds * 1000;
  const client = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      const { status, text } = await http.post(body);
      latencies.push(performance.now() - startedAt);
      const { data, error } = JSON.parse(text);
      if (status === 200) numbers.push(Number(data.journal_number.split('-').at(-1)));
      else if (error.code === 'contention') refused += 1;
      else throw new Error(`a post failed: ${text}`);
    }
  };
  const elapsedSeconds = await secondsOf(() =>
    Promise.all(Array.from({ length: maximumClients }, client)),
  );
  const ordered = numbers.toSorted((one, other) => one - other);
  return {
    clients: maximumClients,
    seconds: elapsedSeconds,
    entriesPerSecond: numbers.length / elapsedSeconds,
    refused,
    recorded: numbers.length,
    /** Whether the journal numbers are 1, 2, 3 and so on, each once. */
    isWithoutGaps: ordered.every((number, place) => number === place + 1),
    latency: spreadOf(latencies),
  };
};

export const measureThroughput = async (
  benchEnvironment: BenchEnvironment,
  amounts: ThroughputAmounts,
  report: (line: string) => void,
) => {
  report(`creating ${2 * maximumClients} tenants`);
  const clients = await createClients(benchEnvironment);
  const [first] = clients;
  if (first === undefined) throw new Error('there are no clients');
  const commands = await recordPosting(benchEnvironment, first.from);
  const { environment, apiKey } = benchEnvironment;
  const baseUrl = environment.LEDGER_BASE_URL ?? '';
  const http = openHttpClient({ baseUrl, apiKey }, maximumClients);
  const bare = openBareClient();
  const tools = { http, bare, recorded: { of: first.from, commands }, amounts };
  const throughput: Awaited<ReturnType<typeof measureClients>>[] = [];
  for (const count of clientCounts) {
    const result = await measureClients(clients.slice(0, count), tools);
    throughput.push(result);
    const { entriesPerSecond, barePerSecond, overBare } = result;
    report(
      `${count} clients: ${entriesPerSecond.toFixed(0)} entries/s over HTTP, ` +
        `${barePerSecond.toFixed(0)} bare, ratio ${overBare.ratio.toFixed(2)}`,
    );
  }
  const contention = await measureContention(benchEnvironment, {
    http,
    seconds: amounts.contentionSeconds,
  });
  report(
    `${maximumClients} clients into one tenant and date: ` +
      `${contention.entriesPerSecond.toFixed(0)} entries/s, ${contention.refused} refused`,
  );
  http.close();
  bare.close();
  return { throughput, contention };
};
