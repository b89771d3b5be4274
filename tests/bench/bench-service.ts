// The local gateway in its own process, and clients with keep-alive connections to it.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { bundleAll } from '#infra/aws/bundles.ts';
import type { FunctionName } from '#infra/manifest/manifest.ts';
import { makeDataFolder } from '../support/processes/service.ts';
import type { Application } from './environment.ts';
import type { GatewayReply, GatewayRequest, RunReply, RunRequest } from './gateway-process.ts';

type Reply = { status: number; headers: IncomingHttpHeaders; text: string };

export type HttpClient = ReturnType<typeof openHttpClient>;

export const openHttpClient = (baseUrl: string, { apiKey }: Application) => {
  const agent = new Agent({ keepAlive: true });
  const send = (path: string, body?: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const headers = {
        'X-API-Key': apiKey,
        ...(body !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        }),
      };
      const method = body === undefined ? 'GET' : 'POST';
      const url = `${baseUrl}/external/v1/${path}`;
      const outgoing = request(url, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      // A server can close a connection just as it is reused (Node.js, "request.reusedSocket").
      outgoing.on('error', (error) =>
        outgoing.reusedSocket ? resolve(send(path, body)) : reject(error),
      );
      outgoing.end(body);
    });
  return {
    send,
    /** The data of a reply. @throws Error if the status is not 200 */
    ask: async (path: string, body: object): Promise<Record<string, string>> => {
      const { status, text } = await send(path, JSON.stringify(body));
      if (status !== 200) throw new Error(`${path} failed: ${text}`);
      return JSON.parse(text).data;
    },
    close: () => agent.destroy(),
  };
};

/** Discards the functions' logs and metrics. */
export const startBenchService = async (environment: Record<string, string>) => {
  const folder = await makeDataFolder();
  const bundles = await bundleAll(folder.path);
  const entryPoints = Object.fromEntries(
    Object.entries(bundles).map(([name, { entryPoint }]) => [name, entryPoint]),
  ) as Record<FunctionName, string>;
  const child = fork(new URL('./gateway-process.ts', import.meta.url), {
    env: { POWERTOOLS_LOG_LEVEL: 'INFO', ...environment },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  child.send({ entryPoints } satisfies GatewayRequest);
  const message = await Promise.race([once(child, 'message'), exit.then(() => undefined)]);
  if (message === undefined) throw new Error('the gateway process did not start');
  const { baseUrl } = message[0] as GatewayReply;
  const clients: HttpClient[] = [];
  return {
    openClient: (application: Application): HttpClient => {
      const client = openHttpClient(baseUrl, application);
      clients.push(client);
      return client;
    },
    /** Runs a background function. Do not call it concurrently. */
    run: async (name: FunctionName, event: unknown): Promise<unknown> => {
      child.send({ name, event } satisfies RunRequest);
      const [reply] = (await once(child, 'message')) as [RunReply];
      if ('error' in reply) throw new Error(reply.error);
      return reply.result;
    },
    stop: async (): Promise<void> => {
      for (const client of clients) client.close();
      child.disconnect();
      await exit;
      await folder.remove();
    },
  };
};

export type BenchService = Awaited<ReturnType<typeof startBenchService>>;
