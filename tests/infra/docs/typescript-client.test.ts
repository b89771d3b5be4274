// The TypeScript client's retries and signatures, without its generated types.
// `npm run test:clients` uses its package against the service.

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

const source = new URL('../../../infra/docs/clients/typescript/src/', import.meta.url).href;
const { openLedger } = await import(`${source}ledger.ts`);
const { verifyWebhook } = await import(`${source}webhooks.ts`);

/** A status, or a lost reply; then the seconds of its Retry-After. */
type Reply = [status: number | 'lost', retryAfter?: number];
let replies: Reply[] = [];
let keys: unknown[] = [];
const server = createServer((request, response) => {
  keys.push(request.headers['idempotency-key']);
  const [status, retryAfter] = replies.shift() ?? [200];
  if (status === 'lost') return void response.destroy();
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  response.writeHead(status, { 'Content-Type': 'application/json' });
  const error = { code: 'a_code', retryable: status === 429 || status === 503 };
  response.end(JSON.stringify(status === 200 ? { data: { replayed: false } } : { error }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const ledger = openLedger({ baseUrl, apiKey: 'key' });
afterAll(() => server.close());
beforeEach(() => {
  keys = [];
});

describe('a write', () => {
  test('is sent again with the same key until a reply comes', async () => {
    replies = [[503, 0], [504], ['lost'], [200]];
    expect(await ledger.post('/path/', {})).toEqual({ replayed: false });
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    await ledger.post('/path/', {});
    expect(new Set(keys).size).toBe(2);
  });

  test('waits as long as the service asks for', async () => {
    replies = [[429, 1], [200]];
    const startedAt = performance.now();
    await ledger.post('/path/', {}, { idempotencyKey: 'mine' });
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
    expect(keys).toEqual(['mine', 'mine']);
  });

  test.each<[string, Reply[], number]>([
    ['a refusal', [[422]], 1],
    ['a long pause', [[429, 3_600]], 1],
    [
      'the last attempt',
      [
        [503, 0],
        [503, 0],
        [503, 0],
      ],
      3,
    ],
  ])('is not sent again after %s', async (_, planned, attempts) => {
    replies = [...planned];
    const patient = openLedger({ baseUrl, apiKey: 'key', attempts: 3 });
    const status = planned.at(-1)?.[0];
    await expect(patient.post('/path/', {})).rejects.toMatchObject({ code: 'a_code', status });
    expect(keys).toHaveLength(attempts);
  });
});

describe('a webhook', () => {
  const secret = Buffer.from('a'.repeat(32));
  const sign = (content: string) =>
    `v1,${createHmac('sha256', secret).update(content).digest('base64')}`;
  const now = Math.floor(Date.now() / 1000);
  const delivery = (timestamp: number, signed = 'evt_1') => ({
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(`${signed}.${timestamp}.{}`),
    },
    body: '{}',
  });
  const verify = (it: object) => verifyWebhook(it, `whsec_${secret.toString('base64')}`);

  test('is accepted if it is signed with the secret and new', async () => {
    expect(await verify(delivery(now))).toEqual({});
    await expect(verify(delivery(now - 301))).rejects.toThrow('just now');
    await expect(verify(delivery(now, 'evt_2'))).rejects.toThrow('this secret');
  });
});
