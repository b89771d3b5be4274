// Stands before the embedded DynamoDB, which gives as much as it can, and gives no more units in a
// second than the table of a stage: calls beyond that are answered as DynamoDB answers them.

import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { CostBudget } from '#shared/cost-budget.ts';

const readingOperations = new Set(['BatchGetItem', 'GetItem', 'Query', 'Scan']);

/** "ThrottlingException" (DynamoDB Developer Guide, "Error handling"), which the SDK retries. */
const throttled = JSON.stringify({
  __type: 'com.amazon.coral.availability#ThrottlingException',
  message: 'Throughput exceeds the maximum OnDemandThroughput configured on table or index',
});

/**
 * Units that come back at a rate, up to those of a second. A call is let through while there are
 * any, since what it costs is known only afterwards.
 */
const openUnits = (perSecond: number) => {
  let left = perSecond;
  let filledAt = performance.now();
  const fill = (): void => {
    const now = performance.now();
    left = Math.min(perSecond, left + ((now - filledAt) / 1_000) * perSecond);
    filledAt = now;
  };
  return {
    areLeft: (): boolean => {
      fill();
      return left > 0;
    },
    take: (units: number): void => {
      left -= units;
    },
  };
};

const consumedBy = (reply: Buffer): number =>
  [...reply.toString().matchAll(/"CapacityUnits":([\d.]+)/g)].reduce(
    (sum, [, units]) => sum + Number(units),
    0,
  );

export type LimitedTable = Awaited<ReturnType<typeof startLimitedTable>>;

export const startLimitedTable = async (
  endpoint: string,
  { readUnits, writeUnits }: CostBudget,
) => {
  const engine = new URL(endpoint);
  const agent = new Agent({ keepAlive: true });
  const units = { read: openUnits(readUnits), write: openUnits(writeUnits) };
  let used = { read: 0, write: 0, throttled: 0 };
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const kind = readingOperations.has(operation) ? 'read' : 'write';
    outgoing.setHeader('Content-Type', 'application/x-amz-json-1.0');
    if (!units[kind].areLeft()) {
      used.throttled += 1;
      outgoing.writeHead(400).end(throttled);
      return;
    }
    const { host: _, ...headers } = incoming.headers;
    const { hostname, port } = engine;
    const passed = request({ agent, hostname, port, method: 'POST', path: '/', headers });
    passed.on('error', () => outgoing.destroy());
    passed.on('response', async (response) => {
      const reply = await buffer(response);
      const consumed = consumedBy(reply);
      units[kind].take(consumed);
      used[kind] += consumed;
      outgoing.writeHead(response.statusCode ?? 500).end(reply);
    });
    passed.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The units that were used since the last look, and the calls that were turned away. */
    look: () => {
      const found = used;
      used = { read: 0, write: 0, throttled: 0 };
      return found;
    },
    stop: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
};
