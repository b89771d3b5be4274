// A receiver of webhooks that keeps what arrives, and replies as its test wants.

import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from './serve.ts';

export type Arrival = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  sequence: number;
  event_id: string;
};

/** `hang up` closes the connection, `hang` never replies. */
export type ReceiverReply =
  | { status: number; headers?: Record<string, string> }
  | 'hang up'
  | 'hang';

export const accepted: ReceiverReply = { status: 204 };

/** `received` has the requests in the order of their arrival. */
export const openReceiver = async () => {
  const received: Arrival[] = [];
  let replyTo: (arrival: Arrival) => ReceiverReply = () => accepted;
  const { url, ...server } = await serve(async (request, response) => {
    const { headers, url: path = '' } = request;
    const body = await text(request);
    const { sequence, event_id } = JSON.parse(body);
    const arrival = { path, headers, body, sequence, event_id };
    received.push(arrival);
    const reply = replyTo(arrival);
    if (reply === 'hang up') request.socket.destroy();
    else if (reply !== 'hang') response.writeHead(reply.status, reply.headers).end('not read');
  });
  return {
    /** Webhooks may be at `localhost`, but not at an address. */
    url: url.replace('127.0.0.1', 'localhost'),
    received,
    sequences: (): number[] => received.map(({ sequence }) => sequence),
    reply: (next: typeof replyTo): void => {
      replyTo = next;
    },
    /** Accepts everything, and forgets what arrived. */
    reset: (): void => {
      received.length = 0;
      replyTo = () => accepted;
    },
    ...server,
  };
};

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
