// The sandbox's inbox: it checks signatures, replies as its switch says, and shows what arrived.

import { afterAll, beforeEach, expect, test } from 'vitest';
import { newWebhookSecret, signedHeaders } from '#shared/events/webhook-signature.ts';
import { sandboxClients, startSandboxPlatform } from '../../support/servers/sandbox.ts';

const secret = newWebhookSecret((size) => new Uint8Array(size).fill(7));
const sandbox = await startSandboxPlatform({ clients: sandboxClients, webhookSecret: secret });
afterAll(sandbox.stop);

const setReply = (reply: string) =>
  fetch(`${sandbox.url}/inbox/reply`, {
    method: 'POST',
    body: new URLSearchParams({ reply }),
    redirect: 'manual',
  });
beforeEach(() => setReply('accept'));

const deliver = (id: string, { signedWith = secret, patience = 2_000 } = {}) => {
  const body = JSON.stringify({ sequence: 1, type: 'tenant.created' });
  return fetch(`${sandbox.url}/inbox`, {
    method: 'POST',
    body,
    headers: signedHeaders({ id, at: new Date(), body }, [signedWith]),
    signal: AbortSignal.timeout(patience),
  });
};
const arrivals = async () => {
  const reply = await fetch(`${sandbox.url}/inbox/deliveries`);
  return ((await reply.json()) as { deliveries: object[] }).deliveries;
};

test('a delivery is shown with its signature and the number of its attempt', async () => {
  expect((await deliver('evt_1')).status).toBe(200);
  expect((await deliver('evt_1')).status).toBe(200);
  const other = newWebhookSecret((size) => new Uint8Array(size).fill(8));
  await deliver('evt_2', { signedWith: other });
  expect(await arrivals()).toMatchObject([
    { webhook_id: 'evt_2', attempt: 1, signature: 'not valid' },
    { webhook_id: 'evt_1', attempt: 2, signature: 'valid' },
    { webhook_id: 'evt_1', attempt: 1, signature: 'valid', event: { type: 'tenant.created' } },
  ]);
  const page = await (await fetch(`${sandbox.url}/inbox`)).text();
  expect(page).toContain('signature not valid, attempt 1');
});

test.each([
  ['error', 500, null],
  ['gone', 410, null],
  ['busy', 429, '5'],
])('the switch %s makes it reply %i', async (reply, status, retryAfter) => {
  expect((await setReply(reply)).status).toBe(303);
  const replied = await deliver('evt_3');
  expect([replied.status, replied.headers.get('Retry-After')]).toEqual([status, retryAfter]);
  expect((await arrivals())[0]).toMatchObject({ webhook_id: 'evt_3', replied: reply });
});

test.each(['hang', 'slow'])('the switch %s makes senders wait', async (reply) => {
  await setReply(reply);
  await expect(deliver('evt_4', { patience: 300 })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('an unknown switch is refused with the known ones', async () => {
  const refused = await setReply('explode');
  expect([refused.status, await refused.json()]).toEqual([
    422,
    { known: ['accept', 'error', 'gone', 'busy', 'hang', 'slow'] },
  ]);
});
