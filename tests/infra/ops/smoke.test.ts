// The smoke test against an API with one fault at a time. tests/end-to-end/operator.test.ts runs it
// against a working stage.

import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { smoke } from '#infra/ops/commands/smoke.ts';
import { someRates } from '../../support/builders/ledger.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';
import { serve } from '../../support/servers/serve.ts';

const operator = useOperator({ pepper: Buffer.alloc(32, 1) });

type Reply = { status?: number; data?: object; replayed?: boolean; error?: object };

const tenant = { tenant_domain_url: 'smoke-test' };
const entry = { journal_entry_id: 'e1', journal_number: 'MJ-20260323-0001' };
const good: Record<string, Reply> = {
  'users/ensure/': { data: { user_id: '1' } },
  'tenants/create/': { data: tenant },
  post: { data: entry },
  replay: { data: entry, replayed: true },
  'users/profile/': { data: { tenants: [tenant] } },
};

let server: Awaited<ReturnType<typeof serve>>;
let replies: Record<string, Reply>;
let keys: Set<string>;
let posts: Set<string>;
beforeEach(() => {
  replies = { ...good };
  keys = new Set();
  posts = new Set();
});
beforeAll(async () => {
  await operator.dependencies.exchangeRates.record(someRates);
  server = await serve(async (incoming, outgoing) => {
    const body = JSON.parse(await text(incoming));
    keys.add(String(incoming.headers['x-api-key']));
    const path = (incoming.url ?? '').replace('/external/v1/', '');
    const name = posts.has(body.external_id) ? 'replay' : 'post';
    if (body.external_id) posts.add(body.external_id);
    const reply = replies[path.startsWith('journal_entries') ? name : path] ?? { status: 404 };
    const { status = 200, replayed, ...content } = reply;
    outgoing.writeHead(status, replayed ? { 'Idempotent-Replayed': 'true' } : {});
    outgoing.end(JSON.stringify(content));
  });
});
afterAll(() => server.stop());

const run = () =>
  smoke.run(
    { ...operator.dependencies, baseUrl: async () => `${server.url}/`, sleep: async () => {} },
    { baseUrl: undefined },
  );

const liveKeys = async (): Promise<number> => {
  const { applications } = operator.dependencies;
  const found = await applications.findByName('smoke-test');
  const all = await applications.listKeys(found?.applicationId ?? '');
  return all.filter(({ revokedAt }) => revokedAt === null).length;
};

test('a run has its own key and reports the duration of each call', async () => {
  const { calls, tenant, journal_number } = await run();
  expect({ tenant, journal_number }).toEqual({
    tenant: 'smoke-test',
    journal_number: entry.journal_number,
  });
  expect(calls).toEqual(
    ['ensure', 'tenant', 'post', 'replay', 'profile'].map((call) => ({
      call,
      status: 200,
      milliseconds: expect.any(Number),
    })),
  );
  await run();
  expect([keys.size, posts.size, await liveKeys()]).toEqual([2, 2, 0]);
});

test('retries the first call while the gateway is not ready', async () => {
  replies['users/ensure/'] = { status: 401 };
  const first = run();
  await expect.poll(() => keys.size).toBe(1);
  replies['users/ensure/'] = good['users/ensure/'] ?? {};
  expect(await first).toMatchObject({ tenant: 'smoke-test' });
});

const unavailable = { code: 'exchange_rate_unavailable', message: 'No rate.', request_id: 'r1' };
test.each<[string, Record<string, Reply>, string]>([
  [
    'refuses the entry',
    { post: { status: 422, error: { ...unavailable, details: [{ code: 'x' }] } } },
    'post replied 422 exchange_rate_unavailable (x) No rate. [request_id r1]',
  ],
  [
    'refuses the first call permanently',
    { 'users/ensure/': { status: 400, error: unavailable } },
    'ensure replied 400 exchange_rate_unavailable No rate. [request_id r1]',
  ],
  ['replies without an error', { post: { status: 500 } }, 'post replied 500, and the body is not'],
  ['posts twice', { replay: { data: entry } }, 'the entry was posted a second time'],
  [
    'forgets the tenant',
    { 'users/profile/': { data: { tenants: [] } } },
    'the profile does not show the tenant',
  ],
])('fails if the API %s, and leaves no key', async (_title, wrong, sentence) => {
  Object.assign(replies, wrong);
  expect(await refusalOf(run())).toContain(`the smoke test failed: ${sentence}`);
  expect(await liveKeys()).toBe(0);
});
