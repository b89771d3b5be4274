import { inspect } from 'node:util';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { versionedSecrets } from '#infra/manifest/function-row.ts';
import { rotateSecret, setSecret, showSecrets } from '#infra/ops/commands/secrets.ts';
import { openPlatforms, PlatformClients } from '#shared/platforms/registry.ts';
import { openSecret } from '#shared/secrets.ts';
import { testSlots } from '../../support/builders/slots.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';

const operator = useOperator({ hasAuthenticators: false, each: true });

type KeysName = (typeof versionedSecrets)[number];

const fill = (secret: KeysName) => setSecret.run(operator.dependencies, { secret });
const rotate = (secret: KeysName) => rotateSecret.run(operator.dependencies, { secret });
const setClient = (slot: 'platform_a' | 'platform_b', clientId: string, clientSecret: string) =>
  setSecret.run(
    { ...operator.dependencies, readSecret: async () => clientSecret },
    { secret: 'platform-clients', slot, clientId },
  );

/** Writes a value directly to Secrets Manager. */
const overwrite = (name: KeysName | 'platform-clients', SecretString: string) =>
  operator.secretsClient.send(
    new PutSecretValueCommand({ SecretId: operator.dependencies.secrets.idOf(name), SecretString }),
  );

const changedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const overview = (...states: string[]) =>
  [...versionedSecrets, 'platform-clients'].map((secret, index) => ({
    secret,
    secret_id: `ledger/test/${secret}`,
    state: states[index],
    changed_at: changedAt,
  }));
const slots = (...states: string[]) =>
  ['platform_a', 'platform_b', 'platform_c'].map((slot, index) => ({ slot, state: states[index] }));

describe('the secrets of a stage', () => {
  const show = () => showSecrets.run(operator.dependencies, {});

  test('are shown as not filled after the deployment', async () => {
    expect(await show()).toEqual({
      secrets: overview(...Array(6).fill('not filled')),
      versions: [],
      platform_clients: slots('not filled', 'not filled', 'not filled'),
    });
  });

  test('are shown with their versions, without values', async () => {
    await fill('api-key-pepper');
    await rotate('api-key-pepper');
    await fill('token-sealing-keys');
    await setClient('platform_b', 'the-client', 'hunter2');
    const shown = await show();
    expect(shown).toEqual({
      secrets: overview('filled', 'filled', 'not filled', 'not filled', 'not filled', 'filled'),
      versions: [
        { secret: 'api-key-pepper', version: '1', current: false },
        { secret: 'api-key-pepper', version: '2', current: true },
        { secret: 'token-sealing-keys', version: '1', current: true },
      ],
      platform_clients: slots('not filled', 'filled', 'not filled'),
    });
    const keys = await operator.openKeys('api-key-pepper').read();
    for (const value of [...Object.values(keys.versions), 'the-client', 'hunter2']) {
      expect(inspect(shown, { depth: Infinity })).not.toContain(value);
    }
  });

  test.each(['{"password":"hunter2"}', 'hunter2', '[]', '{"current":"1","versions":{"1":"aHU="}}'])(
    'are neither shown nor overwritten if their content is invalid: %s',
    async (content) => {
      await overwrite('api-key-pepper', content);
      for (const act of [show, () => fill('api-key-pepper'), () => rotate('api-key-pepper')]) {
        expect(await refusalOf(act())).toBe(
          'the content of ledger/test/api-key-pepper is not valid: look at it in Secrets Manager',
        );
      }
    },
  );
});

describe.each(versionedSecrets)('%s', (name) => {
  test('is filled once, with 32 random bytes that functions can read', async () => {
    expect(await refusalOf(rotate(name))).toBe(
      `ledger/test/${name} is not filled: run secrets set`,
    );
    expect(await fill(name)).toEqual({ secret: name, current: '1', versions: ['1'] });
    const keys = await operator.openKeys(name).read();
    expect(keys).toEqual({ current: '1', versions: { '1': expect.any(String) } });
    expect(Buffer.from(keys.versions['1'] ?? '', 'base64')).toHaveLength(32);
    expect(await refusalOf(fill(name))).toBe(
      `ledger/test/${name} is filled already: change it with secrets rotate`,
    );
    expect(await operator.openKeys(name).read()).toEqual(keys);
  });

  test('is rotated to the next version and keeps the others', async () => {
    await fill(name);
    const before = (await operator.openKeys(name).read()).versions;
    expect(await rotate(name)).toEqual({
      secret: name,
      current: '2',
      current_before: '1',
      versions: ['1', '2'],
    });
    const versions = { ...before, '9': before['1'], old: before['1'] };
    await overwrite(name, JSON.stringify({ current: '9', versions }));
    await rotate(name);
    const after = await operator.openKeys(name).read();
    expect(after.current).toBe('10');
    expect(after.versions).toMatchObject(versions);
    expect(after.versions['10']).not.toBe(before['1']);
  });

  test('loses no version to concurrent operators: all but one fail', async () => {
    await fill(name);
    const refusals = await Promise.all(Array.from({ length: 8 }, () => refusalOf(rotate(name))));
    const failures = refusals.filter((refusal) => refusal !== 'nothing was refused');
    expect(failures.length).toBeGreaterThan(0);
    expect(new Set(failures)).toEqual(
      new Set([`another operator has just changed ledger/test/${name}; try again`]),
    );
    const { versions } = await operator.openKeys(name).read();
    expect(Object.keys(versions)).toHaveLength(1 + refusals.length - failures.length);
  });
});

describe('platform-clients', () => {
  const open = () => {
    const secretId = operator.dependencies.secrets.idOf('platform-clients');
    return openSecret(operator.secretsClient, { secretId, schema: PlatformClients });
  };

  test('gets one client per slot and keeps the others', async () => {
    const filled = (slot: string, ...filled_slots: string[]) => ({
      secret: 'platform-clients',
      slot,
      filled_slots,
    });
    expect(await setClient('platform_b', 'b', 'secret b')).toEqual(
      filled('platform_b', 'platform_b'),
    );
    const platforms = openPlatforms({ slots: testSlots(), clients: open() });
    expect((await platforms.get('platform_b')).adapter).toBe('quickbooks');
    await expect(platforms.get('platform_a')).rejects.toEqual(
      new Error('the secret has no client of platform_a'),
    );
    expect(await setClient('platform_a', 'a', 'secret a')).toEqual(
      filled('platform_a', 'platform_a', 'platform_b'),
    );
    await setClient('platform_b', 'b', 'new secret b');
    expect(await open().read()).toEqual({
      platform_a: { client_id: 'a', client_secret: 'secret a' },
      platform_b: { client_id: 'b', client_secret: 'new secret b' },
    });
  });

  test.each([
    ['an empty secret', ''],
    ['two lines', 'one\ntwo'],
    ['a control character', 'one\u0007'],
    ['a very long secret', 'x'.repeat(1001)],
  ])('refuses %s', async (_title, clientSecret) => {
    expect(await refusalOf(setClient('platform_a', 'a', clientSecret))).toBe(
      'a client secret is one line of 1 to 1000 printable characters',
    );
    expect(await open().read()).toEqual({});
  });
});
