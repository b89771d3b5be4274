// How much a hostile application slows an innocent one, with and without production's budget. The
// hostile one requests trial balances of large books at the maximum rate. The innocent one posts,
// reads, and has scheduled entries that become due. The embedded engine is slower than production's
// table, so rates, budget and throughput are a tenth of production's.

import { setTimeout as pause } from 'node:timers/promises';
import { stages } from '#infra/manifest/stages.ts';
import { addDays } from '#shared/money/dates.ts';
import type { CostBudget } from '#shared/table/cost-budget.ts';
import {
  startThrottlingProxy,
  type ThrottlingProxy,
} from '../support/dynamodb/throttling-proxy.ts';
import { type BenchService, type HttpClient, startBenchService } from './bench-service.ts';
import { type Application, openBench } from './environment.ts';
import { definePart, type Spread, show, spreadOf } from './part.ts';
import { type BooksSize, booksItems, booksSizes, lastDayOf } from './report-books.ts';
import { entryBody, tenantBody, userBody } from './requests.ts';

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
type Replies = { latency: Spread; refused: Record<string, number> };

type NeighbourLoad = {
  title: string;
  seconds: number;
  hostile: { sent: number; answered: number; refused: Record<string, number> };
  posts: Replies;
  reads: Replies;
  /** The time until all scheduled entries were posted, and the number that were not. */
  scheduled: { seconds: number; left: number };
  table: ReturnType<ThrottlingProxy['takeUsage']>;
};

type TimedReply = { milliseconds: number; outcome: string };
type Send = () => ReturnType<HttpClient['send']>;

const sendTimed = async (send: Send): Promise<TimedReply> => {
  const startedAt = performance.now();
  const { status, text } = await send();
  const milliseconds = performance.now() - startedAt;
  return { milliseconds, outcome: status === 200 ? 'success' : JSON.parse(text).error.code };
};

/** Sends at a steady rate, regardless of requests in progress. */
const sendSteadily = async (
  send: Send,
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

/** Far enough in the future that only `postScheduled` posts the entries. */
const dueDate = addDays(new Date().toISOString().slice(0, 10), 365);

/** The number of entries still scheduled. If the request fails, assumes that all are. */
const countScheduled = async (http: HttpClient, domainUrl: string): Promise<number> => {
  const query = `domain_url=${domainUrl}&status=scheduled&limit=200`;
  const { status, text } = await http.send(`journal_entries/list/?${query}`);
  return status === 200 ? JSON.parse(text).data.journal_entries.length : scheduledEntries;
};

/** Runs post-scheduled-entries every second until all entries are posted or time is over. */
const postScheduled = async (
  service: BenchService,
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
  const bench = await openBench();
  const { AWS_ENDPOINT_URL_DYNAMODB: engine = '', ...environment } = bench.environment;
  const proxy = await startThrottlingProxy(engine, tableThroughput);
  const service = await startBenchService({
    ...environment,
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
    COST_BUDGET: JSON.stringify(budget),
    POWERTOOLS_LOG_LEVEL: 'CRITICAL',
  });
  const openTenant = async (application: Application, companyName: string) => {
    const http = service.openClient(application);
    const { user_id: userId = '' } = await http.ask('users/ensure/', userBody('a@example.com'));
    const tenant = await http.ask('tenants/create/', tenantBody(userId, companyName));
    const { tenant_domain_url: domainUrl = '', schema_name: schemaName = '' } = tenant;
    return { http, domainUrl, name: { applicationId: application.applicationId, schemaName } };
  };
  try {
    const hostile = await openTenant(bench.neighbour, 'Costly');
    await bench.fill(booksItems(hostile.name, costlyBooks));
    const { http, domainUrl } = await openTenant(bench.application, 'Innocent');
    const create = 'journal_entries/create/';
    for (let index = 0; index < scheduledEntries; index += 1) {
      const accrualDate = addDays(dueDate, index % 10);
      await http.ask(create, entryBody(domainUrl, { accrualDate }));
    }
    await pause(1_500);
    proxy.takeUsage();
    const costlyReport =
      `reports/trial_balance/?domain_url=${hostile.domainUrl}` +
      `&from=2021-01-01&to=${lastDayOf(costlyBooks)}`;
    const perSecond = isHostile ? hostilePerSecond : 0;
    const steady = { perSecond: innocentPerSecond, seconds };
    const body = JSON.stringify(entryBody(domainUrl));
    const balance = `reports/trial_balance/?domain_url=${domainUrl}`;
    const [posts, reads, scheduled, attack] = await Promise.all([
      sendSteadily(() => http.send(create, body), steady),
      sendSteadily(() => http.send(balance), steady),
      postScheduled(service, {
        count: () => countScheduled(http, domainUrl),
        maximumSeconds: seconds,
      }),
      sendSteadily(() => hostile.http.send(costlyReport), { perSecond, seconds }),
    ]);
    const answered = attack.filter(({ outcome }) => outcome === 'success').length;
    return {
      title,
      seconds,
      hostile: { sent: attack.length, answered, refused: refusalsOf(attack) },
      posts: summaryOf(posts),
      reads: summaryOf(reads),
      scheduled,
      table: proxy.takeUsage(),
    };
  } finally {
    await service.stop();
    await proxy.stop();
    await bench.stop();
  }
};

export const neighbours = definePart<NeighbourLoad>({
  title: 'A hostile application',
  columns: {
    'innocent application': (it) => it.title,
    posts: (it) => show.spread(it.posts.latency),
    'posts refused': (it) => show.refusals(it.posts.refused),
    reads: (it) => show.spread(it.reads.latency),
    'reads refused': (it) => show.refusals(it.reads.refused),
    'all due entries posted after': ({ scheduled }) =>
      `${scheduled.seconds.toFixed(1)} s` +
      `${scheduled.left > 0 ? `, ${scheduled.left} NOT POSTED` : ''}`,
    'hostile: successful of sent': ({ hostile }) => `${hostile.answered} of ${hostile.sent}`,
    'hostile refused': ({ hostile }) => show.refusals(hostile.refused),
    'read units': ({ table }) => show.count(table.read),
    'write units': ({ table }) => show.count(table.write),
    'throttled calls': ({ table }) => show.count(table.throttled),
  },
  targets: ([alone, withoutBudget, withBudget]) => {
    const left = [alone, withoutBudget, withBudget].reduce(
      (sum, load) => sum + (load?.scheduled.left ?? Number.NaN),
      0,
    );
    const [unlimited, limited] = [withoutBudget, withBudget].map(
      (load) => load?.posts.latency.p50 ?? Number.NaN,
    ) as [number, number];
    return [
      {
        target:
          'despite a hostile application, all due entries are posted; with a budget, posts take ' +
          'at most 10% of their time without one (p50)',
        found:
          `${left} not posted, ${show.percent(limited / unlimited)} ` +
          `(alone ${alone?.posts.latency.p50.toFixed(0)} ms)`,
        isMet: left === 0 && limited / unlimited <= 0.1,
      },
    ];
  },
  measure: async ({ quick, report }) => {
    // The budget is per minute.
    const seconds = quick ? 3 : 60;
    const results: NeighbourLoad[] = [];
    for (const [title, load] of [
      ['alone', { budget: noBudget, seconds: Math.min(20, seconds), isHostile: false }],
      ['under attack, without a budget', { budget: noBudget, seconds, isHostile: true }],
      ['under attack, with a budget', { budget: costBudget, seconds, isHostile: true }],
    ] as const) {
      const result = await measureLoad(title, load);
      results.push(result);
      report(`${title}: posts ${show.spread(result.posts.latency)} ms`);
    }
    return results;
  },
});
