// An HTTP server that answers every request with what a test wants, and keeps what it was asked.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

export type FakeReply = { status?: number; headers?: Record<string, string>; body?: string };

export type FakeRequest = {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
};

/** `reply` may be changed at any time; `undefined` leaves requests without an answer. */
export const startFakeServer = async (reply: FakeReply | undefined = {}) => {
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    fake.requests.push({ method, path, headers, body: await text(request) });
    if (fake.reply === undefined) return;
    response.writeHead(fake.reply.status ?? 200, fake.reply.headers).end(fake.reply.body ?? '{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port to listen on');
  const fake = {
    reply: reply as FakeReply | undefined,
    requests: [] as FakeRequest[],
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return fake;
};
