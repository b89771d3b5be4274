// A proxy for the embedded DynamoDB that delays every call, like the way to a table on AWS.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** @param milliseconds the delay of each call */
export const startDelayingProxy = async (endpoint: string, milliseconds: number) => {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (incoming) => {
    const outgoing = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    // Timers of the same duration fire in the order in which they were set.
    incoming.on('data', (chunk) => setTimeout(() => outgoing.write(chunk), milliseconds));
    outgoing.pipe(incoming);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
