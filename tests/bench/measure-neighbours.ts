// Measures how much a hostile application slows an innocent one, with and without production's
// budget. The hostile one requests trial balances of large books at the maximum rate. The innocent
// one posts, reads, and has scheduled entries that become due. The embedded engine is slower than
// production's table, so rates, budget and throughput are a tenth of production's.

import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { stages } from '#infra/stages.ts';
import { addDays } from '#shared/money/dates.ts';
import type { CostBudget } from '#shared/table/cost-budget.ts';
import { startBenchService } from './bench-service.ts';
import { startBenchEnvironment } from './environment.ts';
import { fill } from './fill.ts';
import { type HttpClient, openHttpClient } from './http-client.ts';
import { type BooksSize, booksItems, booksSizes, lastDayOf } from './report-books.ts';
import { entryBody, tenantBody, userBody } from './requests.ts';
import { type Spread, spreadOf } from './statistics.ts';
import { startThrottlingProxy, type ThrottlingProxy } from './throttling-proxy.ts';

const part = 10;

const partOf = ({ readUnits, writeUnits }: CostBudget): CostBudget => ({
  readUnits: readUnits / part,
  writeUnits: writeUnits / part,
});

const { throttling } = stages.production;
const costBudget = partOf(stages.production.costBudget);
const tableThroughput = partOf(stages.production.deployment.tableThroughput);
const hostilePerSecond = throttling.application.ratePerSecond / part;

/** More than any application uses in a minute. */
const noBudget: CostBudget = { readUnits: 1e12, writeUnits: 1e12 };

/** The largest books of the report benchmark: five years, 60 accounts. */
const costlyBooks = booksSizes[2] as BooksSize;
const innocentPerSecond = 2;
const scheduledEntries = 20;

/** `latency` is for successful requests; `refused` counts the others by error code. */
export type Replies = { latency: Spread; refused: Record<string, number> };

export type NeighbourLoad = {
  title: string;
  seconds: number;
  hostile: { sent: number; answered: number; refused: Record<string, number> };
  posts: Replies;
  reads: Replies;
  /** The time until all scheduled entries were posted, and the number that were not. */
  scheduled: { seconds: number; left: number };
  table: ReturnType<ThrottlingProxy['takeUsage']>;
};

export type NeighboursResult = {
  date: string;
  seconds: number;
  /** The load average of the minute before. */
  loadBefore: number;
  budget: CostBudget;
  throughput: CostBudget;
  loads: NeighbourLoad[];
};

type TimedReply = { milliseconds: number; outcome: string };

const sendTimed = async (send: () => ReturnType<HttpClient['send']>): Promise<TimedReply> => {
  const startedAt = performance.now();
  const { status, text } = await send();
  const milliseconds = performance.now() - startedAt;
  return { milliseconds, outcome: status === 200 ? 'success' : JSON.parse(text).error.code };
};

/** Sends at a steady rate, regardless of requests in progress. */
const sendSteadily = async (
  send: () => ReturnType<HttpClient['send']>,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<TimedReply[]> => {
  const startedAt = performance.now();
  const replies: Promise<TimedReply>[] = [];
  while (replies.length < perSecond * seconds) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    while (replies.length <= due) replies.push(sendTimed(send));
    await pause(1_000 / perSecond);
  }
  return Promise.all(replies);
};

const refusalsOf = (replies: readonly TimedReply[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(replies, ({ outcome }) => outcome))
      .filter(([outcome]) => outcome !== 'success')
      .map(([outcome, group = []]) => [outcome, group.length]),
  );

const summaryOf = (replies: readonly TimedReply[]): Replies => ({
  latency: spreadOf(
    replies.flatMap(({ milliseconds, outcome }) => (outcome === 'success' ? [milliseconds] : [])),
  ),
  refused: refusalsOf(replies),
});

type Caller = { http: HttpClient; userId: string; applicationId: string };

