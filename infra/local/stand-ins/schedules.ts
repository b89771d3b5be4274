// The schedules on this machine: each function runs at start, at its interval, and on request.

import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { type FunctionName, functionsOfKind } from '../../manifest/manifest.ts';
import type { Invoke } from './lambda.ts';

export type Schedules = {
  /** Settles after the first run of every function, even if it failed. */
  firstRuns: Promise<unknown>;
  /** Runs a scheduled function now, as if it were this time. */
  run: (name: string, time: Date) => Promise<unknown>;
  isScheduled: (name: string) => boolean;
  stop: () => Promise<void>;
};

/** @param report gets the error of a failed run; the next run happens anyway */
export const startSchedules = (
  invoke: Invoke,
  report: (name: FunctionName, fault: unknown) => void,
): Schedules => {
  const scheduled = functionsOfKind('schedule');
  const underWay = new Set<Promise<unknown>>();

  const invokeAt = (name: FunctionName, time: Date): Promise<unknown> => {
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
    const run = invoke(name, event).finally(() => underWay.delete(run));
    underWay.add(run);
    return run;
  };

  const runAndReport = (name: FunctionName): Promise<unknown> =>
    invokeAt(name, new Date()).catch((error: unknown) => report(name, error));

  const firstRuns = Promise.all(scheduled.map(({ name }) => runAndReport(name)));
  const timers = scheduled.map(({ name, trigger }) =>
    setInterval(() => runAndReport(name), trigger.everyMinutes * 60_000),
  );

  return {
    firstRuns,
    isScheduled: (name) => scheduled.some((row) => row.name === name),
    run: (name, time) => {
      const row = scheduled.find((candidate) => candidate.name === name);
      if (row === undefined) throw new Error(`no schedule runs ${name}`);
      return invokeAt(row.name, time);
    },
    stop: async () => {
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
  (schedules: Schedules, next: RequestListener): RequestListener =>
  async (request, response) => {
    const url = URL.parse(`http://localhost${request.url}`);
    const [, name] = /^\/schedules\/([a-z-]+)\/?$/.exec(url?.pathname ?? '') ?? [];
    if (url === null || name === undefined) return next(request, response);
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(`${JSON.stringify(body)}\n`);
    };
    const time = new Date(url.searchParams.get('time') ?? Date.now());
    // A web page must not be able to run a schedule. Browsers send its origin.
    if (request.headers.origin !== undefined) return reply(403, { error: 'not from a browser' });
    if (request.method !== 'POST') return reply(405, { error: 'send this as POST' });
    if (!schedules.isScheduled(name)) return reply(404, { error: `no schedule runs ${name}` });
    if (Number.isNaN(time.getTime()))
      return reply(422, { error: 'time is not an ISO 8601 moment' });
    try {
      reply(200, await schedules.run(name, time));
    } catch (error) {
      reply(500, { error: error instanceof Error ? error.message : 'the run failed' });
    }
  };
