// The base of the local HTTP servers. They refuse foreign pages, report a taken port, read bodies
// and close cleanly.

import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';

export type RunningServer = { port: number; stop: () => Promise<void> };

const host = '127.0.0.1';

/** The time for open requests to finish when the server stops. */
const drainMilliseconds = 5_000;
const idleCheckMilliseconds = 20;

/** The host names of local servers. */
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/**
 * Refuses requests from pages of other sites in a browser on this machine. Such a page can point
 * its host name at 127.0.0.1 (DNS rebinding) and then has the same origin as the local server. It
 * can also send a POST without reading the reply; the browser marks this request (Fetch Metadata
 * Request Headers, section 2.4). Links and redirects from other sites are GET requests.
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

/** @throws if the port is taken; the message says how to choose another */
export const listen = async (
  listener: RequestListener,
  { port, purpose }: { port: number; purpose: string },
): Promise<RunningServer> => {
  const server = createServer(async (request, response) => {
    try {
      if (!refuseForeign(request, response)) await listener(request, response);
    } catch {
      // The caller closed the connection during the request.
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
      // Keep-alive connections become idle after their request and would delay the stop.
      const idle = setInterval(() => server.closeIdleConnections(), idleCheckMilliseconds);
      const late = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
    },
  };
};

/** The body, or `undefined` if it is larger than `maximumBytes`. */
export const readBody = async (
  request: IncomingMessage,
  maximumBytes: number,
): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // The server reads the rest and drops it. Without this, the caller may not see the reply.
    if (size <= maximumBytes) chunks.push(chunk);
  }
  return size <= maximumBytes ? Buffer.concat(chunks) : undefined;
};
