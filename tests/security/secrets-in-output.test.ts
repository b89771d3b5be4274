// The search for secrets in what the tests make the service log, print and answer: that it finds
// what is planted, wherever that is. watch-secrets.ts runs it after every test file.

import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { welcomeText } from '#infra/local/welcome.ts';
import { hashApiKey, newApiKey, newApplicationId } from '#shared/applications/api-keys.ts';
import { newNonce } from '#shared/connections/authorization-states.ts';
import { writtenAs } from '../support/recorders/log.ts';
import { openSecretsCollector } from '../support/recorders/secrets-collector.ts';
import { watchReplies } from '../support/recorders/secrets-watch.ts';
import { startFakeServer } from '../support/servers/fake-server.ts';

const { apiKey } = newApiKey(newApplicationId(randomBytes), randomBytes);
const pepper = randomBytes(32);
const state = newNonce(randomBytes);

const keyHash = 'a pepper, a sealing key or the hash of an API key';
const password = 'pässword & "more"';
const errorOf = (cause: string) => ({ error: new Error('x', { cause: new Error(cause) }) });
const line = (fields: object) => writtenAs(['request', fields as Record<string, unknown>]);

test.each<[string, string, string[]]>([
  ['an API key', `got ${apiKey}.`, ['an API key']],
  ['a pepper', `got ${pepper.toString('base64')}.`, [keyHash]],
  ['the hash of an API key', `got ${hashApiKey(apiKey, pepper)}.`, [keyHash]],
  ['a state', `got ${state}.`, ['a state, a code or a token']],
  ['a hash of a password', '$argon2id$v=19$m=19456', ['a hash of a password']],
  ['a token of the fake platform', 'secret-refresh-7', ['a token of the fake platform']],
  ['what was told, as it is', password, ['password']],
  ['what was told, in JSON', JSON.stringify({ params: { given: password } }), ['password']],
  ['what was told, in a URL', `https://x/?p=${encodeURIComponent(password)}`, ['password']],
  ['what was told, in a form', new URLSearchParams({ p: password }).toString(), ['password']],
  ['what was told, in base64', Buffer.from(password).toString('base64'), ['password']],
  ['a field of a log line', line({ note: apiKey }), ['an API key']],
  ['the message of an error', line({ error: new Error(apiKey) }), ['an API key']],
  ['the cause of an error', line(errorOf(apiKey)), ['an API key']],
  [
    'what the log leaves out',
    line({ error: Object.assign(new Error('x'), { config: { headers: apiKey } }) }),
    [],
  ],
])('a secret is found: %s', (_, text, kinds) => {
  const collector = openSecretsCollector();
  collector.tellFields(JSON.stringify({ email: 'ada@example.com', password }));
  collector.keep('a log line', text);
  expect(collector.leaks()).toEqual(kinds.map((kind) => `${kind} in a log line`));
});

test('a secret is found whether it is told of before or after it was written', () => {
  const collector = openSecretsCollector();
  let output = '';
  collector.keepLater('the output of the service', () => output);
  output = 'the token is opaque-token-of-a-sandbox';
  expect(collector.leaks()).toEqual([]);
  collector.tellFields('{"access_token":"opaque-token-of-a-sandbox"}');
  expect(collector.leaks()).toEqual(['access_token in the output of the service']);
});

describe('a reply of the service is searched', () => {
  /** Asks a service that echoes the key it is given, in its own way. */
  const ask = async (path: string, reply: object): Promise<string[]> => {
    const server = await startFakeServer(reply);
    const collector = openSecretsCollector();
    const { url } = server;
    collector.watchService(url);
    const stopWatching = watchReplies(collector);
    try {
      const body = JSON.stringify({ password: 'correct horse' });
      await (await fetch(`${url}${path}`, { method: 'POST', body })).text();
      await (await fetch(`${url}${path}`)).text();
    } finally {
      stopWatching();
      await server.stop();
    }
    return collector.leaks();
  };

  test.each<[string, string, object, string, string[]]>([
    [
      'in its body',
      '/external/v1/users/ensure/',
      { body: '{"password":"correct horse"}' },
      'password',
      ['GET', 'POST'],
    ],
    [
      'in its headers',
      '/external/v1/users/profile/',
      { headers: { 'X-Echo': apiKey } },
      'an API key',
      ['GET', 'POST'],
    ],
    [
      'but for the state, which initiate is there to hand out',
      '/external/v1/oauth/platform_a/initiate/',
      { body: JSON.stringify({ authorization_url: `https://x.example/?state=${state}` }) },
      'a state, a code or a token',
      ['POST'],
    ],
  ])('%s', async (_, path, reply, kind, methods) => {
    const found = methods.map((method) => `${kind} in reply of ${method} ${path}`);
    expect(await ask(path, reply)).toEqual(found);
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
    expect([code, anew.leaks()]).toEqual([0, [`${keyHash} in ${stream} of ops secrets show`]]);
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
  const urls = { baseUrl: 'b', callbackUrl: 'c', sandboxUrl: 's' };
  collector.keep(place, welcomeText({ ...urls, apiKey, latestRates: 'today', dataFolder: 'd' }));
  expect(collector.leaks()).toEqual([]);
  collector.keep(place, `{"level":"INFO","api_key":"${apiKey}","password":"correct horse"}`);
  expect(collector.leaks()).toEqual([`an API key in ${place}`, `password in ${place}`]);
});
