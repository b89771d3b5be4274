// Measures the effect of one application's load on another, through `npm start`. The first posts
// into one tenant and date at a steady rate, whether or not replies arrive. The other reads a
// user's profile.

import { setTimeout as pause } from 'node:timers/promises';
import { operate } from '../support/processes/operator-process.ts';
import { callApi, type Demo, makeDataFolder, startService } from '../support/processes/service.ts';
import { type HttpClient, openHttpClient } from './http-client.ts';
import { entryBody, tenantBody, userBody } from './requests.ts';
import { type Spread, spreadOf } from './statistics.ts';

export type FairnessResult = Awaited<ReturnType<typeof measureFairness>>;

type FairnessAmounts = { postsPerSecond: number; seconds: number; idleSeconds: number };

type Post = {
  milliseconds: number;
  /** `recorded`, or the error code. */
  outcome: string;
  journalNumber: number | undefined;
  hasRetryAfter: boolean;
};

const millisecondsBetweenProfiles = 50;
const email = 'fairness@example.com';

const createUser = async (demo: Pick<Demo, 'base_url' | 'api_key'>): Promise<string> =>
  (await callApi(demo, 'users/ensure/', { body: userBody(email) })).body.data.user_id;

/** Creates another application with an API key and a user. */
const createNeighbour = async (dataFolder: string, { base_url }: Demo) => {
  const environment = { PATH: process.env.PATH, LEDGER_DATA: dataFolder };
  const ops = (noun: string, verb: string) =>
    operate([noun, verb, '--application', 'Neighbour', '--local'], environment);
  await ops('applications', 'create');
  const { api_key } = await ops('keys', 'create');
  const neighbour = { base_url, api_key };
  await createUser(neighbour);
  return neighbour;
};

/** Reads a profile repeatedly. The returned function stops it and returns the latencies. */
const readProfiles = (http: HttpClient) => {
  const latencies: number[] = [];
  const stopping = new AbortController();
  const body = JSON.stringify({ email });
  const reading = (async () => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const { status, text } = await http.profile(body);
      if (status !== 200) throw new Error(`reading a profile failed: ${text}`);
      latencies.push(performance.now() - startedAt);
      await pause(millisecondsBetweenProfiles);
    }
  })();
  return async (): Promise<number[]> => {
    stopping.abort();
    await reading;
    return latencies;
  };
};

const postOnce = async (http: HttpClient, body: string): Promise<Post> => {
  const startedAt = performance.now();
  const { status, headers, text } = await http.post(body);
  const milliseconds = performance.now() - startedAt;
  const { data, error } = JSON.parse(text);
  return {
    milliseconds,
    outcome: status === 200 ? 'recorded' : error.code,
    journalNumber: status === 200 ? Number(data.journal_number.split('-').at(-1)) : undefined,
    hasRetryAfter: headers['retry-after'] !== undefined,
  };
};

/** Posts at a steady rate, regardless of posts in progress. */
const postSteadily = async (
  http: HttpClient,
  { body, postsPerSecond, seconds }: { body: string } & Omit<FairnessAmounts, 'idleSeconds'>,
): Promise<Post[]> => {
  const startedAt = performance.now();
  const posts: Promise<Post>[] = [];
  while (posts.length < postsPerSecond * seconds) {
    const due = ((performance.now() - startedAt) / 1000) * postsPerSecond;
    while (posts.length <= due) posts.push(postOnce(http, body));
    await pause(1000 / postsPerSecond);
  }
  return Promise.all(posts);
};

const summaryOf = (posts: readonly Post[]) => {
  const recorded = posts.filter(({ outcome }) => outcome === 'recorded');
  const refused = posts.filter(({ outcome }) => outcome !== 'recorded');
  const numbers = recorded
    .map(({ journalNumber }) => journalNumber ?? Number.NaN)
    .sort((one, other) => one - other);
  const spread = (group: readonly Post[]): Spread =>
    spreadOf(group.map(({ milliseconds }) => milliseconds));
  return {
    posts: posts.length,
    recorded: spread(recorded),
    refused: spread(refused),
    /** The number of posts for each outcome. */
    outcomes: Object.fromEntries(
      Object.entries(Object.groupBy(posts, ({ outcome }) => outcome)).map(
        ([outcome, group = []]) => [outcome, group.length],
      ),
    ),
    longestMilliseconds: Math.max(...posts.map(({ milliseconds }) => milliseconds)),
    refusedWithoutRetryAfter: refused.filter(({ hasRetryAfter }) => !hasRetryAfter).length,
    /** Whether the journal numbers are 1, 2, 3 and so on, each once. */
    isWithoutGaps: numbers.every((number, place) => number === place + 1),
  };
};

export const measureFairness = async (
  { postsPerSecond, seconds, idleSeconds }: FairnessAmounts,
  report: (line: string) => void,
) => {
  const folder = await makeDataFolder();
  const { demo, stop } = await startService({ dataFolder: folder.path });
  const neighbour = await createNeighbour(folder.path, demo);
  const tenant = tenantBody(await createUser(demo), 'Contended');
  const reply = await callApi(demo, 'tenants/create/', { body: tenant });
  const body = JSON.stringify(entryBody(reply.body.data.tenant_domain_url));
  const clientOf = ({ base_url, api_key }: Pick<Demo, 'base_url' | 'api_key'>) =>
    openHttpClient({ baseUrl: base_url, apiKey: api_key }, Infinity);
  const busy = clientOf(demo);
  const other = clientOf(neighbour);

  const endIdle = readProfiles(other);
  await pause(idleSeconds * 1000);
  const idle = await endIdle();
  const endUnderLoad = readProfiles(other);
  const posts = await postSteadily(busy, { body, postsPerSecond, seconds });
  const underLoad = await endUnderLoad();

  busy.close();
  other.close();
  await stop();
  await folder.remove();
  const result = {
    postsPerSecond,
    seconds,
    ...summaryOf(posts),
    profile: { idle: spreadOf(idle), underLoad: spreadOf(underLoad) },
  };
  report(
    `${postsPerSecond} posts/s into one tenant and date: ${JSON.stringify(result.outcomes)}, ` +
      `other application's profile ${result.profile.underLoad.p50.toFixed(1)} ms at p50 ` +
      `(idle ${result.profile.idle.p50.toFixed(1)})`,
  );
  return result;
};
