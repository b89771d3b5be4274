// Webhooks from their creation to the deliveries. The receiver verifies with the official library
// and replies as its test wants.

import { Webhook as OfficialWebhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { openTestFeed } from '../../support/events/feed-events.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { problemsOf } from '../../support/readers/replies.ts';
import {
  accepted,
  openReceiver,
  type ReceiverReply,
} from '../../support/servers/webhook-receiver.ts';

const ledger = await openTestLedger();
const time = { now: Date.now() };
const clock = () => new Date(time.now);
const instance = openInstance({ table: ledger.table, clock });
const receiver = await openReceiver();
const { url, received, sequences } = receiver;
afterAll(receiver.stop);
/** The reply to an event, by its sequence. */
const replyTo = (next: (sequence: number) => ReceiverReply) =>
  receiver.reply(({ sequence }) => next(sequence));
beforeEach(() => {
  time.now = Date.now();
  receiver.reset();
});

let applications = 0;
/** An application of its own, with a webhook. */
const openApplication = async (fields: object = {}) => {
  applications += 1;
  const applicationId = String(applications).padStart(16, 'w');
  const { call, send } = callsOf(instance, { applicationId });
  const created = await call('createWebhook', { url: url, ...fields });
  const { webhook_id, secret } = created;
  return {
    applicationId,
    call,
    send,
    created,
    webhook_id,
    secret,
    ...openTestFeed(ledger.table, { applicationId, clock }),
    deliver: () =>
      instance.deliverEvents({ applicationId, webhookId: webhook_id }, lambdaContext(100_000)),
    show: async () => (await call('listWebhooks', {})).webhooks[0],
  };
};

describe('a delivery', () => {
  test('has one event, signed so that the official library accepts it', async () => {
    const { record, deliver, secret, call, show } = await openApplication();
    await record('acme');
    await deliver();
    const [first = expect.fail()] = received;
    const verified = new OfficialWebhook(secret).verify(
      first.body,
      first.headers as Record<string, string>,
    );
    const { events } = await call('listEvents', {});
    expect([verified]).toEqual(events);
    expect(first.headers).toMatchObject({
      'webhook-id': events[0].event_id,
      'content-type': 'application/json',
    });
    const other = new OfficialWebhook(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
    expect(() => other.verify(first.body, first.headers as Record<string, string>)).toThrow();
    expect(await show()).toMatchObject({
      status: 'active',
      delivered_through: 1,
      last_attempt: { status_code: 204, error: null },
    });
  });

  test('starts with the next event, and each is sent once', async () => {
    const { recordMany, deliver } = await openApplication();
    await recordMany(23);
    await deliver();
    await deliver();
    expect(sequences().toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 23 }, (_, index) => index + 1),
    );
  });

  test('has only events of the types and tenants of the webhook', async () => {
    await ledger.createTenant('Wanted', {
      applicationId: String(applications + 1).padStart(16, 'w'),
    });
    const wanted = await openApplication({ tenants: ['wanted-k7m2xq'], types: ['tenant.updated'] });
    await wanted.record('other', 'wanted-k7m2xq', 'other');
    await wanted.deliver();
    expect(sequences()).toEqual([2]);
    expect(await wanted.show()).toMatchObject({ delivered_through: 3 });
  });

  test('has signatures of both secrets for a day after a rotation', async () => {
    const { record, deliver, secret, call, webhook_id } = await openApplication();
    const rotated = await call('rotateWebhookSecret', { webhook_id });
    await record('acme');
    await deliver();
    for (const key of [secret, rotated.secret]) {
      const { body, headers } = received[0] ?? expect.fail();
      new OfficialWebhook(key).verify(body, headers as Record<string, string>);
    }
    const { now } = time;
    time.now += 24 * 60 * 60_000 + 1_000;
    await record('acme');
    await deliver();
    const signatures = received.map(({ headers }) =>
      String(headers['webhook-signature']).split(' '),
    );
    expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
    time.now = now;
  });
});