const dataOf = async ({ http }: Pick<Caller, 'http'>, path: string, body: object) => {
  const { status, text } = await http.send(path, JSON.stringify(body));
  if (status !== 200) throw new Error(`${path} failed: ${text}`);
  return JSON.parse(text).data;
};

const openTenant = async (caller: Caller, title: string) => {
  const tenant = await dataOf(caller, 'tenants/create/', tenantBody(caller.userId, title));
  return {
    domainUrl: tenant.tenant_domain_url as string,
    name: { applicationId: caller.applicationId, schemaName: tenant.schema_name as string },
  };
};

/** Far enough in the future that only `postScheduled` posts the entries. */
const dueDate = addDays(new Date().toISOString().slice(0, 10), 365);

/** The number of entries still scheduled. If the request fails, assumes that all are. */
const countScheduled = async ({ http }: Pick<Caller, 'http'>, domainUrl: string) => {
  const query = `domain_url=${domainUrl}&status=scheduled&limit=200`;
  const { status, text } = await http.get(`journal_entries/list/?${query}`);
  return status === 200 ? JSON.parse(text).data.journal_entries.length : scheduledEntries;
};

/** Runs post-scheduled-entries every second until all entries are posted or time is over. */
const postScheduled = async (
  service: Awaited<ReturnType<typeof startBenchService>>,
  { count, maximumSeconds }: { count: () => Promise<number>; maximumSeconds: number },
): Promise<NeighbourLoad['scheduled']> => {
  const startedAt = performance.now();
  const secondsNow = (): number => (performance.now() - startedAt) / 1_000;
  for (;;) {
    // If a run fails, the next one continues.
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
  const proxy = await startThrottlingProxy(
    environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    tableThroughput,
  );
  const service = await startBenchService({
    ...bench,
    environment: {
      ...environment,
      AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
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
    proxy.takeUsage();
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
    const [posts, reads, scheduled, attackReplies] = await Promise.all([
      sendSteadily(() => innocent.http.post(body), steady),
      sendSteadily(() => innocent.http.get(balance), steady),
      postScheduled(service, {
        count: () => countScheduled(innocent, domainUrl),
        maximumSeconds: seconds,
      }),
      attack,
    ]);
    const answered = attackReplies.filter(({ outcome }) => outcome === 'success').length;
    return {
      title,
      seconds,
      hostile: { sent: attackReplies.length, answered, refused: refusalsOf(attackReplies) },
      posts: summaryOf(posts),
      reads: summaryOf(reads),
      scheduled,
      table: proxy.takeUsage(),
    };
  } finally {
    hostile.http.close();
    innocent.http.close();
    await service.stop();
    await proxy.stop();
    await stop();
  }
};

const lineOf = ({ title, posts, reads, scheduled, hostile, table }: NeighbourLoad): string =>
  `${title}: posts ${posts.latency.p50.toFixed(0)} / ${posts.latency.p99.toFixed(0)} ms ` +
  `${JSON.stringify(posts.refused)}, reads ${reads.latency.p50.toFixed(0)} / ` +
  `${reads.latency.p99.toFixed(0)} ms ${JSON.stringify(reads.refused)}, scheduled ` +
  `${JSON.stringify(scheduled)}, hostile ${JSON.stringify(hostile)}, ${JSON.stringify(table)}`;

/** @param seconds the duration of each load; the budget is per minute */
export const measureNeighbours = async (
  seconds: number,
  report: (line: string) => void,
): Promise<NeighboursResult> => {
  const startedAt = performance.now();
  const loadBefore = loadavg()[0] ?? 0;
  const loads: NeighbourLoad[] = [];
  for (const [title, load] of [
    ['alone', { budget: noBudget, seconds: Math.min(20, seconds), isHostile: false }],
    ['under attack, without a budget', { budget: noBudget, seconds, isHostile: true }],
    ['under attack, with a budget', { budget: costBudget, seconds, isHostile: true }],
  ] as const) {
    const result = await measureLoad(title, load);
    loads.push(result);
    report(lineOf(result));
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
