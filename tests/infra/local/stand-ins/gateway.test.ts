import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { listen } from '#infra/http-server.ts';
import { createCallback } from '#infra/local/stand-ins/callback.ts';
import { createGateway } from '#infra/local/stand-ins/gateway.ts';
import {
  InvocationRefused,
  type Invoke,
  withReservedConcurrency,
} from '#infra/local/stand-ins/lambda.ts';
import { openRehearsals, serveRehearsals } from '#infra/local/stand-ins/rehearsals.ts';
import { throttledEndpoints } from '#infra/manifest/manifest.ts';
import { stages, type Throttling } from '#infra/manifest/stages.ts';
import { apiErrors } from '#shared/errors.ts';

const { throttling } = stages.production;

/** The authorizer's policy, which allows the key everything. */
const policyFor = (key: string) => {
  const statement = { Action: 'execute-api:Invoke', Effect: 'Allow', Resource: 'arn:*' };
  const policyDocument = { Version: '2012-10-17', Statement: [statement] };
  return { principalId: key, policyDocument, usageIdentifierKey: key };
};

/** Serves a gateway. `answer` is the reply of the functions; every key is its own caller. */
const serveGateway = async (
  answer: (key: string) => Promise<unknown>,
  { limits = throttling, reserved = {} }: { limits?: Throttling; reserved?: object } = {},
) => {
  const invoke: Invoke = async (name, event) => {
    const { headers } = event as { headers: Record<string, string> };
    const key = headers['X-API-Key'] ?? headers['x-api-key'] ?? '';
    if (name !== 'authorizer') return answer(key);
    return policyFor(key);
  };
  const gateway = createGateway(withReservedConcurrency(reserved, invoke), {
    throttling: limits,
    report: () => {},
  });
  const server = await listen(gateway, { port: 0, purpose: 'gateway' });
  stops.push(server.stop);
  /** The status of the reply; for a refusal also its code and Retry-After. */
  return async (key: string, path = 'users/profile', method = 'POST'): Promise<unknown> => {
    const url = `http://127.0.0.1:${server.port}/external/v1/${path}/`;
    const response = await fetch(url, {
      method,
      headers: { 'X-API-Key': key },
      ...(method === 'POST' && { body: '{}' }),
    });
    const { error } = JSON.parse(await response.text());
    if (response.status === 200) return 200;
    return [response.status, error.code, response.headers.get('Retry-After')];
  };
};

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});
afterEach(() => void vi.useRealTimers());

const success = async () => ({ statusCode: 200, body: '{}' });
const throttled = [429, 'too_many_requests', '1'];
const crowded = [503, 'temporarily_unavailable', '1'];
const posting = 'journal_entries/create';

describe('a request without a key', async () => {
  const gateway = createGateway(() => expect.fail('unexpected call of a function'), {
    throttling,
    report: () => {},
  });
  const server = await listen(gateway, { port: 0, purpose: 'gateway' });
  stops.push(server.stop);

  /** The reply to a request with a URL of this length. */
  const ask = async (urlBytes: number): Promise<[status: number, body: string]> => {
    const url = `http://127.0.0.1:${server.port}/external/v1/oauth/platform_a/initiate/?user_id=`;
    const response = await fetch(url.padEnd(urlBytes, '7'));
    return [response.status, await response.text()];
  };

  test('can have the longest request line of the deployed gateway', async () => {
    // API Gateway quotas: the request line and the values of the headers have 10,240 bytes.
    expect(await ask(10_240)).toEqual([401, expect.stringContaining('"api_key_not_accepted"')]);
  });

  test('is refused before it reaches the gateway if its request line is longer', async () => {
    expect(await ask(20_000)).toEqual([431, '']);
  });
});

describe('the throttle', () => {
  test('limits an application to its burst and rate, and leaves others alone', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { burst, ratePerSecond } = throttling.application;
    const ask = await serveGateway(success);
    const answers = await Promise.all(Array.from({ length: burst }, () => ask('busy')));
    expect(new Set(answers)).toEqual(new Set([200]));
    expect([await ask('busy'), await ask('other')]).toEqual([throttled, 200]);
    vi.advanceTimersByTime(1000 / ratePerSecond);
    expect([await ask('busy'), await ask('busy')]).toEqual([200, throttled]);
  });

  test.each(throttledEndpoints)(
    'limits an application that sends $name too fast, and leaves others alone',
    async ({ name, trigger: { method, path } }) => {
      const few = { ratePerSecond: 0.001, burst: 1 };
      const kinds = { batch: few, longRead: few, reversal: few, webhookTest: few };
      const limits = { ...throttling, ...kinds };
      const ask = await serveGateway(success, { limits });
      const send = (key: string) => ask(key, path.replace('/external/v1/', ''), method);
      expect([await send('busy'), await send('busy'), await send('other')]).toEqual([
        ...[200, throttled, 200],
      ]);
      expect(await ask('busy')).toBe(200);
      const [other] = throttledEndpoints.filter((it) => it.name !== name);
      const url = other?.trigger.path.replace('/external/v1/', '');
      expect(await ask('busy', url, other?.trigger.method)).toBe(200);
    },
  );

  test('lets 32 reversals of an application pass at once, as a deployed stage does', async () => {
    const ask = await serveGateway(success);
    const answers = Array.from({ length: 32 }, () => ask('busy', 'journal_entries/reverse'));
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  });

  test('stops all applications at a method beyond its burst, and none at another', async () => {
    const method = { ratePerSecond: 0.001, burst: 2 };
    const ask = await serveGateway(success, { limits: { ...throttling, method } });
    const answers = [await ask('one'), await ask('other'), await ask('third')];
    expect(answers).toEqual([200, 200, throttled]);
    expect(await ask('third', posting)).toBe(200);
  });
});