describe('a creation that is repeated after a lost reply', () => {
  const headers = { 'Idempotency-Key': 'hook-1' };
  const create = async (applicationId: string, description = 'Invoicing') =>
    callsOf(instance, { applicationId }).send('createWebhook', { url, description }, { headers });

  test('returns the webhook with its secret, for a day, until a rotation', async () => {
    const applicationId = 'repeated00000000';
    const { call } = callsOf(instance, { applicationId });
    const first = await create(applicationId);
    const { secret, webhook_id } = first.body.data;
    expect(first.body.data.replayed).toBe(false);
    const repeat = await create(applicationId);
    expect(repeat.body.data).toEqual({ ...first.body.data, replayed: true });
    expect(repeat.headers['Idempotent-Replayed']).toBe('true');
    time.now += 24 * 60 * 60_000;
    expect((await create(applicationId)).body.data.secret).toBeNull();
    time.now -= 24 * 60 * 60_000;
    const rotated = await call('rotateWebhookSecret', { webhook_id });
    expect(rotated.secret).not.toBe(secret);
    expect((await create(applicationId)).body.data).toMatchObject({ webhook_id, secret: null });
    expect((await call('listWebhooks', {})).webhooks).toHaveLength(1);
  });

  test('creates one webhook, also if both arrive at once', async () => {
    const applicationId = 'simultaneous0000';
    const replies = await Promise.all([create(applicationId), create(applicationId)]);
    const [one, other] = replies.map(({ body }) => body.data);
    expect(other.secret).toBe(one.secret);
    expect([one.replayed, other.replayed].toSorted()).toEqual([false, true]);
  });

  test('is refused with other content, and creates another one after a removal', async () => {
    const applicationId = 'reused0000000000';
    const { call } = callsOf(instance, { applicationId });
    const { webhook_id } = (await create(applicationId)).body.data;
    const reused = await create(applicationId, 'Other');
    expect([reused.status, reused.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    await call('deleteWebhook', { webhook_id });
    expect((await create(applicationId)).body.data).toMatchObject({ replayed: false });
  });

  test('is refused with a key that is not valid, with all other problems', async () => {
    const { send } = callsOf(instance, { applicationId: 'refused000000000' });
    const options = { headers: { 'Idempotency-Key': 'a b' } };
    expect(problemsOf(await send('createWebhook', { url, types: ['x'] }, options))).toEqual([
      'event_type_unknown /types/0',
      'idempotency_key_not_valid /Idempotency-Key',
    ]);
    expect(problemsOf(await send('createWebhook', { url }, options))).toEqual([
      'idempotency_key_not_valid /Idempotency-Key',
    ]);
  });
});

test('a rotation that is repeated after a lost reply leaves the secret in use', async () => {
  const { recordMany, deliver, secret, call, webhook_id } = await openApplication();
  await call('rotateWebhookSecret', { webhook_id });
  const { secret: latest } = await call('rotateWebhookSecret', { webhook_id });
  await recordMany(1);
  await deliver();
  const { body, headers } = received[0] ?? expect.fail();
  for (const key of [secret, latest]) {
    new OfficialWebhook(key).verify(body, headers as Record<string, string>);
  }
});

describe('a failure of the endpoint', () => {
  test.each([
    ['500', { status: 500 }, 60],
    ['408', { status: 408 }, 60],
    ['429 with a Retry-After', { status: 429, headers: { 'Retry-After': '600' } }, 600],
    [
      '503 with a Retry-After beyond an hour',
      { status: 503, headers: { 'Retry-After': '99999' } },
      3_600,
    ],
    ['no reply', 'hang up', 60],
  ] as const)('%s makes all events wait, and skips none', async (_, reply, seconds) => {
    const { record, deliver, show } = await openApplication();
    await record('a', 'b', 'c');
    replyTo((sequence) => (sequence === 2 ? reply : accepted));
    await deliver();
    expect(await show()).toMatchObject({ status: 'failing', delivered_through: 1 });
    const { next_attempt_at } = await show();
    expect((Date.parse(next_attempt_at) - time.now) / 1_000).toBeCloseTo(seconds, -1);
    received.length = 0;
    await deliver();
    expect(received, 'waits').toEqual([]);
    receiver.reply(() => accepted);
    time.now += seconds * 1_000 + 1_000;
    await deliver();
    expect(sequences()).toEqual([2, 3]);
    expect(await show()).toMatchObject({ status: 'active', delivered_through: 3 });
  });

  test('410 disables the webhook, which is an event', async () => {
    const { record, deliver, show, call, webhook_id } = await openApplication();
    await record('a');
    replyTo(() => ({ status: 410 }));
    await deliver();
    const disabled = { status: 'disabled', disabled_reason: 'endpoint_gone', delivered_through: 0 };
    expect(await show()).toMatchObject(disabled);
    receiver.reply(() => accepted);
    await call('updateWebhook', { webhook_id, status: 'active' });
    await deliver();
    expect(sequences()).toEqual([1, 1]);
  });

  test('five days without a success disable the webhook', async () => {
    const { record, deliver, show } = await openApplication();
    const { now } = time;
    await record('a');
    replyTo(() => ({ status: 500 }));
    for (let attempts = 0; (await show()).status !== 'disabled'; attempts += 1) {
      expect(attempts).toBeLessThan(30);
      await deliver();
      time.now += 13 * 60 * 60_000;
    }
    expect((time.now - now) / (24 * 60 * 60_000)).toBeGreaterThan(5);
    expect(await show()).toMatchObject({ disabled_reason: 'no_success_in_five_days' });
    time.now = now;
  });
});

describe('a refused event', () => {
  test('is parked, and those after it are delivered', async () => {
    const { record, deliver, show } = await openApplication();
    const { now } = time;
    await record('a', 'b', 'c');
    replyTo((sequence) => (sequence === 2 ? { status: 400 } : accepted));
    await deliver();
    expect(await show()).toMatchObject({ status: 'active', delivered_through: 3, parked: 1 });
    received.length = 0;
    receiver.reply(() => accepted);
    time.now += 2 * 60_000;
    await deliver();
    expect(sequences()).toEqual([2]);
    expect(await show()).toMatchObject({ parked: 0, dropped: 0 });
    time.now = now;
  });

  test('is dropped after 75 hours', async () => {
    const { record, deliver, show } = await openApplication();
    const { now } = time;
    await record('a');
    replyTo(() => ({ status: 302, headers: { Location: 'http://localhost/' } }));
    for (let attempts = 0; attempts < 20; attempts += 1) {
      await deliver();
      time.now += 13 * 60 * 60_000;
      await record('b');
      replyTo((sequence) => (sequence === 1 ? { status: 302 } : accepted));
    }
    expect(await show()).toMatchObject({ parked: 0, dropped: 1, status: 'active' });
    time.now = now;
  });

  test('ten in a row are a failure of the endpoint', async () => {
    const { recordMany, deliver, show } = await openApplication();
    await recordMany(12);
    replyTo(() => ({ status: 404 }));
    await deliver();
    expect(await show()).toMatchObject({ status: 'failing', parked: 10, delivered_through: 10 });
  });
});

describe('a request about webhooks', () => {
  test.each([
    ['http', { url: 'http://example.com/' }, 'webhook_url_not_allowed /url', { rule: 'https' }],
    [
      'another port',
      { url: 'https://example.com:8443/' },
      'webhook_url_not_allowed /url',
      { rule: 'port_443' },
    ],
    [
      'user info',
      { url: 'https://a:b@example.com/' },
      'webhook_url_not_allowed /url',
      { rule: 'no_user_info' },
    ],
    [
      'a private address',
      { url: 'https://10.0.0.7/' },
      'webhook_url_not_allowed /url',
      { rule: 'public_address', resolved_to: ['10.0.0.7'] },
    ],
    [
      'an address in another notation',
      { url: 'https://0x7f.1/' },
      'webhook_url_not_allowed /url',
      { rule: 'public_address', resolved_to: ['127.0.0.1'] },
    ],
    [
      'an IPv4-mapped address',
      { url: 'https://[::ffff:10.0.0.7]/' },
      'webhook_url_not_allowed /url',
      { rule: 'public_address' },
    ],
  ] as const)('is refused with %s', async (_, body, problem, params) => {
    const { send } = callsOf(instance, { applicationId: 'refused000000000' });
    const reply = await send('createWebhook', body);
    expect(problemsOf(reply)).toEqual([problem]);
    expect(reply.body.error.details[0].params).toMatchObject(params);
  });

  test('to change the URL is refused as well', async () => {
    const { send, webhook_id } = await openApplication();
    const reply = await send('updateWebhook', { webhook_id, url: 'https://192.168.1.1/' });
    expect(problemsOf(reply)).toEqual(['webhook_url_not_allowed /url']);
    expect(reply.body.error.details[0].params).toEqual({
      rule: 'public_address',
      resolved_to: ['192.168.1.1'],
    });
  });

  test('names the known types, and refuses tenants of others', async () => {
    const { send } = callsOf(instance, { applicationId: 'refused000000000' });
    const ofType = await send('createWebhook', { url: url, types: ['x'] });
    expect(problemsOf(ofType)).toEqual(['event_type_unknown /types/0']);
    expect(ofType.body.error.details[0].params.known).toContain('journal_entry.posted');
    const ofTenant = await send('createWebhook', { url: url, tenants: ['x-y'] });
    expect(problemsOf(ofTenant)).toEqual(['tenant_not_found /tenants/0']);
  });

  test('is refused beyond five webhooks', async () => {
    const { call, send } = await openApplication();
    for (let count = 0; count < 4; count += 1) await call('createWebhook', { url: url });
    expect(problemsOf(await send('createWebhook', { url: url }))).toEqual([
      'webhook_quota_reached ',
    ]);
  });

  test.each(['updateWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook'] as const)(
    '%s knows only webhooks of its application',
    async (endpoint) => {
      const { webhook_id } = await openApplication();
      const { send } = callsOf(instance, { applicationId: 'other00000000000' });
      const body = endpoint === 'updateWebhook' ? { webhook_id, description: 'x' } : { webhook_id };
      const reply = await send(endpoint, body);
      expect([reply.status, reply.body.error.code]).toEqual([404, 'webhook_not_found']);
    },
  );

  test('replays from a sequence that the feed has', async () => {
    const { call, send, record, deliver, webhook_id } = await openApplication();
    await record('a', 'b', 'c');
    await deliver();
    received.length = 0;
    await call('updateWebhook', { webhook_id, deliver_from: 2 });
    await deliver();
    expect(sequences()).toEqual([2, 3]);
    expect(problemsOf(await send('updateWebhook', { webhook_id, deliver_from: 9 }))).toEqual([
      'sequence_not_reached /deliver_from',
    ]);
    expect(problemsOf(await send('updateWebhook', { webhook_id }))).toEqual(['nothing_to_change ']);
  });

  test('tests a webhook at once, and shows what came of it', async () => {
    const { call, webhook_id, secret } = await openApplication();
    replyTo(() => ({ status: 503 }));
    const failed = await call('testWebhook', { webhook_id });
    expect(failed).toMatchObject({ delivered: false, attempt: { status_code: 503 } });
    const { body, headers } = received[0] ?? expect.fail();
    expect(
      new OfficialWebhook(secret).verify(body, headers as Record<string, string>),
    ).toMatchObject({ type: 'webhook.test', sequence: null });
  });

  test('deletes a webhook, which then gets nothing', async () => {
    const { call, webhook_id, record, deliver } = await openApplication();
    await call('deleteWebhook', { webhook_id });
    await record('a');
    await deliver();
    expect(received).toEqual([]);
    expect((await call('listWebhooks', {})).webhooks).toEqual([]);
  });
});
