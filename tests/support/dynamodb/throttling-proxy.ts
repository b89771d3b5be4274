// A proxy for the embedded DynamoDB. The engine has no throughput limit; the proxy throttles calls
// beyond the limits of a stage's table with DynamoDB's own error.

import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { CostBudget } from '#shared/table/cost-budget.ts';

const readingOperations = new Set(['BatchGetItem', 'GetItem', 'Query', 'Scan']);

/** "ThrottlingException" (DynamoDB Developer Guide, "Error handling"), which the SDK retries. */
const throttlingError = JSON.stringify({
  __type: 'com.amazon.coral.availability#ThrottlingException',
  message: 'Throughput exceeds the maximum OnDemandThroughput configured on table or index',
});

/**
 * A token bucket with the units of one second. A call passes while any units are left, since its
 * cost is known only afterwards.
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

export type ThrottlingProxy = Awaited<ReturnType<typeof startThrottlingProxy>>;

export const startThrottlingProxy = async (
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
      outgoing.writeHead(400).end(throttlingError);
      return;
    }
    const { host: _, ...headers } = incoming.headers;
    const { hostname, port } = engine;
    const call = request({ agent, hostname, port, method: 'POST', path: '/', headers });
    call.on('error', () => outgoing.destroy());
    call.on('response', async (response) => {
      const reply = await buffer(response);
      const consumed = consumedBy(reply);
      units[kind].take(consumed);
      used[kind] += consumed;
      outgoing.writeHead(response.statusCode ?? 500).end(reply);
    });
    call.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the units used and the calls throttled since the last `takeUsage`. */
    takeUsage: () => {
      const usage = used;
      used = { read: 0, write: 0, throttled: 0 };
      return usage;
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
