// The overhead of each operation: its handler alternates with its bare calls, in one process.

import { randomBytes } from 'node:crypto';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { addDays, dateOf } from '#shared/money/dates.ts';
import { meterUsage } from '#shared/table/metering.ts';
import { costOf } from '../support/dynamodb/costs.ts';
import { authorizerEvent } from '../support/events/lambda-events.ts';
import { openBareClient, type Renewal, recordCalls, repetitionOf } from './bare-calls.ts';
import { type Bench, type Call, dataOf, openBench } from './environment.ts';
import { definePart, ratioOfMedians, show, spreadOf, timeWithin } from './part.ts';
import {
  digitsOf,
  entryBody,
  entryRenewal,
  externalIdOf,
  tenantBody,
  userBody,
} from './requests.ts';

type Operation = {
  title: string;
  call: Call;
  /** The event of the nth call, counted from one. */
  event: (place: number) => object;
  /** Adapts the recorded calls to the nth bare calls. By default they are repeated as is. */
  renewal?: (place: number) => Renewal;
  /** Takes fewer samples. */
  slow?: true;
};

/** Times in milliseconds. `own` excludes the calls to the table. */
export type Times = { handler: number[]; own: number[] };

/** Calls a handler and adds its times. */
export const timeCall = async (call: Call, event: object, times: Times): Promise<void> => {
  const startedAt = performance.now();
  const { result, usage } = await meterUsage(() => call(event));
  const milliseconds = performance.now() - startedAt;
  dataOf(result);
  times.handler.push(milliseconds);
  times.own.push(milliseconds - timeWithin(usage.calls));
};

/** Numbers from here on are for bare calls, which must not write an existing item. */
const bareFrom = 50_000_000;

const postings = async ({ functions }: Bench, userId: string): Promise<Operation[]> => {
  const { createEntry: call, event: eventOf, newTenant } = functions;
  const posting = async (title: string, options: Parameters<typeof entryBody>[1] = {}) => {
    const [from, to] = [
      await newTenant(userId, `${title} A`),
      await newTenant(userId, `${title} B`),
    ];
    const hasExternalId = options.externalId !== undefined;
    const event = (prefix: string, place: number) => {
      const externalId = hasExternalId ? { externalId: externalIdOf(place) } : {};
      return eventOf({ body: entryBody(prefix, { ...options, ...externalId }) });
    };
    // The bare calls continue after this entry.
    await call(event(to.prefix, 1));
    return {
      title,
      call,
      event: (place: number) => event(from.prefix, place),
      renewal: (place: number) => entryRenewal({ from, to }, place + 1),
    };
  };
  const codes = defaultChart.map(({ code }) => code);
  const tenant = await newTenant(userId, 'Replays');
  const replay = eventOf({ body: entryBody(tenant.prefix, { externalId: 'once' }) });
  return [
    await posting('post an entry of two lines'),
    await posting('post with external_id', { externalId: externalIdOf(0) }),
    await posting('schedule an entry', { accrualDate: addDays(dateOf(new Date()), 300) }),
    { ...(await posting('post an entry of 500 lines', { lines: 500, codes })), slow: true },
    { title: 'replay an entry', call, event: () => replay },
  ];
};

