// The search for secrets in what the tests make the service log, print and answer: that it finds
// what is planted, wherever that is. watch-secrets.ts runs it after every test file.

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashApiKey, newApiKey, newApplicationId } from '#shared/domain/api-keys.ts';
import { newState } from '#shared/domain/authorization-states.ts';
import { startFakeServer } from '../support/fake-server.ts';
import { writtenAs } from '../support/log.ts';
import { openSecretsCollector } from '../support/secrets-collector.ts';
import { watchReplies } from '../support/secrets-watch.ts';

const { apiKey } = newApiKey(newApplicationId(randomBytes), randomBytes);
const pepper = randomBytes(32);
const state = newState();

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
