// The schedules on this machine: each function runs at start, at its interval, and on request.

import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { type FunctionName, functionsOfKind } from '../../manifest/manifest.ts';
import type { Invoke } from './lambda.ts';

const scheduled = functionsOfKind('schedule');

type Run = (name: FunctionName, time: Date) => Promise<unknown>;

/** @param report gets the error of a failed run; the next run happens anyway */
export const startSchedules = (
  invoke: Invoke,
  report: (name: FunctionName, fault: unknown) => void,
) => {
  const underWay = new Set<Promise<unknown>>();

  /** Runs a scheduled function now, as if it were this time. */
  const run = (name: FunctionName, time: Date): Promise<unknown> => {
    const event = {
      version: '0',
      id: randomUUID(),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      time: `${time.toISOString().slice(0, 19)}Z`,
      region: 'local',
      resources: [`arn:aws:events:local:000000000000:rule/${name}`],
      detail: {},
    };
    const ended = invoke(name, event).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return ended;
  };

  const runAndReport = (name: FunctionName): Promise<unknown> =>
    run(name, new Date()).catch((error: unknown) => report(name, error));

  const firstRuns = Promise.all(scheduled.map(({ name }) => runAndReport(name)));
  const timers = scheduled.map(({ name, trigger }) =>
    setInterval(() => runAndReport(name), trigger.everyMinutes * 60_000),
  );

  return {
    /** Settles after the first run of every function, even if it failed. */
    firstRuns,
    run,
    stop: async (): Promise<void> => {
      for (const timer of timers) clearInterval(timer);
      await Promise.allSettled(underWay);
    },
  };
};

/**
 * Serves `POST /schedules/<function>?time=<ISO 8601>`, which runs a scheduled function as if it
 * were this time (default: now). `next` gets all other requests.
 */
export const serveSchedules =
  (schedules: { run: Run }, next: RequestListener): RequestListener =>
  async (request, response) => {
    const url = URL.parse(`http://localhost${request.url}`);
    const [, path] = /^\/schedules\/([a-z-]+)\/?$/.exec(url?.pathname ?? '') ?? [];
    if (url === null || path === undefined) return next(request, response);
    const name = scheduled.find((row) => row.name === path)?.name;
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(`${JSON.stringify(body)}\n`);
    };
    const time = new Date(url.searchParams.get('time') ?? Date.now());
    // A web page must not be able to run a schedule. Browsers send its origin.
    if (request.headers.origin !== undefined) return reply(403, { error: 'not from a browser' });
    if (request.method !== 'POST') return reply(405, { error: 'send this as POST' });
    if (name === undefined) return reply(404, { error: `no schedule runs ${path}` });
    if (Number.isNaN(time.getTime()))
      return reply(422, { error: 'time is not an ISO 8601 moment' });
    try {
      reply(200, await schedules.run(name, time));
    } catch (error) {
      reply(500, { error: error instanceof Error ? error.message : 'the run failed' });
    }
  };
