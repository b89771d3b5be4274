// Rehearsals of failures on this machine: the gateway fails the next requests to a path, so that an
// application's retries can be tried.

import type { RequestListener } from 'node:http';

/**
 * Before the function runs: `throttled` (429) and `unavailable` (503), with a Retry-After. After
 * it: `timed_out` (504), `reply_lost` (the connection closes) and `slow`. After a request that
 * timed out or lost its reply, the entry is recorded, and the caller does not know it.
 */
const rehearsedFailures = ['throttled', 'unavailable', 'timed_out', 'reply_lost', 'slow'] as const;
type RehearsedFailure = (typeof rehearsedFailures)[number];

/** The next `times` requests to `path` fail. */
export type Rehearsal = {
  path: string;
  failure: RehearsedFailure;
  times: number;
  /** The delay of a slow reply. */
  milliseconds: number;
};

const maximumTimes = 1_000;
const maximumMilliseconds = 60_000;
const usualMilliseconds = 5_000;

/** Paths are compared without the last slash. */
const withoutSlash = (path: string): string => path.replace(/\/$/, '');

const isFailure = (text: string): text is RehearsedFailure =>
  (rehearsedFailures as readonly string[]).includes(text);

const integerIn = (text: string | null, usual: number, maximum: number): number | undefined => {
  const value = text === null ? usual : Number(text);
  return Number.isInteger(value) && value >= 1 && value <= maximum ? value : undefined;
};

/** The rehearsal that a query asks for, or a sentence about what is wrong with it. */
const readRehearsal = (query: URLSearchParams): Rehearsal | string => {
  const path = query.get('path') ?? '';
  const failure = query.get('failure') ?? '';
  const times = integerIn(query.get('times'), 1, maximumTimes);
  const milliseconds = integerIn(query.get('milliseconds'), usualMilliseconds, maximumMilliseconds);
  if (!path.startsWith('/external/v1/')) return 'path must be a path of the API: /external/v1/...';
  if (!isFailure(failure)) return `failure must be one of ${rehearsedFailures.join(', ')}`;
  if (times === undefined) return `times must be from 1 to ${maximumTimes}`;
  if (milliseconds === undefined) return `milliseconds must be from 1 to ${maximumMilliseconds}`;
  return { path: withoutSlash(path), failure, times, milliseconds };
};

export type Rehearsals = ReturnType<typeof openRehearsals>;

export const openRehearsals = () => {
  let planned: Rehearsal[] = [];
  return {
    list: (): readonly Rehearsal[] => planned,
    plan: (rehearsal: Rehearsal): void => {
      planned = [...planned, rehearsal];
    },
    clear: (): void => {
      planned = [];
    },
    /** The failure of this request, if one is planned. It counts. */
    take: (path: string): Rehearsal | undefined => {
      const next = planned.find((it) => it.path === withoutSlash(path));
      if (next === undefined) return undefined;
      next.times -= 1;
      if (next.times === 0) planned = planned.filter((it) => it !== next);
      return next;
    },
  };
};

/**
 * Serves `POST /rehearsals?path=<path>&failure=<failure>&times=<1>&milliseconds=<5000>`, which
 * plans a failure, `GET /rehearsals`, which lists what is left, and `DELETE /rehearsals`. `next`
 * gets all other requests.
 */
export const serveRehearsals =
  (rehearsals: Rehearsals, next: RequestListener): RequestListener =>
  (request, response) => {
    const url = URL.parse(`http://localhost${request.url}`);
    if (url === null || withoutSlash(url.pathname) !== '/rehearsals') {
      return next(request, response);
    }
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(`${JSON.stringify(body)}\n`);
    };
    // A web page must not be able to plan failures. Browsers send its origin.
    if (request.headers.origin !== undefined) return reply(403, { error: 'not from a browser' });
    if (request.method === 'DELETE') rehearsals.clear();
    else if (request.method === 'POST') {
      const rehearsal = readRehearsal(url.searchParams);
      if (typeof rehearsal === 'string') return reply(422, { error: rehearsal });
      rehearsals.plan(rehearsal);
    } else if (request.method !== 'GET') return reply(405, { error: 'send GET, POST or DELETE' });
    reply(200, { rehearsals: rehearsals.list() });
  };
