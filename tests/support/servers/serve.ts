// A server on a free port of this machine, for the stand-ins of this folder.

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** `stop` ends requests in progress. After `unref`, the server keeps no process alive. */
export const serve = async (
  listener: RequestListener,
): Promise<{ url: string; unref: () => void; stop: () => Promise<void> }> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port to listen on');
  return {
    url: `http://127.0.0.1:${address.port}`,
    unref: () => void server.unref(),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
