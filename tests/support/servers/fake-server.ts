// An HTTP server with replies that a test sets. It records the requests.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from './serve.ts';

export type FakeReply = { status?: number; headers?: Record<string, string>; body?: string };

type FakeRequest = {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
};

/** `reply` may be changed at any time; `undefined` leaves requests without an answer. */
export const startFakeServer = async (reply: FakeReply | undefined = {}) => {
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, headers } = request;
    fake.requests.push({ method, path, headers, body: await text(request) });
    const answer = typeof fake.reply === 'function' ? fake.reply() : fake.reply;
    if (answer === undefined) return;
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '{}');
  };
  const fake = {
    reply: reply as FakeReply | (() => FakeReply) | undefined,
    requests: [] as FakeRequest[],
    ...(await serve(listener)),
  };
  return fake;
};
