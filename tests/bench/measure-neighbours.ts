// Measures how much a hostile application slows an innocent one. The hostile one asks for trial
// balances of large books at the rate that production permits. The innocent one posts, reads, and
// has scheduled entries that come due. It is measured without a budget and with production's.
// The embedded engine is slower than production's table, so rates, budget and the table's
// throughput are all a tenth of production's.

import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { stages } from '#infra/stages.ts';
import type { CostBudget } from '#shared/cost-budget.ts';
import { addDays } from '#shared/domain/dates.ts';
import { startBenchEnvironment } from './environment.ts';
import { fill } from './fill.ts';
import { type HttpClient, openHttpClient } from './http-client.ts';
import { type LimitedTable, startLimitedTable } from './limited-table.ts';
import { startMeasuredService } from './measured-service.ts';
import { type BooksSize, booksItems, booksSizes, lastDayOf } from './report-books.ts';
import { entryBody, tenantBody, userBody } from './requests.ts';
import { type Spread, spreadOf } from './statistics.ts';

const part = 10;

const partOf = ({ readUnits, writeUnits }: CostBudget): CostBudget => ({
  readUnits: readUnits / part,
  writeUnits: writeUnits / part,
});

const { throttling } = stages.production;
const costBudget = partOf(stages.production.costBudget);
const tableThroughput = partOf(stages.production.deployment.tableThroughput);
const hostilePerSecond = throttling.application.ratePerSecond / part;

/** As many as no application uses in a minute. */
const noBudget: CostBudget = { readUnits: 1e12, writeUnits: 1e12 };

/** The largest books of the report bench: five years of 60 accounts. */
const costlyBooks = booksSizes[2] as BooksSize;
const innocentPerSecond = 2;
const scheduledEntries = 20;

/** The answers to one kind of request; the latency is that of those that were carried out. */
export type Answers = { latency: Spread; refused: Record<string, number> };

export type NeighbourLoad = {
  title: string;
  seconds: number;
  hostile: { sent: number; answered: number; refused: Record<string, number> };
  posts: Answers;
  reads: Answers;
  /** How long it took until all scheduled entries were posted, and how many are not. */
  scheduled: { seconds: number; left: number };
  table: ReturnType<LimitedTable['look']>;
};

export type NeighboursResult = {
  date: string;
  seconds: number;
  /** The processes that wanted to run before, of the last minute. */
  loadBefore: number;
  budget: CostBudget;
  throughput: CostBudget;
  loads: NeighbourLoad[];
};

type Sent = { milliseconds: number; outcome: string };

const timed = async (send: () => ReturnType<HttpClient['send']>): Promise<Sent> => {
  const startedAt = performance.now();
  const { status, text } = await send();
  const milliseconds = performance.now() - startedAt;
  return { milliseconds, outcome: status === 200 ? 'success' : JSON.parse(text).error.code };
};

/** Sends at a steady rate until the time is over, however many are under way. */
const sendSteadily = async (
  send: () => ReturnType<HttpClient['send']>,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Sent[]> => {
  const startedAt = performance.now();
  const sent: Promise<Sent>[] = [];
  while (sent.length < perSecond * seconds) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    while (sent.length <= due) sent.push(timed(send));
    await pause(1_000 / perSecond);
  }
  return Promise.all(sent);
};

const refusedOf = (sent: readonly Sent[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(sent, ({ outcome }) => outcome))
      .filter(([outcome]) => outcome !== 'success')
      .map(([outcome, some = []]) => [outcome, some.length]),
  );

const answersOf = (sent: readonly Sent[]): Answers => ({
  latency: spreadOf(
    sent.flatMap(({ milliseconds, outcome }) => (outcome === 'success' ? [milliseconds] : [])),
  ),
  refused: refusedOf(sent),
});

type Caller = { http: HttpClient; userId: string; applicationId: string };

const dataOf = async ({ http }: Pick<Caller, 'http'>, path: string, body: object) => {
  const { status, text } = await http.send(path, JSON.stringify(body));
  if (status !== 200) throw new Error(`${path} was refused: ${text}`);
  return JSON.parse(text).data;
};

const openTenant = async (caller: Caller, title: string) => {
  const made = await dataOf(caller, 'tenants/create/', tenantBody(caller.userId, title));
  return {
    domainUrl: made.tenant_domain_url as string,
    name: { applicationId: caller.applicationId, schemaName: made.schema_name as string },
  };
};

/** Far enough ahead that only the run below posts them. */
const dueDate = addDays(new Date().toISOString().slice(0, 10), 365);

/** How many entries are still scheduled; all that were, if nobody answers. */
const countScheduled = async ({ http }: Pick<Caller, 'http'>, domainUrl: string) => {
  const query = `domain_url=${domainUrl}&status=scheduled&limit=200`;
  const { status, text } = await http.get(`journal_entries/list/?${query}`);
  return status === 200 ? JSON.parse(text).data.journal_entries.length : scheduledEntries;
};

