// What the local HTTP servers share: whom they serve, listening with a clear error, reading bodies,
// closing cleanly.

import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';

export type RunningServer = { port: number; stop: () => Promise<void> };

/** Only this machine is served. */
const host = '127.0.0.1';

/** How long requests under way may still take when the server stops. */
const drainMilliseconds = 5_000;
const idleCheckMilliseconds = 20;

/** The names under which a program or a browser on this machine reaches a local server. */
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/**
 * Refuses what a page of somebody else's sends through the browser of this machine. Such a page can
 * point its own host name at 127.0.0.1 (DNS rebinding), and the browser then takes the local server
 * for its own. It can also send a POST without reading the reply; the browser marks that one
 * (Fetch Metadata Request Headers, section 2.4). A link or a redirect from another site is a GET.
 */
const refuseForeign = (request: IncomingMessage, response: ServerResponse): boolean => {
  const refuse = (status: number, sentence: string): true => {
    request.resume();
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(`${sentence}\n`);
    return true;
  };
  if (!localHost.test(request.headers.host ?? '')) {
    return refuse(421, 'This server answers only to the host name localhost.');
  }
  return request.headers['sec-fetch-site'] === 'cross-site' && !isRead(request)
    ? refuse(403, 'A page of another site may not send this.')
    : false;
};

/** @throws naming the port where it is taken, and how to choose another */
export const listen = async (
  listener: RequestListener,
  { port, purpose }: { port: number; purpose: string },
): Promise<RunningServer> => {
  const server = createServer(async (request, response) => {
    try {
      if (!refuseForeign(request, response)) await listener(request, response);
    } catch {
      // The caller has gone in the middle of its request; there is nobody left to answer.
      request.socket.destroy();
    }
  }).listen({ port, host });
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} (${purpose}) is taken by another program. Stop that program, or set PORT to ` +
        'the first of three free ports, for example: PORT=4000 npm start',
    );
  }
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      // A connection is idle once its request is answered; kept alive, it would hold us up.
      const idle = setInterval(() => server.closeIdleConnections(), idleCheckMilliseconds);
      const late = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
    },
  };
};

/** The body as it came, or `undefined` where it is larger than `maximumBytes`. */
export const readBody = async (
  request: IncomingMessage,
  maximumBytes: number,
): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // The rest is read and dropped, so that the caller gets to see the answer.
    if (size <= maximumBytes) chunks.push(chunk);
  }
  return size <= maximumBytes ? Buffer.concat(chunks) : undefined;
};
