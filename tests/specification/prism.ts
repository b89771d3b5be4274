// Holds what goes between an adapter and the sandbox to a platform's own OpenAPI document, with
// Prism (github.com/stoplightio/prism) as a proxy that refuses whatever offends against it, and
// makes up replies that the document allows. Prism brings 200 packages, so it is installed where
// these tests first run, and not by `npm ci`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '#infra/http-server.ts';
import { installPackages } from '../support/processes/npm-tools.ts';

const prism = '@stoplight/prism-cli';
const prismVersion = '5.16.0';
const folder = `.prism/${prismVersion}`;

/** Installs Prism where it is not yet: the setup of the project, called by vitest. */
export const setup = (): void => installPackages(folder, [`${prism}@${prismVersion}`]);

/**
 * Resolves once Prism answers, some seconds later. Without an upstream its replies are made up, by
 * the seed that the query gives as `__seed`.
 * @throws its last words where it does not answer
 */
export const startPrism = async ({
  document,
  upstream,
}: {
  document: string;
  upstream?: string;
}) => {
  const program = `${folder}/node_modules/${prism}/dist/index.js`;
  const options = ['--errors', '--host', '127.0.0.1', '--port', '0'];
  const words =
    upstream === undefined
      ? ['mock', '--dynamic', ...options, document]
      : ['proxy', ...options, document, upstream];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  const hear = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-2_000);
    const url = /listening on (http:\S+)/.exec(output)?.[1];
    if (url !== undefined) resolve(url);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  child.once('exit', () => reject(new Error(`Prism has ended: ${output.replace(/\s+/g, ' ')}`)));
  return {
    url: await promise,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
};

/** What belongs to one connection, or is measured anew. */
const ofOneHop =
  /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|host)$/i;

const otherHeaders = (headers: Iterable<[string, string | string[] | undefined]>) =>
  [...headers].flatMap(([name, value]): [string, string][] =>
    value === undefined || ofOneHop.test(name) ? [] : [[name, String(value)]],
  );

/** A request that was passed on, and what offended in it or in its reply. */
type Passage = { to: string; status: number; violations: string | null };

/**
 * Passes every request on to where `route` says, and its reply back as `edit` leaves it.
 * @param route gets the path with its query
 */
export const startForwarding = async ({
  route,
  edit = (body) => body,
}: {
  route: (path: string) => string;
  edit?: (body: string) => string;
}) => {
  const passages: Passage[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/', headers } = request;
    const sent = await buffer(request);
    const to = route(path);
    const reply = await fetch(to, {
      method,
      headers: otherHeaders(Object.entries(headers)),
      redirect: 'manual',
      ...(sent.length > 0 && { body: sent }),
    });
    const { status } = reply;
    const violations = reply.headers.get('sl-violations');
    passages.push({ to: `${method} ${to}`, status, violations });
    const body = edit(await reply.text());
    response.writeHead(status, otherHeaders(reply.headers)).end(status === 204 ? '' : body);
  };
  const server = await listen(pass, { port: 0, purpose: 'forwarding' });
  return { url: `http://127.0.0.1:${server.port}`, passages, stop: server.stop };
};