describe('a function with reserved concurrency', () => {
  test('refuses requests beyond it, and they can be repeated', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const answer = (key: string) => (key === 'waiting' ? released.then(success) : success());
    const ask = await serveGateway(answer, { reserved: { 'create-journal-entry': 2 } });
    const waiting = [ask('waiting', posting), ask('waiting', posting)];
    await expect.poll(() => ask('other', posting)).toEqual(crowded);
    expect(await ask('other')).toBe(200);
    release();
    expect(await Promise.all(waiting)).toEqual([200, 200]);
    expect(await ask('other', posting)).toBe(200);
  });

  test('is refused by its URL with the error of Lambda', async () => {
    const refuse = () => Promise.reject(new InvocationRefused('no execution left'));
    const server = await listen(
      createCallback(refuse, () => {}),
      { port: 0, purpose: 'callback' },
    );
    stops.push(server.stop);
    const response = await fetch(`http://127.0.0.1:${server.port}/oauth/platform_a/callback`);
    expect([response.status, await response.json()]).toEqual([
      apiErrors.too_many_requests.status,
      { message: 'Rate Exceeded.' },
    ]);
  });
});

describe('a rehearsed failure', async () => {
  const path = '/external/v1/users/profile/';
  const rehearsals = openRehearsals();
  let runs = 0;
  const invoke: Invoke = async (name) => {
    if (name !== 'authorizer') runs += 1;
    return name === 'authorizer' ? policyFor('a') : success();
  };
  const gateway = createGateway(invoke, { throttling, report: () => {}, rehearsals });
  const server = await listen(serveRehearsals(rehearsals, gateway), {
    port: 0,
    purpose: 'gateway',
  });
  stops.push(server.stop);
  const base = `http://127.0.0.1:${server.port}`;
  const plan = (query: object, method = 'POST', headers = {}) =>
    fetch(`${base}/rehearsals?${new URLSearchParams({ path, ...query })}`, { method, headers });
  /** The status of a request, whether its function ran, and its Retry-After. */
  const ask = async () => {
    const before = runs;
    const request = { method: 'POST', body: '{}', headers: { 'X-API-Key': 'a' } };
    const { status, headers } = await fetch(`${base}${path}`, request).catch(() => ({
      status: 'no reply',
      headers: new Headers(),
    }));
    return [status, runs - before, headers.get('Retry-After')];
  };

  test.each([
    ['throttled', [429, 0, '1']],
    ['unavailable', [503, 0, '1']],
    ['timed_out', [504, 1, null]],
    ['reply_lost', ['no reply', 1, null]],
    ['slow', [200, 1, null]],
  ])('%s affects as many requests as planned', async (failure, reply) => {
    await plan({ failure, times: '2', milliseconds: '30' });
    expect([await ask(), await ask(), await ask()]).toEqual([reply, reply, [200, 1, null]]);
  });

  test('affects only requests to its path, until it is deleted', async () => {
    await plan({ failure: 'throttled', path: '/external/v1/users/ensure' });
    expect(await ask()).toEqual([200, 1, null]);
    expect(await (await fetch(`${base}/rehearsals`)).json()).toMatchObject({
      rehearsals: [{ path: '/external/v1/users/ensure', failure: 'throttled', times: 1 }],
    });
    await plan({}, 'DELETE');
    expect(rehearsals.list()).toEqual([]);
  });

  test.each([
    ['an unknown failure', { failure: 'x' }, 422],
    ['another path', { failure: 'slow', path: '/docs' }, 422],
    ['no times', { failure: 'slow', times: '0' }, 422],
    ['a longer delay than a minute', { failure: 'slow', milliseconds: '60001' }, 422],
  ])('is refused with %s', async (_, query, status) => {
    expect((await plan(query)).status).toBe(status);
    expect(rehearsals.list()).toEqual([]);
  });

  test('is refused for a web page and for another method', async () => {
    const query = { failure: 'slow' };
    expect((await plan(query, 'POST', { Origin: 'https://app.example' })).status).toBe(403);
    expect((await plan(query, 'PUT')).status).toBe(405);
    expect(rehearsals.list()).toEqual([]);
  });
});
