// Stands before DynamoDB Local, for two things that it does not do by itself: it makes callers wait
// where the engine would leave them without a connection, and it gives every path a database.

import { Agent, request as send } from 'node:http';
import { serve } from '../support/servers/serve.ts';

/** The engine has 50 places for connections that it has not accepted yet, and is slow to. */
const maximumConnections = 16;

/**
 * Serves on a free port. `/<name>` leads to a database of that name (letters and digits), which for
 * the engine is that of an access key; `/` leaves the caller's own key as it is.
 */
export const startFront = async (enginePort: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: maximumConnections });
  const { url, stop } = await serve((incoming, outgoing) => {
    const [, name] = /^\/([0-9a-z]+)\/?$/i.exec(incoming.url ?? '') ?? [];
    const { authorization = '', ...others } = incoming.headers;
    const headers = {
      ...others,
      authorization: name
        ? authorization.replace(/Credential=[^/]+/, `Credential=${name}`)
        : authorization,
    };
    const call = { host: '127.0.0.1', port: enginePort, method: 'POST', path: '/', headers, agent };
    const inner = send(call, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    outgoing.on('close', () => inner.destroy());
    incoming.pipe(inner);
  });
  return {
    endpoint: url,
    stop: async (): Promise<void> => {
      await stop();
      agent.destroy();
    },
  };
};
