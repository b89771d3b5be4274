// What each program has that drives a client of npm: its task, the client itself, the way to the
// sandbox, and steps that are told of one by one.

import { Agent } from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import Big from 'big.js';
import type { ConsentRequest } from '../forwarder.ts';
import type { Task } from '../platform-clients.ts';

export const task: Task = JSON.parse(process.env.CLIENT_TASK ?? '');
export const { expected, registered } = task;

/** Loads a package from the folder in the arguments, without types. */
export const load = createRequire(process.argv[2] ?? '');

/** Connections to any https host end at the forwarder, which speaks plain HTTP. */
class ForwardingAgent extends Agent {
  readonly defaultPort = 443;
  readonly protocol = 'https:';

  override createConnection() {
    return connect(task.forwarderPort, '127.0.0.1');
  }
}
https.globalAgent = new ForwardingAgent() as unknown as https.Agent;

/** Has the user consent on the page at this URL; returns the callback's URL. */
export const consent = async (asked: ConsentRequest): Promise<string> => {
  const reply = await fetch(`http://127.0.0.1:${task.forwarderPort}/`, {
    method: 'POST',
    body: JSON.stringify(asked),
  });
  if (!reply.ok) throw new Error(await reply.text());
  return reply.text();
};

const maximumProblemLength = 600;

/** What went wrong: the client's words and the reply's. Xero's rejects with both as JSON. */
const problemOf = (thrown: unknown): string => {
  const error = typeof thrown === 'string' ? JSON.parse(thrown) : thrown;
  const { message, response } = error as Record<string, unknown>;
  const { data, body, status, statusCode } = (response ?? {}) as Record<string, unknown>;
  const said = data ?? body;
  const parts = [message, status ?? statusCode, said && JSON.stringify(said)].filter(Boolean);
  return parts.join(' ').slice(0, maximumProblemLength) || String(error);
};

/** Runs a step and prints its outcome. A failure does not prevent the next steps. */
export const step = async (name: string, run: () => Promise<void> | void): Promise<void> => {
  try {
    await run();
    console.log(JSON.stringify({ step: name }));
  } catch (error) {
    console.log(JSON.stringify({ step: name, problem: problemOf(error) }));
  }
};

export const sumOf = (amounts: readonly (number | undefined)[]): string =>
  amounts.reduce<Big>((sum, amount) => sum.plus(amount ?? 0), new Big(0)).toFixed(3);
