// The search for secrets in what the tests make the service log, print and answer: that it finds
// what is planted, wherever that is. watch-secrets.ts runs it after every test file.

import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { welcomeText } from '#infra/local/welcome.ts';
import { hashApiKey, newApiKey, newApplicationId } from '#shared/domain/api-keys.ts';
import { newState } from '#shared/domain/authorization-states.ts';
import { writtenAs } from '../support/recorders/log.ts';
import { openSecretsCollector } from '../support/recorders/secrets-collector.ts';
import { watchReplies } from '../support/recorders/secrets-watch.ts';
import { startFakeServer } from '../support/servers/fake-server.ts';

const { apiKey } = newApiKey(newApplicationId(randomBytes), randomBytes);
const pepper = randomBytes(32);
const state = newState(randomBytes);

describe('a secret is found by its form:', () => {
  test.each<[string, string, string]>([
    ['an API key', apiKey, 'an API key'],
    ['a pepper', pepper.toString('base64'), 'a pepper, a sealing key or the hash of an API key'],
    [
      'the hash of an API key',
      hashApiKey(apiKey, pepper),
      'a pepper, a sealing key or the hash of an API key',
    ],
    ['a state', state, 'a state, a code or a token'],
    ['a hash of a password', '$argon2id$v=19$m=19456', 'a hash of a password'],
    ['a token of the fake platform', 'secret-refresh-7', 'a token of the fake platform'],
  ])('%s', (_, secret, kind) => {
    const collector = openSecretsCollector();
    collector.keep('a log line', JSON.stringify({ message: `got ${secret}.`, level: 'INFO' }));
    expect(collector.leaks()).toEqual([`${kind} in a log line`]);
  });
});

describe('a secret that was told of is found', () => {
  const password = 'pässword & "more"';

  test.each<[string, string]>([
    ['as it is', password],
    ['in JSON', JSON.stringify({ params: { given: password } })],
    ['in a URL', `https://app.example/?p=${encodeURIComponent(password)}`],
    ['in a form', new URLSearchParams({ p: password }).toString()],
    ['in base64', `Basic ${Buffer.from(password).toString('base64')}`],
  ])('%s', (_, text) => {
    const collector = openSecretsCollector();
    collector.tellFields(JSON.stringify({ email: 'ada@example.com', password }));
    collector.keep('stdout', text);
    expect(collector.leaks()).toEqual(['password in stdout']);
  });

  test('whether it is told of before or after it was written', () => {
    const collector = openSecretsCollector();
    let output = '';
    collector.keepLater('the output of the service', () => output);
    output = 'the token is opaque-token-of-a-sandbox';
    expect(collector.leaks()).toEqual([]);
    collector.tellFields('{"access_token":"opaque-token-of-a-sandbox"}');
    expect(collector.leaks()).toEqual(['access_token in the output of the service']);
  });
});

describe('a log line is searched as a function would write it', () => {
  test.each<[string, () => unknown]>([
    ['in a field', () => ({ note: apiKey })],
    ['in the message of an error', () => ({ error: new Error(apiKey) })],
    ['in the cause of an error', () => ({ error: new Error('x', { cause: new Error(apiKey) }) })],
  ])('%s', (_, fields) => {
    const collector = openSecretsCollector();
    collector.keep('a log line', writtenAs(['request', fields() as Record<string, unknown>]));
    expect(collector.leaks()).toEqual(['an API key in a log line']);
  });

  test('so that what the log leaves out is no leak', () => {
    const error = Object.assign(new Error('x'), { config: { headers: apiKey } });
    const collector = openSecretsCollector();
    collector.keep('a log line', writtenAs(['request', { error }]));
    expect(collector.leaks()).toEqual([]);
  });
});

describe('a reply of the service is searched', () => {
  /** Asks a service that echoes the key it is given, in its own way. */
  const ask = async (path: string, reply: object): Promise<string[]> => {
    const server = await startFakeServer(reply);
    const collector = openSecretsCollector();
    const plainFetch = globalThis.fetch;
    const { url } = server;
    collector.watchService(url);
    watchReplies(collector);
    try {
      const body = JSON.stringify({ password: 'correct horse' });
      await (await fetch(`${url}${path}`, { method: 'POST', body })).text();
      await (await fetch(`${url}${path}`)).text();
    } finally {
      globalThis.fetch = plainFetch;
      await server.stop();
    }
    return collector.leaks();
  };

  test('in its body', async () => {
    const path = '/external/v1/users/ensure/';
    expect(await ask(path, { body: '{"password":"correct horse"}' })).toEqual([
      `password in reply of GET ${path}`,
      `password in reply of POST ${path}`,
    ]);
  });

  test('in its headers', async () => {
    const path = '/external/v1/users/profile/';
    expect(await ask(path, { headers: { 'X-Echo': apiKey } })).toEqual([
      `an API key in reply of GET ${path}`,
      `an API key in reply of POST ${path}`,
    ]);
  });

  test('but for the state, which initiate is there to hand out', async () => {
    const body = JSON.stringify({ authorization_url: `https://x.example/?state=${state}` });
    expect(await ask('/external/v1/oauth/platform_a/initiate/', { body })).toEqual([
      'a state, a code or a token in reply of POST /external/v1/oauth/platform_a/initiate/',
    ]);
  });
});

