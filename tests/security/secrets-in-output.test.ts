// The search for secrets in logs, output and replies, which watch-secrets.ts runs after every test
// file: it finds planted secrets.

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
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
  ['a password', password, ['password']],
  ['a password in JSON', JSON.stringify({ params: { given: password } }), ['password']],
  ['a password in a URL', `https://x/?p=${encodeURIComponent(password)}`, ['password']],
  ['a password in a form', new URLSearchParams({ p: password }).toString(), ['password']],
  ['a password in base64', Buffer.from(password).toString('base64'), ['password']],
  ['a field of a log line', line({ note: apiKey }), ['an API key']],
  ['the message of an error', line({ error: new Error(apiKey) }), ['an API key']],
  ['the cause of an error', line(errorOf(apiKey)), ['an API key']],
  [
    'a field that the log omits',
    line({ error: Object.assign(new Error('x'), { config: { headers: apiKey } }) }),
    [],
  ],
])('a secret is found: %s', (_, text, kinds) => {
  const collector = openSecretsCollector();
  collector.registerFields(JSON.stringify({ email: 'ada@example.com', password }));
  collector.keep('a log line', text);
  expect(collector.leaks()).toEqual(kinds.map((kind) => `${kind} in a log line`));
});

test('a secret is found if it becomes known after it was written', () => {
  const collector = openSecretsCollector();
  let output = '';
  collector.keepLater('the output of the service', () => output);
  output = 'the token is opaque-token-of-a-sandbox';
  expect(collector.leaks()).toEqual([]);
  collector.registerFields('{"access_token":"opaque-token-of-a-sandbox"}');
  expect(collector.leaks()).toEqual(['access_token in the output of the service']);
});

describe('a secret in a reply is found', () => {
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
      'except the state in the reply of initiate',
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

test.each([
  ['the report of its creation', 'stdout of ops keys create', `{"api_key":"${apiKey}"}`, []],
  ['the same as text', 'stdout of ops keys create', `key id   7\napi key  ${apiKey}\n`, []],
  ['another field', 'stdout of ops keys create', `{"key_id":"${apiKey}"}`, [apiKey]],
  ['another report', 'stdout of ops keys list', `{"api_key":"${apiKey}"}`, [apiKey]],
])('an API key may appear in its creation only: %s', (_, place, text, found) => {
  const collector = openSecretsCollector();
  collector.keep(place, text);
  expect(collector.leaks()).toEqual(found.map(() => `an API key in ${place}`));
});

test('the greeting may show the key and the password of its requests', () => {
  const place = 'the output of the service';
  const collector = openSecretsCollector();
  collector.register('password', 'correct horse');
  const urls = { baseUrl: 'b', callbackUrl: 'c', sandboxUrl: 's' };
  collector.keep(place, welcomeText({ ...urls, apiKey, latestRates: 'today', dataFolder: 'd' }));
  expect(collector.leaks()).toEqual([]);
  collector.keep(place, `{"level":"INFO","api_key":"${apiKey}","password":"correct horse"}`);
  expect(collector.leaks()).toEqual([`an API key in ${place}`, `password in ${place}`]);
});
