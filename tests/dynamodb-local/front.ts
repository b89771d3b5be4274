// A proxy for DynamoDB Local with three additions: it queues callers when the engine has no free
// connection, gives each path a database, and restores the type of empty maps in the stream.

import { Agent, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../support/servers/serve.ts';

/** The engine has 50 places for connections that it has not accepted yet, and is slow to. */
const maximumConnections = 16;

type Value = { M?: Record<string, Value>; L?: Value[] };

/** DynamoDB Local 3.1 gives `{}` for an empty map in a stream, DynamoDB `{"M": {}}`. */
const withMaps = (value: Value): Value => {
  if (value.L) return { L: value.L.map(withMaps) };
  if (value.M) return { M: attributesWithMaps(value.M) };
  return Object.keys(value).length === 0 ? { M: {} } : value;
};

const attributesWithMaps = (attributes: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(attributes).map(([name, it]) => [name, withMaps(it)]));

type Records = { Records?: { dynamodb: Record<string, unknown> }[] };

/** The reply to GetRecords with its images as DynamoDB has them. */
const recordsWithMaps = (reply: string): string => {
  const body: Records = JSON.parse(reply);
  for (const { dynamodb } of body.Records ?? []) {
    for (const image of ['OldImage', 'NewImage']) {
      const attributes = dynamodb[image] as Record<string, Value> | undefined;
      if (attributes) dynamodb[image] = attributesWithMaps(attributes);
    }
  }
  return JSON.stringify(body);
};

/**
 * Serves on a free port. A path `/<name>` (letters and digits) selects the database of that name:
 * the name becomes the access key. The path `/` keeps the caller's key.
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
    const readsStream = String(incoming.headers['x-amz-target']).endsWith('.GetRecords');
    const inner = send(call, (answer) => {
      const { statusCode = 502, headers } = answer;
      if (!readsStream) {
        outgoing.writeHead(statusCode, headers);
        answer.pipe(outgoing);
        return;
      }
      const { 'content-length': _, ...others } = headers;
      text(answer).then(
        (reply) => outgoing.writeHead(statusCode, others).end(recordsWithMaps(reply)),
        () => outgoing.destroy(),
      );
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