const operationsOf = async (bench: Bench): Promise<Operation[]> => {
  const { functions, application } = bench;
  const { event, newUser, newTenant } = functions;
  const userId = await newUser('ada@example.com');
  const owner = await newUser('two@example.com');
  for (const name of ['Profile One', 'Profile Two']) await newTenant(owner, name);
  const ensure = (email: string) => event({ body: userBody(email) });
  return [
    {
      title: 'authorize a key',
      call: functions.authorize,
      event: () => authorizerEvent(application.apiKey),
    },
    {
      title: 'ensure an existing user',
      call: functions.ensureUser,
      event: () => ensure('ada@example.com'),
    },
    {
      title: 'ensure a new user',
      call: functions.ensureUser,
      event: (place) => ensure(`user-${digitsOf(place)}@example.com`),
      renewal: (place) => ({
        text: (text) =>
          text
            .replace(/user-\d{8}@/, `user-${digitsOf(bareFrom + place)}@`)
            .replace(/^(.*#USERID#)?\d{9,16}$/, `$1${10 ** 15 + place}`),
      }),
      slow: true,
    },
    {
      title: 'profile with two tenants',
      call: functions.getProfile,
      event: () => event({ body: { email: 'two@example.com' } }),
    },
    {
      title: 'create a manual tenant',
      call: functions.createTenant,
      event: (place) => event({ body: tenantBody(userId, `Bench ${digitsOf(place)}`) }),
      renewal: (place) => ({
        text: (text) => text.replace(/(bench[ _-])\d{8}/gi, `$1${digitsOf(bareFrom + place)}`),
      }),
      slow: true,
    },
    {
      title: 'initiate OAuth',
      call: functions.initiateOauth,
      event: () =>
        event({
          method: 'GET',
          resource: '/external/v1/oauth/{platform}/initiate',
          pathParameters: { platform: 'platform_a' },
          query: { user_id: userId, cash_flow_method: 'indirect' },
        }),
      renewal: () => ({
        text: (text) => text.replace(/^STATE#.*/, `STATE#${randomBytes(32).toString('base64url')}`),
      }),
    },
    ...(await postings(bench, userId)),
  ];
};

const measureOperation = async (
  { title, call, event, renewal = () => ({ text: (text) => text }) }: Operation,
  { samples, warmUp }: { samples: number; warmUp: number },
) => {
  const bare = openBareClient();
  let place = 0;
  const next = () => {
    place += 1;
    return event(place);
  };
  // The first call fills the caches of the process.
  await call(next());
  const callsOfOperation = await recordCalls(async () => dataOf(await call(next())));
  const cost = await costOf(() => call(next()));
  const times: Times = { handler: [], own: [] };
  const bareTimes: number[] = [];
  for (let pair = 1; pair <= warmUp + samples; pair += 1) {
    const calls = repetitionOf(callsOfOperation, renewal(pair));
    const measureBare = async () => {
      const startedAt = performance.now();
      await bare.send(calls);
      bareTimes.push(performance.now() - startedAt);
    };
    // The order alternates, since the first call can slow the second.
    if (pair % 2) await measureBare();
    await timeCall(call, next(), times);
    if (pair % 2 === 0) await measureBare();
  }
  bare.close();
  const [handler, bareSamples] = [times.handler.slice(warmUp), bareTimes.slice(warmUp)];
  return {
    title,
    sequentialCalls: cost.sequentialCalls,
    readUnits: cost.units.read,
    writeUnits: cost.units.write,
    handler: spreadOf(handler),
    own: spreadOf(times.own.slice(warmUp)),
    bare: spreadOf(bareSamples),
    overBare: ratioOfMedians(handler, bareSamples),
  };
};

type OperationResult = Awaited<ReturnType<typeof measureOperation>>;

export const operations = definePart<OperationResult>({
  title: 'Operations',
  columns: {
    operation: (it) => it.title,
    calls: (it) => it.sequentialCalls,
    'units read / written': (it) => `${it.readUnits} / ${it.writeUnits}`,
    handler: (it) => show.spread(it.handler),
    'own time': (it) => show.spread(it.own),
    'bare calls': (it) => show.spread(it.bare),
    'handler / bare, p50': (it) => show.extremes(it.overBare),
    p99: (it) => show.ratio(it.handler.p99 / it.bare.p99),
    samples: (it) => it.handler.samples,
  },
  targets: (rows) => {
    const posts = rows.filter(({ title }) => /^(post|schedule)/.test(title));
    const calls = Math.max(
      ...posts.map(({ title, sequentialCalls }) =>
        // A request of this size also charges its budget, before and after.
        title.includes('500 lines') ? sequentialCalls - 2 : sequentialCalls,
      ),
    );
    const slowest = Math.max(...posts.map(({ overBare }) => overBare.ratio));
    return [
      {
        target:
          'posting takes at most 2 sequential calls (500 lines: 2 more, which charge the budget)',
        found: `${calls}`,
        isMet: calls <= 2,
      },
      {
        target: "posting takes at most 125% of its bare calls' time (p50)",
        found: posts.map((it) => `${it.title}: ${show.percent(it.overBare.ratio)}`).join(', '),
        isMet: posts.length > 0 && slowest <= 1.25,
      },
    ];
  },
  measure: async ({ quick, report }) => {
    const bench = await openBench();
    const results: OperationResult[] = [];
    const [samples, slowSamples, warmUp] = quick ? [10, 5, 5] : [500, 150, 200];
    for (const operation of await operationsOf(bench)) {
      const amounts = operation.slow
        ? { samples: slowSamples, warmUp: Math.ceil(warmUp / 5) }
        : { samples, warmUp };
      const result = await measureOperation(operation, amounts);
      results.push(result);
      report(
        `${operation.title}: ${show.spread(result.handler)} ms, bare ${show.spread(result.bare)}`,
      );
    }
    await bench.stop();
    return results;
  },
});