/** Runs the function that posts what is due, again after a second, until all of it is posted. */
const postScheduled = async (
  service: Awaited<ReturnType<typeof startMeasuredService>>,
  { count, maximumSeconds }: { count: () => Promise<number>; maximumSeconds: number },
): Promise<NeighbourLoad['scheduled']> => {
  const startedAt = performance.now();
  const secondsNow = (): number => (performance.now() - startedAt) / 1_000;
  for (;;) {
    // A run that fails leaves the rest to the next one.
    await service
      .run('post-scheduled-entries', { time: `${addDays(dueDate, 10)}T00:05:00Z` })
      .catch(() => undefined);
    const seconds = secondsNow();
    const left = await count();
    if (left === 0 || secondsNow() > maximumSeconds) return { seconds, left };
    await pause(1_000);
  }
};

const measureLoad = async (
  title: string,
  { budget, seconds, isHostile }: { budget: CostBudget; seconds: number; isHostile: boolean },
): Promise<NeighbourLoad> => {
  const { stop, neighbour, ...bench } = await startBenchEnvironment();
  const environment: Record<string, string> = bench.environment;
  const limited = await startLimitedTable(
    environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    tableThroughput,
  );
  const service = await startMeasuredService({
    ...bench,
    environment: {
      ...environment,
      AWS_ENDPOINT_URL_DYNAMODB: limited.url,
      COST_BUDGET: JSON.stringify(budget),
      POWERTOOLS_LOG_LEVEL: 'CRITICAL',
    },
  });
  const callerOf = async ({ applicationId, apiKey }: typeof neighbour): Promise<Caller> => {
    const http = openHttpClient({ baseUrl: service.baseUrl, apiKey }, Number.POSITIVE_INFINITY);
    const { user_id: userId } = await dataOf({ http }, 'users/ensure/', userBody('a@example.com'));
    return { http, userId, applicationId };
  };
  const hostile = await callerOf(neighbour);
  const innocent = await callerOf(bench);
  try {
    const costly = await openTenant(hostile, 'Costly');
    Object.assign(process.env, environment);
    await fill(environment.TABLE_NAME ?? '', booksItems(costly.name, costlyBooks));
    const { domainUrl } = await openTenant(innocent, 'Innocent');
    for (let index = 0; index < scheduledEntries; index += 1) {
      const accrualDate = addDays(dueDate, index % 10);
      await dataOf(innocent, 'journal_entries/create/', entryBody(domainUrl, { accrualDate }));
    }
    await pause(1_500);
    limited.look();
    const costlyReport =
      `reports/trial_balance/?domain_url=${costly.domainUrl}` +
      `&from=2021-01-01&to=${lastDayOf(costlyBooks)}`;
    const attack = isHostile
      ? sendSteadily(() => hostile.http.get(costlyReport), {
          perSecond: hostilePerSecond,
          seconds,
        })
      : Promise.resolve([]);
    const steady = { perSecond: innocentPerSecond, seconds };
    const body = JSON.stringify(entryBody(domainUrl));
    const balance = `reports/trial_balance/?domain_url=${domainUrl}`;
    const [posts, reads, scheduled, attacked] = await Promise.all([
      sendSteadily(() => innocent.http.post(body), steady),
      sendSteadily(() => innocent.http.get(balance), steady),
      postScheduled(service, {
        count: () => countScheduled(innocent, domainUrl),
        maximumSeconds: seconds,
      }),
      attack,
    ]);
    const answered = attacked.filter(({ outcome }) => outcome === 'success').length;
    return {
      title,
      seconds,
      hostile: { sent: attacked.length, answered, refused: refusedOf(attacked) },
      posts: answersOf(posts),
      reads: answersOf(reads),
      scheduled,
      table: limited.look(),
    };
  } finally {
    hostile.http.close();
    innocent.http.close();
    await service.stop();
    await limited.stop();
    await stop();
  }
};

const lineOf = ({ title, posts, reads, scheduled, hostile, table }: NeighbourLoad): string =>
  `${title}: posts ${posts.latency.p50.toFixed(0)} / ${posts.latency.p99.toFixed(0)} ms ` +
  `${JSON.stringify(posts.refused)}, reads ${reads.latency.p50.toFixed(0)} / ` +
  `${reads.latency.p99.toFixed(0)} ms ${JSON.stringify(reads.refused)}, scheduled ` +
  `${JSON.stringify(scheduled)}, hostile ${JSON.stringify(hostile)}, ${JSON.stringify(table)}`;

/** @param seconds how long each load lasts; the budget is one for a minute */
export const measureNeighbours = async (
  seconds: number,
  report: (line: string) => void,
): Promise<NeighboursResult> => {
  const startedAt = performance.now();
  const loadBefore = loadavg()[0] ?? 0;
  const loads: NeighbourLoad[] = [];
  for (const [title, load] of [
    ['alone', { budget: noBudget, seconds: Math.min(20, seconds), isHostile: false }],
    ['beside a hostile one, without a budget', { budget: noBudget, seconds, isHostile: true }],
    ['beside a hostile one, with it', { budget: costBudget, seconds, isHostile: true }],
  ] as const) {
    const measured = await measureLoad(title, load);
    loads.push(measured);
    report(lineOf(measured));
  }
  return {
    date: new Date().toISOString().slice(0, 10),
    seconds: (performance.now() - startedAt) / 1_000,
    loadBefore,
    budget: costBudget,
    throughput: tableThroughput,
    loads,
  };
};
