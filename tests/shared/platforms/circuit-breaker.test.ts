import { afterAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openCircuitBreaker, pauseMilliseconds } from '#shared/platforms/circuit-breaker.ts';
import { openHttp } from '#shared/platforms/http.ts';
import { failureOf } from '../../support/readers/platform-failures.ts';
import { startFakeServer } from '../../support/servers/fake-server.ts';

const server = await startFakeServer();
afterAll(server.stop);
beforeEach(() => {
  server.requests.length = 0;
});

const openTestHttp = () => {
  const clock = { now: 0 };
  const circuitBreaker = openCircuitBreaker({ now: () => clock.now });
  const { call } = openHttp({ timeoutMilliseconds: 50, circuitBreaker });
  const get = () =>
    call({ url: new URL('/companies', server.url), headers: {}, schema: z.unknown() });
  /** The reason of the failure and the seconds to wait, or nothing. */
  const outcome = async () => {
    const calling = get();
    if (
      await calling.then(
        () => true,
        () => false,
      )
    )
      return 'replied';
    const { reason, retryAfterSeconds } = await failureOf(calling, []);
    return [reason, retryAfterSeconds].filter((it) => it !== undefined).join(' ');
  };
  return { clock, outcome };
};

const hang = undefined;
const works = { body: '{}' };

test('after three timeouts no call is sent for 30 seconds, and then one call', async () => {
  const { clock, outcome } = openTestHttp();
  server.reply = hang;
  for (let call = 1; call <= 3; call += 1) expect(await outcome()).toBe('platform_timed_out');
  expect(await outcome()).toBe('platform_timed_out 30');
  clock.now += pauseMilliseconds - 1;
  expect(await outcome()).toBe('platform_timed_out 1');
  expect(server.requests).toHaveLength(3);

  clock.now += 1;
  const [test, other] = await Promise.all([outcome(), outcome()]);
  expect([test, other]).toEqual(['platform_timed_out', 'platform_timed_out 30']);
  expect(server.requests).toHaveLength(4);

  server.reply = works;
  clock.now += pauseMilliseconds;
  expect([await outcome(), await outcome(), await outcome()]).toEqual(Array(3).fill('replied'));
  expect(server.requests).toHaveLength(7);
});

test('a reply between two timeouts counts from the beginning, also if it is an error', async () => {
  const { outcome } = openTestHttp();
  for (const reply of [hang, hang, { status: 500, body: '{}' }, hang, hang, works]) {
    server.reply = reply;
    expect(await outcome()).not.toContain(' ');
  }
  expect(server.requests).toHaveLength(6);
});
