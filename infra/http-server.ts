// What the local HTTP servers share: listening with a clear error, reading bodies, closing cleanly.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';

export type RunningServer = { port: number; stop: () => Promise<void> };

/** Only this machine is served. */
const host = '127.0.0.1';

/** How long requests under way may still take when the server stops. */
const drainMilliseconds = 5_000;
const idleCheckMilliseconds = 20;

/** @throws naming the port where it is taken, and how to choose another */
export const listen = async (
  listener: RequestListener,
  { port, purpose }: { port: number; purpose: string },
): Promise<RunningServer> => {
  const server = createServer(async (request, response) => {
    try {
      await listener(request, response);
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