/** The builders and readers with a collector of their own, which this file may plant secrets in. */
const loadAnew = async () => {
  vi.resetModules();
  const { secrets } = await import('../support/recorders/secrets-collector.ts');
  return {
    leaks: secrets.leaks,
    ...(await import('../support/events/lambda-events.ts')),
    ...(await import('../support/events/url-events.ts')),
    ...(await import('../support/harnesses/echo-endpoint.ts')),
    ...(await import('../support/processes/operator-process.ts')),
  };
};
let anew: Awaited<ReturnType<typeof loadAnew>>;
beforeEach(async () => {
  anew = await loadAnew();
});

describe('a reply of a handler that is called without a service is searched', () => {
  test('when the endpoint answers with a token', async () => {
    const handle = async () => ({ data: { note: `your token: ${state}` } });
    await anew.call({ body: { note: 'x' } }, { handle });
    expect(anew.leaks()).toEqual(['a state, a code or a token in reply of a handler']);
  });

  test('when it answers with what the request said in secret', () => {
    anew.apiEvent({ body: { password: 'correct horse' } });
    anew.readResult({ statusCode: 200, body: '{"name":"correct horse"}' });
    expect(anew.leaks()).toEqual(['password in reply of a handler']);
  });

  test('when a browser is sent on with a code', () => {
    anew.readPage({ statusCode: 303, headers: { Location: `https://x.example/?code=${state}` } });
    expect(anew.leaks()).toEqual(['a state, a code or a token in reply of a handler']);
  });

  test('but for the state in the URL of an authorization', () => {
    const data = { authorization_url: `https://x.example/?scope=a&state=${state}` };
    anew.readResult({ statusCode: 200, body: JSON.stringify({ data }) });
    expect(anew.leaks()).toEqual([]);
    anew.readResult({ statusCode: 200, body: JSON.stringify({ data, state }) });
    expect(anew.leaks()).toEqual(['a state, a code or a token in reply of a handler']);
  });
});

describe('what the tool of the operator prints is searched', () => {
  const kind = 'a pepper, a sealing key or the hash of an API key';

  /** Runs the tool in a process that prints something of its own. */
  const runWith = (code: string) =>
    anew.runOperator(['secrets', 'show', '--help'], {
      env: { PATH: process.env.PATH, NODE_OPTIONS: `--import=data:text/javascript,${code}` },
      input: 'the secret of a client\n',
    });
  const quoted = (secret: string) => encodeURIComponent(JSON.stringify(secret));

  test.each([
    ['stdout', 'log'],
    ['stderr', 'error'],
  ])('on %s', async (stream, method) => {
    const { code } = await runWith(`console.${method}(${quoted(pepper.toString('base64'))})`);
    expect([code, anew.leaks()]).toEqual([0, [`${kind} in ${stream} of ops secrets show`]]);
  });

  test('for what it was given to keep', async () => {
    await runWith(`console.log(${quoted('got the secret of a client')})`);
    expect(anew.leaks()).toEqual(['a secret given to the operator in stdout of ops secrets show']);
  });

  test.each([
    ['the report of its creation', 'stdout of ops keys create', `{"api_key":"${apiKey}"}`, []],
    ['the same as text', 'stdout of ops keys create', `key id   7\napi key  ${apiKey}\n`, []],
    ['another field of it', 'stdout of ops keys create', `{"key_id":"${apiKey}"}`, [apiKey]],
    ['an error', 'stderr of ops keys create', `{"api_key":"${apiKey}"}`, [apiKey]],
    ['another report', 'stdout of ops keys list', `{"api_key":"${apiKey}"}`, [apiKey]],
  ])('an API key may stand in nothing but its creation: %s', (_, place, text, found) => {
    const collector = openSecretsCollector();
    collector.keep(place, text);
    expect(collector.leaks()).toEqual(found.map(() => `an API key in ${place}`));
  });
});

test('the text that greets may show the key and the password of its requests', () => {
  const place = 'the output of the service';
  const collector = openSecretsCollector();
  collector.tell('password', 'correct horse');
  const welcome = { baseUrl: 'b', callbackUrl: 'c', sandboxUrl: 's', apiKey, latestRates: 'today' };
  collector.keep(place, welcomeText(welcome, new Date('2026-03-23T09:30:00Z')));
  expect(collector.leaks()).toEqual([]);
  collector.keep(place, `{"level":"INFO","api_key":"${apiKey}","password":"correct horse"}`);
  expect(collector.leaks()).toEqual([`an API key in ${place}`, `password in ${place}`]);
});
