import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startSecretsManager } from '#infra/local/stand-ins/secrets-manager.ts';
import { localCredentials } from '#infra/manifest/local-credentials.ts';
import {
  currentKey,
  findKeyOfVersion,
  keyOfVersion,
  openSecret,
  VersionedKeys,
} from '#shared/secrets.ts';

const secretId = 'pepper';
const key = (byte: number) => Buffer.alloc(32, byte);
const keys = (current: string, ...versions: string[]) =>
  JSON.stringify({
    current,
    versions: Object.fromEntries(versions.map((it) => [it, key(Number(it)).toString('base64')])),
  });

const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
let manager: Awaited<ReturnType<typeof startSecretsManager>>;
let client: SecretsManagerClient;
let requests: number;

afterAll(() => rm(folder, { recursive: true }));

beforeEach(async (context) => {
  // Only the clock that ages a secret stands still; the requests are real.
  vi.useFakeTimers({ toFake: ['Date'] });
  manager = await startSecretsManager({
    file: join(folder, `${context.task.id}.json`),
    ...localCredentials,
  });
  client = new SecretsManagerClient({ endpoint: manager.endpoint });
  requests = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (request) => {
        if (commandName === 'GetSecretValueCommand') requests += 1;
        return next(request);
      },
    { step: 'initialize' },
  );
});
afterEach(async () => {
  vi.useRealTimers();
  client.destroy();
  await manager.stop();
});

const create = (SecretString: string) =>
  client.send(new CreateSecretCommand({ Name: secretId, SecretString }));
const rotate = (SecretString: string) =>
  client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString }));
const open = () => openSecret(client, { secretId, schema: VersionedKeys });

describe('a secret', () => {
  test('is read once for many readers and again after five minutes', async () => {
    await create(keys('1', '1'));
    const secret = open();
    expect(requests).toBe(0);
    await Promise.all([secret.read(), secret.read(), secret.read()]);
    await rotate(keys('2', '1', '2'));
    vi.advanceTimersByTime(5 * 60_000 - 1);
    expect((await secret.read()).current).toBe('1');
    expect(requests).toBe(1);
    vi.advanceTimersByTime(1);
    expect((await secret.read()).current).toBe('2');
    expect(requests).toBe(2);
  });

  test('is read again after the clock has jumped back', async () => {
    await create(keys('1', '1'));
    const secret = open();
    await secret.read();
    await secret.readAgain();
    await rotate(keys('2', '1', '2'));
    vi.setSystemTime(Date.now() - 60 * 60_000);
    expect((await secret.readAgain()).current).toBe('2');
    await rotate(keys('3', '1', '2', '3'));
    vi.setSystemTime(Date.now() - 60 * 60_000);
    expect((await secret.read()).current).toBe('3');
  });

  test('is read again on request, but only once in five seconds', async () => {
    await create(keys('1', '1'));
    const secret = open();
    await secret.read();
    await rotate(keys('2', '1', '2'));
    expect((await secret.readAgain()).current).toBe('2');
    await rotate(keys('3', '1', '2', '3'));
    vi.advanceTimersByTime(4_999);
    expect((await secret.readAgain()).current).toBe('2');
    expect(requests).toBe(2);
    vi.advanceTimersByTime(1);
    expect((await secret.readAgain()).current).toBe('3');
    expect(requests).toBe(3);
  });

  test('that cannot be read is read again at the next use', async () => {
    const secret = open();
    await expect(secret.read()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await create(keys('1', '1'));
    expect((await secret.read()).current).toBe('1');
  });

  test.each([
    ['is not JSON', 'hunter2hunter2'],
    ['is JSON of another form', '{"password":"hunter2"}'],
    ['has a key that is too short', '{"current":"1","versions":{"1":"aHVudGVyMg=="}}'],
    ['has an empty key', '{"current":"1","versions":{"1":""}}'],
    ['lacks its current version', keys('hunter2', '1')],
    ['names a property of every object as current', keys('toString', '1')],
  ])('that %s fails without being shown', async (_title, value) => {
    await create(value);
    const error = await open()
      .read()
      .catch((thrown: unknown) => thrown);
    expect(error).toEqual(new Error('secret pepper does not have the expected form'));
    expect((error as Error).cause).toBeUndefined();
  });
});

describe('versioned keys', () => {
  test('include the current key and earlier keys', async () => {
    await create(keys('2', '1', '2'));
    const secret = open();
    expect(await currentKey(secret)).toEqual({ version: '2', key: key(2) });
    expect(await keyOfVersion(secret, '1')).toEqual(key(1));
    expect(requests).toBe(1);
  });

  test('with an unknown version are read again once', async () => {
    await create(keys('1', '1'));
    const secret = open();
    expect(await keyOfVersion(secret, '1')).toEqual(key(1));
    await rotate(keys('2', '2'));
    expect(await keyOfVersion(secret, '2')).toEqual(key(2));
    expect(requests).toBe(2);
    expect(await findKeyOfVersion(secret, '1')).toBeUndefined();
    await expect(keyOfVersion(secret, '1')).rejects.toThrow('no key of version 1');
    expect(requests).toBe(2);
  });
});
