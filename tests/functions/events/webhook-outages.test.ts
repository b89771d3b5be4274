// What webhooks get after a long outage, and beside one that is dead.

import { expect, test } from 'vitest';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { openTestFeed } from '../../support/events/feed-events.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { callsOf } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { passNight } from '../../support/harnesses/webhook-night.ts';
import { accepted, openReceiver } from '../../support/servers/webhook-receiver.ts';

const { table } = await openTestLedger();

/** Other tests may leave little of the machine. */
const timeout = 120_000;

test.each([
  ['when the schedule tries again', false, 12 * 60],
  ['at once if the application sets the status', true, 5],
])('after a night off, everything arrives once, %s', { timeout }, async (_, isHelped, minutes) => {
  const applicationId = isHelped ? 'helped0000000000' : 'night00000000000';
  const load = { eventsPerMinute: 1, stepMinutes: 5 };
  const night = await passNight(table, { applicationId, ...load, isHelped });
  // Ten are sent at the same time.
  const few = { twice: 0, arrived: night.events, overtaken: expect.toSatisfy((it) => it < 10) };
  expect(night).toMatchObject(few);
  expect(night.minutesToFirst).toBeLessThanOrEqual(minutes);
  expect(night.minutesToLast - night.minutesToFirst, 'in one go').toBeLessThanOrEqual(5);
  expect(night.attempts, 'ten events for each attempt').toBeLessThan(100);
});

test('a dead webhook does not delay another one of its application', async () => {
  const applicationId = 'beside0000000000';
  const clock = () => new Date();
  const instance = openInstance({ table, clock });
  const { call } = callsOf(instance, { applicationId });
  const receiver = await openReceiver();
  receiver.reply(({ path }) => (path === '/dead' ? 'hang' : accepted));
  const create = async (path: string): Promise<string> =>
    (await call('createWebhook', { url: `${receiver.url}${path}` })).webhook_id;
  const [dead, healthy] = [await create('/dead'), await create('/healthy')];
  await openTestFeed(table, { applicationId, clock }).recordMany(20);
  const deliver = (webhookId: string) =>
    instance.deliverEvents({ applicationId, webhookId }, lambdaContext(100_000));
  let isDeadDone = false;
  const ofDead = deliver(dead).then(() => {
    isDeadDone = true;
  });
  await deliver(healthy);
  const arrived = receiver.received.filter(({ path }) => path === '/healthy');
  expect([isDeadDone, arrived.length]).toEqual([false, 20]);
  await ofDead;
  const { webhooks } = await call('listWebhooks', {});
  expect(webhooks).toMatchObject([
    { status: 'failing', delivered_through: 0, last_attempt: { error: 'timed_out' } },
    { status: 'active', delivered_through: 20 },
  ]);
  await receiver.stop();
});
