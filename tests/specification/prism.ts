// Checks an adapter and the sandbox against a platform's own OpenAPI document. Prism
// (github.com/stoplightio/prism) is the proxy that refuses invalid requests and replies; it also
// generates valid replies. It has 200 packages, so the first run installs it instead of `npm ci`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '#infra/http-server.ts';
import { installPackages } from '../support/processes/npm-tools.ts';

const prism = '@stoplight/prism-cli';
const prismVersion = '5.16.0';
const folder = `.prism/${prismVersion}`;

/** Installs Prism if necessary. Vitest calls this as the setup of the project. */
export const setup = (): void => installPackages(folder, [`${prism}@${prismVersion}`]);

/**
 * Resolves when Prism answers, after some seconds. Without an upstream it generates replies from
 * the seed in the query parameter `__seed`.
 * @throws with Prism's last output if it ends
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

/** Headers of one connection, and lengths that can change. */
const ofOneHop =
  /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|host)$/i;

const otherHeaders = (headers: Iterable<[string, string | string[] | undefined]>) =>
  [...headers].flatMap(([name, value]): [string, string][] =>
    value === undefined || ofOneHop.test(name) ? [] : [[name, String(value)]],
  );

/** A forwarded request, with the violations in it or in its reply. */
type Passage = { to: string; status: number; violations: string | null };

/**
 * Forwards every request to the URL that `route` returns, and edits its reply with `edit`.
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
